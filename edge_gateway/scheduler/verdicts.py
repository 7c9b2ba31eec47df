"""What is decided about a pending firing for one mower, from facts that were gathered before. Pure.

The order of verdicts (design, Firing): manual skip (with it a person's hold) > target gone > window closed > quiet
hours > permission > busy > rain. Quiet hours come with sites that have them. Last of all, a start needs areas that are
there: never a guess.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.contracts.weather import Override
from edge_gateway.scheduler.quiet_hours import Interval, numbers_of
from edge_gateway.scheduler.rain import RainVerdict
from edge_gateway.scheduler.records import MowerRecord


class Reason(StrEnum):
    """Codes of decisions. Those of Fleet and of the mower's actor are passed on as they are."""

    SKIPPED = "skipped"
    """Of skipped_manual: its date was left out."""
    DISABLED = "disabled"
    DELETED = "deleted"
    EDITED = "edited"
    TARGET_GONE = "target_gone"
    NOT_UNDERSTOOD = "plan_not_understood"
    """Of a schedule that was disabled: its time zone is gone from the zone database, say."""
    WINDOW_CLOSED = "window_closed"
    MISSED = "missed"
    """Of skipped_window: passed over while nobody looked."""
    MOWER_BUSY = "mower_busy"
    OTHER_RUN = "other_run"
    """Of skipped_mower_busy: another run is on this mower."""
    MAP_UNKNOWN = "map_unknown"
    AREAS_GONE = "areas_gone"
    NO_AREA_ENABLED = "no_area_enabled"
    FLEET_SILENT = "fleet_silent"
    """Fleet did not answer."""
    UNAVAILABLE = "unavailable"
    """The mower cannot be reached."""
    IN_TRANSITION = "in_transition"
    """The mower is on its way somewhere."""
    OUTCOME_UNKNOWN = "outcome_unknown"
    START_NOT_CONFIRMED = "start_not_confirmed"
    NO_LOCATION = "no_location"
    HELD_BY_USER = "held_by_user"
    """Of skipped_manual: a person said that this mower stays at home until a moment."""
    FORECAST = "forecast"
    """Waited for: the first forecast of a place."""
    RAIN = "rain"
    """Waited for: that the rule lets go."""
    QUIET_HOURS = "quiet_hours"
    """Of skipped_window."""
    NO_SLOT = "no_slot"
    """Of skipped_window: as many mowers of its group as may be out at a time were out until the window closed."""


@dataclass(frozen=True, slots=True)
class End:
    """It does not start: this is its outcome."""

    outcome: RunOutcome
    reason: str
    numbers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wait:
    """It stays pending and is looked at again."""

    reason: str
    at_the_latest: datetime | None = None
    numbers: dict[str, Any] = field(default_factory=dict)
    """What it waits by, for the record."""
    each_tick: bool = False
    """Nobody is asked in vain: it is looked at each tick, not less and less often."""


@dataclass(frozen=True, slots=True)
class Start:
    """It starts; the numbers say what was decided by."""

    numbers: dict[str, Any] = field(default_factory=dict)
    rain_exempt: bool = False
    """It starts although the rule holds: rain does not send it home."""


type Verdict = End | Wait | Start


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What Fleet knows of the mower; areas are null while no map is known."""

    area_ids: tuple[str, ...] | None
    enabled_area_ids: tuple[str, ...] | None
    refusal: str | None = None
    """Why the owner may not order (a code); null when it may."""


@dataclass(frozen=True, slots=True)
class Slots:
    """How many mowers of a group may be out, and how many are, besides this one."""

    maximum: int
    out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a decision is made from."""

    now: datetime
    start_before: datetime
    """The end of its window; of a run-now some seconds after it was asked for."""
    waiting_for: str | None = None
    """What the row has waited for until now."""
    waited_by: dict[str, Any] = field(default_factory=dict)
    """The numbers that it has kept."""
    skipped: bool = False
    """Its date is left out by hand."""
    target: Target | Reason
    """`target_gone`, or `fleet_silent` while it is not known."""
    area_ids: tuple[str, ...] | None = None
    """The areas that the schedule names; null for all enabled ones."""
    mower: MowerRecord
    other_run_id: str | None = None
    """A run that was asked for and not yet seen, or is confirmed and open, on the same mower."""
    rain: RainVerdict | None = None
    """Null where the rule does not apply (run-now, a mower that does not obey it)."""
    waits_for_rain: bool = False
    """A rule that holds is waited for until the window closes."""
    held_days: int = 0
    """Days in a row on which rain has held this mower until now."""
    max_hold_days: int | None = None
    """After so many it runs all the same."""
    quiet: Interval | None = None
    """The quiet hours that are under way, or for which it would be called home at once; null also when overridden."""
    slots: Slots | None = None
    """Null where all may be out at a time."""
    forecast_awaited_until: datetime | None = None
    """There is no forecast yet, and one may come by then; null otherwise."""
    mower_hold: Override | None = None
    """A person's word that no plan starts the mower; null for a run-now."""
    rain_override: Override | None = None
    """A person's word that it mows whatever the rain rule says."""
    numbers: dict[str, Any] = field(default_factory=dict)
    """What else the record is to say."""


def decide(facts: Facts) -> Verdict:
    """Return the first verdict that applies."""
    if facts.target is Reason.TARGET_GONE:
        return _by_hand(facts) or End(RunOutcome.FAILED, Reason.TARGET_GONE)
    return _by_hand(facts) or _window(facts) or _of_its_target(facts, facts.target)


