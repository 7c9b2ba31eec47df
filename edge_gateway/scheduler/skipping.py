"""Leaving one occurrence out, and taking that back."""

from collections.abc import Callable
from datetime import date, datetime

import msgspec

from edge_gateway.contracts.errors import ConflictError, InvalidError
from edge_gateway.contracts.schedules import RunOutcome, Schedule, SkipDateRequest, SkipRequest
from edge_gateway.scheduler import recording, rights, runs
from edge_gateway.scheduler.claiming import claim
from edge_gateway.scheduler.reading import read, with_last_run
from edge_gateway.scheduler.records import ScheduleRecord
from edge_gateway.scheduler.recurrence import Occurrence
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository import schedules
from edge_gateway.scheduler.repository.transactions import Connection, firing, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.verdicts import End, Reason


class Skipping:
    """Adds and removes skipped dates. Asking twice for the same occurrence is asking once."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._rights = rights.Rights(surroundings.fleet)

    async def skip(self, request: SkipRequest) -> Schedule:
        """Answer `scheduler.schedules.skip_next`: the occurrence that is named, else the next one."""
        return await self._change(request, lambda record: _named(record, request.occurrence), add=True)

    async def unskip(self, request: SkipRequest) -> Schedule:
        """Answer `scheduler.schedules.unskip_next`."""
        return await self._change(request, lambda record: _named(record, request.occurrence), add=False)

    async def skip_date(self, request: SkipDateRequest) -> Schedule:
        """Answer `scheduler.skips.put`: the occurrence of a local date to come."""
        return await self._change(request, lambda record: _of_day(record, request.day), add=True)

    async def unskip_date(self, request: SkipDateRequest) -> Schedule:
        """Answer `scheduler.skips.delete`."""
        return await self._change(request, lambda record: _of_day(record, request.day), add=False)

    async def _change(
        self,
        request: SkipRequest | SkipDateRequest,
        named: Callable[[ScheduleRecord], Occurrence],
        *,
        add: bool,
    ) -> Schedule:
        before = await read(self._surroundings, request.account_id, request.schedule_id)
        await self._rights.require_of_stored(request.on_behalf_of, before, rights.EDIT)
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            record = await schedules.lock(lent, before.id)
            if record is None:
                raise rights.not_found()
            occurrence = named(record)
            if await self._is_ended_pending(lent, record, occurrence, add=add):
                after = record
            elif occurrence.at <= now and record.next_run_at != occurrence.at:
                field = "occurrence" if isinstance(request, SkipRequest) else "day"
                raise InvalidError("invalid", "This occurrence is past.", field=field)
            else:
                days = record.skips | {occurrence.day} if add else record.skips - {occurrence.day}
                after = msgspec.structs.replace(record, skips=days)
                # One that is due and not yet claimed is recorded as skipped at once.
                after = await claim(lent, after, now)
            await schedules.update(lent, after)
            await recording.tell_schedule(lent, after, now)
        self._surroundings.wake()
        return await with_last_run(self._surroundings, after)

    async def _is_ended_pending(
        self, lent: Connection, record: ScheduleRecord, occurrence: Occurrence, *, add: bool
    ) -> bool:
        """End the firings of an occurrence that has become due and were not asked for; 409 once they were.

        A firing that was left out is final, as its readers were told: taking the skip back then would start nothing.
        It is the same for one mower and for all of a group.
        """
        found = await run_rows.at_occurrence(lent, record.id, occurrence.at)
        if not found:
            return False
        if not add:
            raise ConflictError(
                "firing",
                "This occurrence has become due; what was left out of it stays left out.",
                field="occurrence",
                remedy="Run the schedule now, if it is to mow all the same.",
            )
        now = self._surroundings.now()
        locked = await run_rows.lock_pending(lent, record.id)
        pending = [run for run in locked if not run.run_now and run.occurrence_at == occurrence.at]
        if any(run.asked_at is not None for run in pending):
            raise firing()
        if any(run.outcome not in {None, RunOutcome.SKIPPED_MANUAL} for run in found):
            raise ConflictError("firing", "This occurrence has begun to fire.", field="occurrence")
        for run in pending:
            await recording.save_run(
                lent, run, runs.ended(run, End(RunOutcome.SKIPPED_MANUAL, Reason.SKIPPED), now), now
            )
        return True


def _of_day(record: ScheduleRecord, day: date) -> Occurrence:
    if not record.draft.enabled:
        raise ConflictError("no_next_run", "The schedule is disabled: nothing of it runs.")
    occurrence = record.plan.on(day)
    if occurrence is None:
        raise InvalidError("invalid", "The schedule is not due on this date.", field="day")
    return occurrence


def _named(record: ScheduleRecord, given: datetime | None) -> Occurrence:
    if given is None:
        if record.next_run is None:
            raise ConflictError("no_next_run", "The schedule has no next run that could be skipped.")
        return record.next_run
    if given.tzinfo is None:
        raise InvalidError("invalid", "An occurrence is an instant with its zone.", field="occurrence")
    if not record.draft.enabled:
        raise ConflictError("no_next_run", "The schedule is disabled: nothing of it runs.")
    occurrence = record.plan.at(given)
    if occurrence is None:
        raise InvalidError("invalid", "The schedule is not due at this time.", field="occurrence")
    return occurrence
