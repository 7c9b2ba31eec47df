"""From reports to events: a watch and a report give the next watch and what is to be told. Pure.

A report is judged once: what is not newer than the last judged one of its kind changes nothing, so a redelivered or
late one tells nothing again. States, reach, orders and blades each move conditions of their own: how reports of
different kinds interleave makes no difference, as long as an order comes before the hold of what follows it is over.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

import msgspec

from edge_gateway.contracts import subjects
from edge_gateway.contracts.identifiers import state_event_id
from edge_gateway.contracts.mower import MowerAvailability, MowerState
from edge_gateway.contracts.notifications import MowerFinding, Notification, NotificationCode, Phase
from edge_gateway.notifications import rules
from edge_gateway.notifications.geofence import Geofence
from edge_gateway.notifications.hysteresis import Condition, Sight, Turn, due_at, see, settle
from edge_gateway.notifications.rules import Thresholds
from edge_gateway.notifications.watch import BladeReport, Order, Stood, Watch

GATEWAY_STOPPED = "gateway_stopped"
"""Nobody looks: whether the mower could be reached is not known."""
_FUTURE = timedelta(seconds=60)
"""A report that far ahead of the clock comes from a clock that was wrong (design, Write rules)."""

type Conditions = Mapping[str, Condition]
type Judged = tuple[Watch, tuple[Notification, ...]]


def event_id(notification: Notification) -> str:
    """Return the id of an event: derived from what was seen, so that it is the same whenever it is told."""
    return f"{subjects.NOTIFICATION}:{notification.phase}:{notification.finding_id}"


def judge_state(
    watch: Watch, state: MowerState, *, geofence: Geofence | None, thresholds: Thresholds, now: datetime
) -> Judged:
    """Judge one report of a mower."""
    latest = now + _FUTURE
    if state.backfill or state.account_id != watch.account_id or state.observed_at > latest:
        return watch, ()
    if watch.observed_at is not None and watch.observed_at > latest:
        watch = _back_from_the_future(watch, state.observed_at)
    if watch.observed_at is not None and state.observed_at <= watch.observed_at:
        return watch, ()
    spot = rules.follow_spot(state, watch.spot)
    sights: dict[str, Sight] = rules.errors(state, watch) | {
        NotificationCode.STUCK: rules.stuck(state, spot, thresholds),
        NotificationCode.BATTERY_LOW: rules.low_battery(state, thresholds),
        NotificationCode.LEFT_GEOFENCE: rules.left_geofence(state, watch, geofence),
        NotificationCode.RESUMED_BY_ITSELF: rules.resumed_by_itself(state, watch),
    }
    conditions, told = _see_all(watch, sights, state.observed_at, thresholds)
    drove = state.activity in rules.DRIVING and state.position is not None
    stands = state.activity in rules.STANDING
    stood = Stood(observed_at=state.observed_at, job_id=None if state.job is None else state.job.id)
    changed = msgspec.structs.replace(
        watch,
        observed_at=state.observed_at,
        conditions=conditions,
        spot=spot,
        driven_to=state.position if drove else watch.driven_to,
        stood=stood if stands else watch.stood,
    )
    return _with_defied(changed, told), told


def judge_availability(
    watch: Watch, availability: MowerAvailability, *, thresholds: Thresholds, now: datetime
) -> Judged:
    """Judge whether a mower is reached."""
    at, before = availability.changed_at, watch.availability_at
    if availability.account_id != watch.account_id or at > now + _FUTURE:
        return watch, ()
    if before is not None and at <= before <= now + _FUTURE:
        return watch, ()
    seen = None if availability.reason == GATEWAY_STOPPED else not availability.available
    sight = Sight(seen=seen, values={"reason": availability.reason})
    conditions, told = _see_all(watch, {NotificationCode.OFFLINE: sight}, at, thresholds)
    return msgspec.structs.replace(watch, availability_at=at, conditions=conditions), told


def judge_order(watch: Watch, order: Order, *, thresholds: Thresholds) -> Judged:
    """Take the newest order that went out: whatever the mower does next, it was told to."""
    at = order.issued_at
    if order.account_id != watch.account_id or (watch.order is not None and at <= watch.order.issued_at):
        return watch, ()
    key = NotificationCode.RESUMED_BY_ITSELF
    condition, turns = settle(watch.conditions.get(key, Condition()), at, thresholds.holds_of(key))
    if condition.is_open and condition.began_at is not None:
        ended_at = max(at, condition.began_at)
        turns += (Turn(began=False, at=ended_at, began_at=condition.began_at, values=condition.values),)
    # What was about to begin may be this order's doing: reports can overtake an order's outcome.
    conditions = _kept(watch.conditions, {key: Condition()})
    told = tuple(_told(watch, key, turn) for turn in turns)
    return _with_defied(msgspec.structs.replace(watch, order=order, conditions=conditions), told), told


def judge_blade(watch: Watch, report: BladeReport, *, thresholds: Thresholds) -> Judged:
    """Take what Telemetry says of the blade."""
    if report.account_id != watch.account_id or (watch.blade_at is not None and report.at <= watch.blade_at):
        return watch, ()
    sight = Sight(seen=report.worn, values=report.values)
    conditions, told = _see_all(watch, {NotificationCode.BLADE_WORN: sight}, report.at, thresholds)
    return msgspec.structs.replace(watch, blade_at=report.at, conditions=conditions), told


def settle_all(watch: Watch, until: datetime, *, thresholds: Thresholds) -> Judged:
    """Turn every condition whose time has come, where no report came to do it."""
    changed: dict[str, Condition] = {}
    told: list[Notification] = []
    for key, condition in sorted(watch.conditions.items()):
        changed[key], turns = settle(condition, until, thresholds.holds_of(key))
        told += [_told(watch, key, turn) for turn in turns]
    if not told:
        return watch, ()
    settled = msgspec.structs.replace(watch, conditions=_kept(watch.conditions, changed))
    return _with_defied(settled, told), tuple(told)


def next_due_at(watch: Watch, thresholds: Thresholds) -> datetime | None:
    """Return when the next condition turns by itself."""
    dues = (due_at(condition, thresholds.holds_of(key)) for key, condition in watch.conditions.items())
    return min((due for due in dues if due is not None), default=None)


def findings(watch: Watch) -> Iterable[MowerFinding]:
    """Return what is wrong with the mower now."""
    for key, condition in sorted(watch.conditions.items()):
        if not condition.is_open or condition.began_at is None:
            continue
        code = rules.code_of(key)
        yield MowerFinding(
            id=_finding_id(watch, key, condition.began_at),
            account_id=watch.account_id,
            mower_id=watch.mower_id,
            code=code,
            severity=rules.SEVERITIES[code],
            began_at=condition.began_at,
            values=condition.values,
        )


def _see_all(
    watch: Watch, sights: Mapping[str, Sight], at: datetime, thresholds: Thresholds
) -> tuple[dict[str, Condition], tuple[Notification, ...]]:
    changed: dict[str, Condition] = {}
    told: list[Notification] = []
    for key, sight in sorted(sights.items()):
        condition = watch.conditions.get(key, Condition())
        changed[key], turns = see(condition, sight, at, thresholds.holds_of(key))
        told += [_told(watch, key, turn) for turn in turns]
    return _kept(watch.conditions, changed), tuple(told)


def _kept(before: Conditions, changed: Conditions) -> dict[str, Condition]:
    merged = {**before, **changed}
    return {str(key): condition for key, condition in sorted(merged.items()) if not condition.is_idle}


def _with_defied(watch: Watch, told: Iterable[Notification]) -> Watch:
    for notification in told:
        if notification.code is NotificationCode.RESUMED_BY_ITSELF and notification.phase is Phase.BEGAN:
            watch = msgspec.structs.replace(watch, defied=notification.values["command_id"])
    return watch


def _told(watch: Watch, key: str, turn: Turn) -> Notification:
    code = rules.code_of(key)
    return Notification(
        finding_id=_finding_id(watch, key, turn.began_at),
        account_id=watch.account_id,
        mower_id=watch.mower_id,
        code=code,
        severity=rules.SEVERITIES[code],
        phase=Phase.BEGAN if turn.began else Phase.ENDED,
        at=turn.at,
        began_at=turn.began_at,
        values=turn.values,
    )


def _finding_id(watch: Watch, key: str, began_at: datetime) -> str:
    return f"{key}:{state_event_id(watch.mower_id, began_at)}"


def _back_from_the_future(watch: Watch, at: datetime) -> Watch:
    """Return the watch of a clock that was set back: what was seen in the future was seen just before now."""
    conditions = {
        key: condition
        if condition.turning_since is None or condition.turning_since <= at
        else msgspec.structs.replace(condition, turning_since=at)
        for key, condition in watch.conditions.items()
    }
    return msgspec.structs.replace(watch, observed_at=None, conditions=conditions, spot=None, stood=None)