def _window(facts: Facts) -> End | None:
    return window_closed(facts.waiting_for, facts.waited_by) if facts.now >= facts.start_before else None


def _of_its_target(facts: Facts, target: Target | Reason) -> Verdict:
    """Return the verdict in an open window for a target that is there, as far as it is known."""
    if isinstance(target, Reason):
        return Wait(target)
    if facts.quiet is not None:
        return End(RunOutcome.SKIPPED_WINDOW, Reason.QUIET_HOURS, facts.numbers | numbers_of(facts.quiet))
    if target.refusal is not None:
        return End(RunOutcome.SKIPPED_PERMISSION, target.refusal)
    return _busy(facts) or _rain(facts) or _areas(facts, target) or _slot(facts) or _start(facts)


def window_closed(waiting_for: str | None, waited_by: dict[str, Any] | None = None) -> End:
    """Return how a row ends whose window is over: with what it waited for, by the numbers that it has kept."""
    if waiting_for == Reason.RAIN:
        return End(RunOutcome.SKIPPED_RAIN, (waited_by or {}).get("rain_reason", Reason.RAIN))
    if waiting_for == Reason.NO_SLOT:
        return End(RunOutcome.SKIPPED_WINDOW, Reason.NO_SLOT)
    if waiting_for is None or waiting_for == Reason.FORECAST:
        return End(RunOutcome.SKIPPED_WINDOW, Reason.WINDOW_CLOSED)
    return End(RunOutcome.FAILED, waiting_for)


def _by_hand(facts: Facts) -> End | None:
    if facts.skipped:
        return End(RunOutcome.SKIPPED_MANUAL, Reason.SKIPPED)
    if facts.mower_hold is not None:
        return End(RunOutcome.SKIPPED_MANUAL, Reason.HELD_BY_USER, {"mower_hold": _as_numbers(facts.mower_hold)})
    return None


def _busy(facts: Facts) -> Verdict | None:
    mower = facts.mower
    if mower.busy:
        if mower.available is False:
            # What it was doing when it was last heard says nothing; nobody starts a mower over it either.
            return Wait(Reason.UNAVAILABLE)
        if mower.activity is Activity.RETURNING and facts.waiting_for == Reason.IN_TRANSITION:
            return Wait(Reason.IN_TRANSITION)
        return End(RunOutcome.SKIPPED_MOWER_BUSY, Reason.MOWER_BUSY, {"activity": mower.activity})
    if facts.other_run_id is not None:
        return End(RunOutcome.SKIPPED_MOWER_BUSY, Reason.OTHER_RUN, {"run_id": facts.other_run_id})
    return None


def _rain(facts: Facts) -> Verdict | None:
    if facts.rain is None or facts.rain_override is not None:
        return None
    awaited_until = facts.forecast_awaited_until if facts.rain.settings.enabled else None
    if awaited_until is not None and facts.now < awaited_until:
        return Wait(Reason.FORECAST, awaited_until)
    if not facts.rain.hold or _gives_up(facts):
        return None
    if facts.waits_for_rain:
        return Wait(Reason.RAIN, numbers=_all_numbers(facts), each_tick=True)
    return End(RunOutcome.SKIPPED_RAIN, facts.rain.reason, _all_numbers(facts))


def _gives_up(facts: Facts) -> bool:
    """Tell whether rain has held it for as many days in a row as the schedule allows."""
    return facts.max_hold_days is not None and facts.held_days >= facts.max_hold_days


def _slot(facts: Facts) -> Wait | None:
    if facts.slots is None or facts.slots.out < facts.slots.maximum:
        return None
    numbers = {"max_concurrent": facts.slots.maximum, "mowers_out": facts.slots.out}
    return Wait(Reason.NO_SLOT, numbers=numbers, each_tick=True)


def _start(facts: Facts) -> Start:
    numbers = _all_numbers(facts)
    held = facts.rain is not None and facts.rain.hold
    if held and facts.rain_override is None:
        numbers |= {"held_days": facts.held_days, "max_hold_days": facts.max_hold_days}
    return Start(numbers, rain_exempt=held)


def _areas(facts: Facts, target: Target) -> Verdict | None:
    if target.area_ids is None or target.enabled_area_ids is None:
        return End(RunOutcome.FAILED, Reason.MAP_UNKNOWN)
    if facts.area_ids is None:
        return None if target.enabled_area_ids else End(RunOutcome.FAILED, Reason.NO_AREA_ENABLED)
    if gone := [area_id for area_id in facts.area_ids if area_id not in target.area_ids]:
        return End(RunOutcome.FAILED, Reason.AREAS_GONE, {"area_ids": gone})
    return None


def _all_numbers(facts: Facts) -> dict[str, Any]:
    if facts.rain is None:
        return facts.numbers
    rain = facts.rain
    override = facts.rain_override
    return {
        **facts.numbers,
        **({} if override is None else {"rain_override": _as_numbers(override)}),
        **rain.numbers,
        "rain_reason": rain.reason,
        "wet": rain.wet,
        "wet_until": rain.wet_until,
        "pause_until": rain.pause_until,
    }


def _as_numbers(word: Override) -> dict[str, Any]:
    return {"until": word.until, "set_by": word.set_by, "set_at": word.set_at}
