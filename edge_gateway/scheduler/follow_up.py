"""What is ordered of a mower whose run is under way: home for rain, a window's end or quiet hours, and out again. Pure.

One order per cause, given again only when it failed or expired, and only while the mower is on the run's own job.
Sent home, a mower is parked: it stays until somebody orders otherwise. One whose vendor cannot park it has its job
cancelled in the dock; so has one that left all the same, after it was sent back, once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import msgspec

from edge_gateway.contracts.commands import FINAL_STATUSES, Command, CommandKind, CommandStatus
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import Origin
from edge_gateway.scheduler import runs
from edge_gateway.scheduler.records import FollowUpRecord, MowerRecord, RunRecord

PARKING_PROVIDERS = frozenset({"mammotion", "simulator"})
"""Providers whose mowers stay in the dock after they were sent home, their job open, until they are ordered out."""

MAXIMUM_ATTEMPTS = 10
"""Orders of one cause that Fleet accepted and that failed or expired."""

_TURNS_WITHIN = timedelta(seconds=30)
"""A report of mowing that comes so soon after the return was confirmed may be older than it."""

_FAILED = frozenset({CommandStatus.FAILED, CommandStatus.EXPIRED})
_OUT = frozenset({Activity.MOWING, Activity.PAUSED})
_TAKES_OVER = frozenset({CommandKind.START_MOW, CommandKind.RESUME, CommandKind.RETURN_TO_DOCK, CommandKind.CANCEL_JOB})


class Cause(StrEnum):
    """Why something is ordered."""

    QUIET_HOURS = "quiet_hours"
    WINDOW_END = "window_end"
    RAIN = "rain"
    LEFT = "left"
    """It left the dock although it was to stay."""
    CANCEL = "cancel"
    """So that it does not leave the dock by itself."""
    RESUME = "resume"
    """The rule let go."""


_SENDS_HOME = frozenset({Cause.QUIET_HOURS, Cause.WINDOW_END, Cause.RAIN, Cause.LEFT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is going on around a run."""

    now: datetime
    mower: MowerRecord
    calls: Mapping[Cause, dict[str, Any]]
    """What calls the mower home now, with the numbers for the record; the weightiest first."""
    parks: bool
    """Sent home, it stays in the dock."""
    may_resume: bool
    """The job may go on when nothing calls it home any more."""
    commands: tuple[Command, ...]
    """What was ordered of the mower since it was seen moving, newest first."""


def order_key(order: FollowUpRecord) -> str:
    """Return `<run>:<cause>:<attempt>`."""
    return f"{order.run_id}:{order.cause}:{order.attempt}"


def brought_up_to_date(order: FollowUpRecord, commands: Sequence[Command], now: datetime) -> FollowUpRecord:
    """Return an order as Fleet has it by now; one that failed is not given again at once."""
    if order.status in FINAL_STATUSES:
        return order
    key = order_key(order)
    taken = next((one for one in commands if one.origin is Origin.SCHEDULER and one.key == key), None)
    if taken is None:
        return order
    wait = runs.retry_after(order.attempt) if taken.status in _FAILED else runs.FIRST_RETRY
    return msgspec.structs.replace(
        order, command_id=taken.id, status=taken.status, reason=taken.reason, look_again_at=now + wait
    )


def users_command(run: RunRecord, commands: Sequence[Command]) -> Command | None:
    """Return the newest order by which a person took the mower over; None when there is none."""
    return next(
        (
            command
            for command in commands
            if command.origin is not Origin.SCHEDULER
            and command.id != run.command_id
            and command.body.kind in _TAKES_OVER
            and command.status not in _FAILED
        ),
        None,
    )


def next_order(run: RunRecord, scene: Scene, orders: Sequence[FollowUpRecord]) -> FollowUpRecord | None:
    """Return the order that is to be given now, a new one or one that is not known to be taken; None for none.

    `orders`: what was ordered for this run until now, oldest first.
    """
    if run.confirmed_at is None or not _is_on(run, scene.mower):
        return None
    wanted = _wanted(run, scene, _since_resumed(orders))
    if wanted is None:
        return None
    cause, kind = wanted
    before = [order for order in orders if order.cause == cause]
    last = before[-1] if before and before[-1] in _since_resumed(orders) else None
    if last is None:
        return _new(run, scene, cause, kind, before)
    if last.status is None:
        return last if last.command_id is None and scene.now >= last.look_again_at else None
    if last.status in _FAILED and scene.now >= last.look_again_at and last.attempt < MAXIMUM_ATTEMPTS:
        return _new(run, scene, cause, kind, before)
    return None


def sent(run: RunRecord, order: FollowUpRecord, scene: Scene) -> RunRecord:
    """Return the run as it is once an order is about to be given; the record says why the mower goes home."""
    cause = Cause(order.cause)
    if cause is Cause.LEFT:
        left = {"left_by_itself_at": scene.mower.observed_at}
        changed = msgspec.structs.replace(run, parked_at=None, numbers={**run.numbers, **left})
    elif cause in _SENDS_HOME and run.sent_home_for != cause:
        changed = _called_home(run, cause, scene)
    elif cause is Cause.CANCEL and run.sent_home_for is None:
        # It was in its dock by itself, charging.
        changed = _called_home(run, Cause.QUIET_HOURS, scene)
    else:
        return run
    return msgspec.structs.replace(changed, revision=run.revision + 1)


