"""What a run's record says, as one English sentence made from its code and its numbers. Pure.

Home Assistant makes its own in the reader's language from the same code and numbers.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from edge_gateway.contracts.schedules import Run, RunOutcome
from edge_gateway.scheduler.records import RunRecord

type Numbers = Mapping[str, Any]

_PROVIDERS = {"open_meteo": "Open-Meteo", "home_assistant": "Home Assistant", "static": "fixed setting"}

_SIMPLE = {
    "skipped": "skipped: this date was left out",
    "disabled": "skipped: the schedule was disabled",
    "deleted": "skipped: the schedule was deleted",
    "edited": "skipped: the schedule was changed",
    "target_gone": "failed: the mower or group is not there any more",
    "plan_not_understood": "disabled: the plan cannot be understood any more",
    "window_closed": "skipped: its window closed before it could start",
    "other_run": "skipped: the mower was busy with another run",
    "map_unknown": "failed: the mower's map is not known",
    "no_area_enabled": "failed: no area of the mower is enabled",
    "no_area_named": "failed: no area was named",
    "fleet_silent": "failed: the fleet did not answer until the window closed",
    "unavailable": "failed: the mower could not be reached until the window closed",
    "in_transition": "failed: the mower was on its way somewhere until the window closed",
    "state_unknown": "failed: what the mower was doing was not known",
    "lease_lost": "failed: the gateway handed the mower over at that moment",
    "expired": "failed: the order came too late",
    "not_taken": "failed: the order was not taken in time",
    "not_published": "failed: the order could not be handed over",
    "outcome_unknown": "failed: whether it started is not known",
    "refused_by_mower": "failed: the mower refused to start",
    "not_confirmed": "failed: the mower said yes and was not seen moving",
    "forbidden": "skipped: the owner of the schedule may not control this mower",
    "not_found": "skipped: the owner of the schedule does not see this mower",
    "unknown_principal": "skipped: the owner of the schedule is not known any more",
    "service_principal": "skipped: a service may not start mowers for itself",
    "key_reused": "failed: its key was used for another order",
    "invalid": "failed: the order was not valid",
    "unsafe": "failed: starting was not safe",
}

_ENDS = {
    "completed": "it finished",
    "rain": "it was sent home for rain",
    "window_end": "it was sent home at the end of its window",
    "quiet_hours": "it was sent home for the quiet hours",
    "user": "a person ended it",
    "error": "it ended with an error",
    "unknown": "how it ended is not known",
}


def answered(run: RunRecord) -> Run:
    """Return a run as it is answered and told: with its sentence."""
    return msgspec.structs.replace(run.shown(), sentence=sentence(run))


def sentence(run: RunRecord) -> str:
    """Return what happened at a firing for one mower, and why."""
    if run.outcome is None:
        return _pending(run)
    if run.outcome is RunOutcome.STARTED:
        return _started(run)
    special = _SPECIAL.get(run.reason or "")
    if special is not None:
        return special(run.numbers)
    return _SIMPLE.get(run.reason or "") or f"{_verb(run.outcome)}: {run.reason or 'no reason is known'}"


def is_known(reason: str) -> bool:
    """Tell whether a reason code has a sentence of its own."""
    return reason in _SIMPLE or reason in _SPECIAL


def ending(end_reason: str) -> str | None:
    """Return how a run ended; None for a code without a sentence."""
    return _ENDS.get(end_reason)


def _pending(run: RunRecord) -> str:
    if run.asked_at is not None:
        return "starting: the order was given"
    match run.waiting_for:
        case None:
            return "due: it is about to be decided"
        case "rain":
            return f"waiting for the rain: {_rain(run.numbers)}"
        case "no_slot":
            return f"waiting for its turn: {_slots(run.numbers)}"
        case "forecast":
            return "waiting for a forecast"
        case other:
            why = _SIMPLE.get(other, other).removeprefix("failed: ").removesuffix(" until the window closed")
            return f"waiting: {why}"


def _started(run: RunRecord) -> str:
    numbers = run.numbers
    parts = ["started"]
    if (days := numbers.get("held_days")) is not None and numbers.get("max_hold_days") is not None:
        parts.append(f"although rain holds: it was held on {days} days in a row")
    elif "rain_override" in numbers:
        parts.append("whatever the rain: a person said so")
    elif run.run_now:
        parts.append("because a person asked for it")
    elif numbers.get("rain_reason") == "no_location":
        parts.append("without a forecast: no place is known")
    elif numbers.get("rain_reason") == "forecast_unknown":
        parts.append("without a forecast: none is known")
    if (left := numbers.get("left_by_itself_at")) is not None:
        parts.append(f"it left its dock by itself at {_time(left, numbers)} and was sent back")
    if run.end_reason is not None:
        parts.append(_ENDS.get(run.end_reason, f"it ended: {run.end_reason}"))
    elif (home := numbers.get("sent_home")) is not None and run.sent_home_for is not None:
        parts.append(f"{_ENDS.get(home['cause'], 'it was sent home')} at {_time(home['at'], numbers)}")
    elif run.confirmed_at is None:
        parts.append("it is still to be seen moving")
    return ", ".join(parts)


def _held(numbers: Numbers) -> str:
    return f"held: {_rain(numbers)}"


def _rain(numbers: Numbers) -> str:
    """Return what the rain rule saw: the deciding hour and its thresholds, the forecast's age and provider."""
    rule = numbers.get("rain_rule", {})
    said = "the forecast is not known"
    if numbers.get("hour") is not None:
        found = []
        percent, limit = numbers.get("probability_percent"), rule.get("probability_percent")
        if numbers.get("rain_reason") != "rain_recent" and percent is not None and limit and percent >= limit:
            found.append(f"{percent:g} % at {_time(numbers['hour'], numbers)} is at or over {limit:g} %")
        amount, limit = numbers.get("precipitation_mm"), rule.get("precipitation_mm")
        if amount is not None and limit and amount >= limit:
            found.append(f"{amount:g} mm at {_time(numbers['hour'], numbers)} is at or over {limit:g} mm")
        said = " and ".join(found) or f"it rains at {_time(numbers['hour'], numbers)}"
    source = _PROVIDERS.get(numbers.get("provider", ""), numbers.get("provider"))
    age = numbers.get("forecast_age_seconds")
    if age is not None:
        return f"{said}; forecast {round(age / 60)} min old, {source}"
    return f"{said}; {source}" if source else said


