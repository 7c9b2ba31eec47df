"""What is decided about a pending firing for one mower, from facts that were gathered before. Pure.

The order of verdicts (design, Firing): manual skip > target gone > window closed > quiet hours > permission > busy >
rain. Quiet hours come with sites that have them. Last of all, a start needs areas that are there: never a guess.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.schedules import RunOutcome
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


@dataclass(frozen=True, slots=True)
class Start:
    """It starts; the numbers say what was decided by."""

    numbers: dict[str, Any] = field(default_factory=dict)


type Verdict = End | Wait | Start


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What Fleet knows of the mower; areas are null while no map is known."""

    area_ids: tuple[str, ...] | None
    enabled_area_ids: tuple[str, ...] | None
    refusal: str | None = None
    """Why the owner may not order (a code); null when it may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a decision is made from."""

    now: datetime
    start_before: datetime
    """The end of its window; of a run-now some seconds after it was asked for."""
    waiting_for: str | None = None
    """What the row has waited for until now."""
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
    numbers: dict[str, Any] = field(default_factory=dict)
    """What else the record is to say."""


def decide(facts: Facts) -> Verdict:
    """Return the first verdict that applies."""
    if facts.skipped:
        return End(RunOutcome.SKIPPED_MANUAL, Reason.SKIPPED)
    if facts.target is Reason.TARGET_GONE:
        return End(RunOutcome.FAILED, Reason.TARGET_GONE)
    if facts.now >= facts.start_before:
        return window_closed(facts.waiting_for)
    if isinstance(facts.target, Reason):
        return Wait(facts.target)
    if facts.target.refusal is not None:
        return End(RunOutcome.SKIPPED_PERMISSION, facts.target.refusal)
    return _busy(facts) or _rain(facts) or _areas(facts, facts.target) or Start(_all_numbers(facts))


def window_closed(waiting_for: str | None) -> End:
    """Return how a row ends whose window is over: with what it waited for."""
    if waiting_for is None:
        return End(RunOutcome.SKIPPED_WINDOW, Reason.WINDOW_CLOSED)
    return End(RunOutcome.FAILED, waiting_for)


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
    if facts.rain is None or not facts.rain.hold:
        return None
    return End(RunOutcome.SKIPPED_RAIN, facts.rain.reason, _all_numbers(facts))


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
    return {
        **facts.numbers,
        **rain.numbers,
        "rain_reason": rain.reason,
        "wet": rain.wet,
        "wet_until": rain.wet_until,
        "pause_until": rain.pause_until,
    }