def _called_home(run: RunRecord, cause: Cause, scene: Scene) -> RunRecord:
    told = {"sent_home": {"cause": cause, "at": scene.now, **scene.calls.get(cause, {})}}
    return msgspec.structs.replace(run, sent_home_for=cause, parked_at=None, numbers={**run.numbers, **told})


def seen(run: RunRecord, mower: MowerRecord, orders: Sequence[FollowUpRecord]) -> RunRecord:
    """Return the run as its mower shows it: parked in its dock after it was sent home, or out again for good."""
    home = [order for order in orders if order.cause in _SENDS_HOME]
    if run.sent_home_for is None or not home or mower.observed_at is None:
        return run
    if orders[-1].cause == Cause.RESUME and orders[-1].status is CommandStatus.CONFIRMED:
        resumed = {"resumed_at": orders[-1].asked_at}
        return msgspec.structs.replace(
            run, sent_home_for=None, parked_at=None, numbers={**run.numbers, **resumed}, revision=run.revision + 1
        )
    if mower.activity is Activity.DOCKED and mower.observed_at > home[-1].asked_at:
        return run if run.parked_at is not None else msgspec.structs.replace(run, parked_at=mower.observed_at)
    return msgspec.structs.replace(run, parked_at=None) if run.parked_at is not None and mower.busy else run


def _is_on(run: RunRecord, mower: MowerRecord) -> bool:
    """Tell whether the mower is on the run's own job; one that tells of no job is, as far as is known."""
    return mower.job_id is None or mower.job_command_id == run.command_id


def _since_resumed(orders: Sequence[FollowUpRecord]) -> Sequence[FollowUpRecord]:
    """Return the orders since the job went on last: what calls it home after that does so anew."""
    for place in range(len(orders) - 1, -1, -1):
        if orders[place].cause == Cause.RESUME and orders[place].status is CommandStatus.CONFIRMED:
            return orders[place + 1 :]
    return orders


def _wanted(run: RunRecord, scene: Scene, orders: Sequence[FollowUpRecord]) -> tuple[Cause, CommandKind] | None:
    home = [order for order in orders if order.cause in _SENDS_HOME]
    person = users_command(run, scene.commands)
    taken_over = person is not None and bool(home) and person.issued_at > home[-1].asked_at
    if scene.mower.activity is Activity.DOCKED:
        return None if taken_over else _wanted_in_the_dock(scene, orders, was_sent=bool(home))
    for cause in scene.calls:
        if not _is_out(cause, scene.mower):
            continue
        given = [order for order in home if order.cause == cause]
        if not given:
            return cause, CommandKind.RETURN_TO_DOCK
        if taken_over:
            return None
        if given[-1].status is not CommandStatus.CONFIRMED:
            return cause, CommandKind.RETURN_TO_DOCK
        left = _has_left(orders) or _is_leaving(run, scene, given[-1])
        return (Cause.LEFT, CommandKind.RETURN_TO_DOCK) if left else None
    return None


def _is_leaving(run: RunRecord, scene: Scene, order: FollowUpRecord) -> bool:
    """Tell whether a mower mows that had gone home: it was in its dock, or on its way for a while."""
    mower = scene.mower
    if mower.activity is not Activity.MOWING or mower.observed_at is None:
        return False
    went = next((command.changed_at for command in scene.commands if command.id == order.command_id), None)
    return run.parked_at is not None or (went is not None and mower.observed_at >= went + _TURNS_WITHIN)


def _has_left(orders: Sequence[FollowUpRecord]) -> bool:
    return any(order.cause == Cause.LEFT for order in orders)


def _wanted_in_the_dock(
    scene: Scene, orders: Sequence[FollowUpRecord], *, was_sent: bool
) -> tuple[Cause, CommandKind] | None:
    if not scene.mower.job_resumable:
        return None
    if not was_sent:
        # It charges, and leaves by itself when that is done. Rain turns it back then; quiet hours must not see it out
        # at all, and only the end of its job is sure.
        return (Cause.CANCEL, CommandKind.CANCEL_JOB) if Cause.QUIET_HOURS in scene.calls else None
    if not scene.parks or _has_left(orders):
        return Cause.CANCEL, CommandKind.CANCEL_JOB
    if scene.may_resume and not scene.calls:
        return Cause.RESUME, CommandKind.START_MOW
    return None


def _is_out(cause: Cause, mower: MowerRecord) -> bool:
    """Tell whether the mower is to be sent home: out of the rain only from mowing, else from a pause too."""
    return mower.activity is Activity.MOWING or (cause is not Cause.RAIN and mower.activity in _OUT)


def _new(
    run: RunRecord, scene: Scene, cause: Cause, kind: CommandKind, before: Sequence[FollowUpRecord]
) -> FollowUpRecord:
    return FollowUpRecord(
        run_id=run.id,
        cause=cause,
        attempt=1 + max((order.attempt for order in before), default=0),
        kind=kind,
        issued_by=run.owner,
        asked_at=scene.now,
        look_again_at=scene.now + runs.FIRST_RETRY,
    )
