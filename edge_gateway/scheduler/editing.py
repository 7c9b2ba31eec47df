"""Changing and deleting a schedule."""

import msgspec

from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.errors import ConflictError
from edge_gateway.contracts.schedules import (
    RunOutcome,
    Schedule,
    ScheduleDraft,
    ScheduleRequest,
    UpdateScheduleRequest,
)
from edge_gateway.scheduler import edits, recording, rights, runs, schedule_rules
from edge_gateway.scheduler.changes import changed
from edge_gateway.scheduler.claiming import claim
from edge_gateway.scheduler.creating import check_ever_due, resolved
from edge_gateway.scheduler.reading import read, with_last_run
from edge_gateway.scheduler.records import ScheduleRecord
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository import schedules
from edge_gateway.scheduler.repository.transactions import Connection, firing, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.targets import zone_of
from edge_gateway.scheduler.verdicts import End, Reason


class Editing:
    """Changes schedules; an occurrence that is already due is fired or recorded first."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._rights = rights.Rights(surroundings.fleet)

    async def update(self, request: UpdateScheduleRequest) -> Schedule:
        """Answer `scheduler.schedules.update`."""
        principal = request.on_behalf_of
        before = await read(self._surroundings, request.account_id, request.schedule_id)
        await self._rights.require_of_stored(principal, before, rights.EDIT)
        draft = changed(before.draft, request.changes)
        if draft == before.draft and not await self._is_left_to(principal, before):
            return await with_last_run(self._surroundings, before)
        schedule_rules.check(draft)
        time_zone = await self._checked(principal, before, draft)
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            record = await schedules.lock(lent, before.id)
            if record is None:
                raise rights.not_found()
            if record.changed_at != before.changed_at:
                raise ConflictError(
                    "changed_meanwhile", "Somebody else has changed the schedule just now.", remedy="Try again."
                )
            record = await claim(lent, record, now)
            after = edits.edited(record, draft, owner=principal, time_zone=time_zone, now=now)
            await self._end_pending(lent, record, after)
            await schedules.update(lent, after)
            await recording.tell_schedule(lent, after, now)
        self._surroundings.wake()
        return await with_last_run(self._surroundings, after)

    async def delete(self, request: ScheduleRequest) -> Nothing:
        """Answer `scheduler.schedules.delete`; the runs stay."""
        before = await read(self._surroundings, request.account_id, request.schedule_id)
        await self._rights.require_of_stored(request.on_behalf_of, before, rights.EDIT)
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            record = await schedules.lock(lent, before.id)
            if record is None:
                raise rights.not_found()
            await claim(lent, record, now)
            await self._end_pending(lent, record, None)
            await schedules.delete(lent, record.id)
            await recording.tell_schedule(lent, record, now, removed=True)
        return Nothing()

    async def _is_left_to(self, principal: str, record: ScheduleRecord) -> bool:
        """Tell whether a schedule is saved by somebody after its owner went: then it is theirs as it is."""
        if principal == record.owner:
            return False
        return bool(await self._surroundings.fleet.gone(record.account_id, (record.owner,)))

    async def _checked(self, principal: str, before: ScheduleRecord, draft: ScheduleDraft) -> str:
        """Check a change against the target; return the zone that counts then."""
        if draft.target != before.draft.target:
            await self._rights.require(principal, before.account_id, draft.target, rights.EDIT)
        if not draft.enabled and draft == msgspec.structs.replace(before.draft, enabled=False):
            # Disabling needs nothing but the right: not even a mower that is still there.
            return before.effective_time_zone
        target = await resolved(self._surroundings, before.account_id, draft.target)
        if (draft.area_ids, draft.target) != (before.draft.area_ids, before.draft.target):
            schedule_rules.check_on_map(draft.area_ids, target.mowers[0].area_ids)
        time_zone = draft.time_zone or zone_of(target)
        if draft.recurrence != before.draft.recurrence:
            check_ever_due(draft, time_zone, self._surroundings.now())
        return time_zone

    async def _end_pending(self, lent: Connection, before: ScheduleRecord, after: ScheduleRecord | None) -> None:
        """End the pending firings that the change (null: the deletion) is meant for; 409 once one was asked for."""
        now = self._surroundings.now()
        for pending in await run_rows.lock_pending(lent, before.id):
            reason = Reason.DELETED if after is None else edits.reason_to_end(before, after, pending)
            if reason is None:
                continue
            if pending.asked_at is not None:
                raise firing()
            await recording.save_run(
                lent, pending, runs.ended(pending, End(RunOutcome.SKIPPED_MANUAL, reason), now), now
            )