def _missed(numbers: Numbers) -> str:
    missed = numbers.get("missed", 1)
    times = "1 time" if missed == 1 else f"{missed} times"
    return f"skipped: nobody looked when it was due, {times}"


def _busy(numbers: Numbers) -> str:
    return f"skipped: the mower was busy ({numbers.get('activity') or 'out'})"


def _areas_gone(numbers: Numbers) -> str:
    gone = ", ".join(numbers.get("area_ids") or numbers.get("unknown") or ()) or "some"
    return f"failed: areas are not on the mower's map any more ({gone})"


def _quiet(numbers: Numbers) -> str:
    begin, end = numbers.get("quiet_from"), numbers.get("quiet_until")
    if begin is None or end is None:
        return "skipped: quiet hours"
    return f"skipped: quiet hours from {_time(begin, numbers)} to {_time(end, numbers)}"


def _slots(numbers: Numbers) -> str:
    maximum = numbers.get("max_concurrent")
    return "the other mowers of the group were out" if maximum is None else f"{maximum} of the group may be out at once"


def _no_slot(numbers: Numbers) -> str:
    return f"skipped: its turn did not come until the window closed; {_slots(numbers)}"


def _held_by_user(numbers: Numbers) -> str:
    until = numbers.get("mower_hold", {}).get("until")
    return "held by a person" if until is None else f"held by a person until {_moment(until, numbers)}"


def _not_seen(numbers: Numbers) -> str:
    waited = numbers.get("waited_seconds")
    return "failed: it was not seen moving" + ("" if waited is None else f" within {waited} s of the order")


_SPECIAL: dict[str, Callable[[Numbers], str]] = {
    "rain": _held,
    "rain_expected": _held,
    "rain_recent": _held,
    "forecast_unknown": lambda numbers: (
        f"held: no forecast is known, and the plan does not run without one{_of(numbers)}"
    ),
    "missed": _missed,
    "mower_busy": _busy,
    "busy": _busy,
    "areas_gone": _areas_gone,
    "quiet_hours": _quiet,
    "no_slot": _no_slot,
    "held_by_user": _held_by_user,
    "start_not_confirmed": _not_seen,
}


def _of(numbers: Numbers) -> str:
    source = _PROVIDERS.get(numbers.get("provider", ""), numbers.get("provider"))
    return f" ({source})" if source else ""


def _verb(outcome: RunOutcome) -> str:
    return "failed" if outcome is RunOutcome.FAILED else "skipped"


def _time(given: object, numbers: Numbers) -> str:
    return _local(given, numbers).strftime("%H:%M")


def _moment(given: object, numbers: Numbers) -> str:
    return _local(given, numbers).strftime("%Y-%m-%d %H:%M")


def _local(given: object, numbers: Numbers) -> datetime:
    """Return a stored or a fresh moment on the wall clock of the site."""
    moment = given if isinstance(given, datetime) else datetime.fromisoformat(str(given))
    try:
        return moment.astimezone(ZoneInfo(numbers.get("time_zone") or "UTC"))
    except ZoneInfoNotFoundError:
        return moment
