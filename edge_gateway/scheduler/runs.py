"""How a run goes on: each function takes a run and returns the next one. Pure.

A revision rises with each change that readers are told of. `final`: the outcome cannot change any more. That is so at
once for skips and refusals, for a start when it is confirmed, and for a start that is not confirmed or whose outcome
is unknown when it is confirmed after all or closed.
"""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler.records import RunRecord
from edge_gateway.scheduler.verdicts import End, Reason, Start, Wait

PICKED_UP_FOR = timedelta(seconds=60)
"""A row that was picked up belongs to who did for so long; after a crash anybody takes it then."""

RUN_NOW_FOR = timedelta(seconds=30)
"""A run-now that did not start by then does not start: a mower must not begin behind its caller's back."""

FIRST_RETRY = timedelta(seconds=5)
LONGEST_RETRY = timedelta(seconds=60)
MAXIMUM_ATTEMPTS = 10
"""Orders that Fleet accepted and that ended without moving the mower, per run."""


def retry_after(refusals: int) -> timedelta:
    """Return how long to wait after the nth refusal in a row, from 1: doubled each time, up to a minute."""
    return min(LONGEST_RETRY, FIRST_RETRY * (1 << min(refusals - 1, 10)))


def start_before(run: RunRecord) -> datetime:
    """Return the time from which on a pending run does not start any more."""
    return min(run.window_ends_at, run.occurrence_at + RUN_NOW_FOR) if run.run_now else run.window_ends_at


def ended(run: RunRecord, end: End, now: datetime) -> RunRecord:
    """Return a pending run that ends without a start, for good."""
    return msgspec.structs.replace(
        run,
        outcome=end.outcome,
        reason=end.reason,
        numbers={**run.numbers, **end.numbers},
        revision=run.revision + 1,
        final=True,
        look_again_at=None,
        waiting_for=None,
        followed=False,
        decided_at=now,
    )


def waiting(run: RunRecord, wait: Wait, now: datetime, *, tick: timedelta) -> RunRecord:
    """Return a pending run of which it is known that nothing was started, to be looked at again.

    What is refused is tried less and less often; what time or another mower changes is looked at each tick.
    """
    refusals = run.refusals if wait.each_tick else run.refusals + 1
    look_again_at = now + (tick if wait.each_tick else retry_after(refusals))
    at_the_latest = wait.at_the_latest
    return msgspec.structs.replace(
        run,
        waiting_for=wait.reason,
        numbers={**run.numbers, **wait.numbers},
        refusals=refusals,
        look_again_at=look_again_at if at_the_latest is None else min(look_again_at, at_the_latest),
        asked_at=None,
        followed=False,
    )


def not_asked(run: RunRecord) -> RunRecord:
    """Return a pending run whose order never reached Fleet: it is decided anew."""
    return msgspec.structs.replace(run, asked_at=None, followed=False)


def unresolved(run: RunRecord, now: datetime) -> RunRecord:
    """Return a pending run of which it is not known whether Fleet took its order: it is asked for by its key."""
    refusals = run.refusals + 1
    return msgspec.structs.replace(
        run, waiting_for=Reason.FLEET_SILENT, refusals=refusals, look_again_at=now + retry_after(refusals)
    )


def asking(run: RunRecord, start: Start, now: datetime) -> RunRecord:
    """Return a pending run whose order is about to be given: to be committed before Fleet is asked."""
    return msgspec.structs.replace(
        run,
        numbers={**run.numbers, **start.numbers},
        rain_exempt=start.rain_exempt or run.run_now,
        asked_at=now,
        followed=True,
        look_again_at=now + PICKED_UP_FOR,
    )


def started(run: RunRecord, command_id: str, now: datetime) -> RunRecord:
    """Return a run whose order Fleet accepted; it is still to be seen moving."""
    return msgspec.structs.replace(
        run,
        outcome=RunOutcome.STARTED,
        reason=None,
        revision=run.revision + 1,
        look_again_at=None,
        waiting_for=None,
        command_id=command_id,
        decided_at=now,
    )


def outcome_unknown(run: RunRecord, now: datetime) -> RunRecord:
    """Return a pending run that was asked for and never answered for until its window closed; it is followed."""
    return msgspec.structs.replace(
        run,
        outcome=RunOutcome.FAILED,
        reason=Reason.OUTCOME_UNKNOWN,
        revision=run.revision + 1,
        look_again_at=None,
        waiting_for=None,
        decided_at=now,
    )


def taken_after_all(run: RunRecord, command_id: str) -> RunRecord:
    """Return a run of which it was not known whether its order was taken: Fleet has it, and it is followed as any."""
    return msgspec.structs.replace(
        run,
        outcome=RunOutcome.STARTED,
        reason=None,
        numbers={**run.numbers, "note": run.reason},
        revision=run.revision + 1,
        command_id=command_id,
    )


def not_started(run: RunRecord, reason: str, numbers: dict[str, Any]) -> RunRecord:
    """Return a run whose order was accepted and did not move the mower as far as is known; it is followed."""
    return msgspec.structs.replace(
        run,
        outcome=RunOutcome.FAILED,
        reason=reason,
        numbers={**run.numbers, **numbers},
        revision=run.revision + 1,
    )


def tried_again(run: RunRecord, reason: str, now: datetime) -> RunRecord:
    """Return a run whose accepted order ended before it could move the mower: pending again, with the next attempt."""
    return msgspec.structs.replace(
        waiting(run, Wait(reason), now, tick=LONGEST_RETRY),
        outcome=None,
        reason=None,
        revision=run.revision + 1,
        attempt=run.attempt + 1,
        command_id=None,
        decided_at=None,
    )


def confirmed(run: RunRecord, at: datetime) -> RunRecord:
    """Return a run whose mower was seen moving; what was said against it before stays as a note."""
    note = {} if run.reason is None else {"note": run.reason}
    return msgspec.structs.replace(
        run,
        outcome=RunOutcome.STARTED,
        reason=None,
        numbers={**run.numbers, **note},
        revision=run.revision + 1,
        final=True,
        confirmed_at=at,
    )


def closed(run: RunRecord, end_reason: str, at: datetime) -> RunRecord:
    """Return a run that is over: nothing of it is followed any more."""
    return msgspec.structs.replace(
        run, revision=run.revision + 1, final=True, followed=False, ended_at=at, end_reason=end_reason
    )
