"""The second transaction of a firing: a pending row is decided, and what is to start is ordered once.

Facts are gathered before any lock. Deciding to start commits `asked_at` under the mower's lock **before** Fleet is
asked, outside any lock; then the outcome is written. A row that is picked up with `asked_at` was perhaps started: it is
first resolved by its key.
"""

import asyncio
from dataclasses import dataclass

import msgspec
import structlog

from edge_gateway.contracts.commands import Command
from edge_gateway.contracts.errors import ConflictError, MowDeckError, NotFoundError
from edge_gateway.contracts.schedules import RunOutcome, ScheduleDraft
from edge_gateway.scheduler import metrics, recording, runs
from edge_gateway.scheduler.consequences import after
from edge_gateway.scheduler.facts import Gathered, brought_up_to_date, facts_of, gather
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord
from edge_gateway.scheduler.refusals import Refusal, refusal_of
from edge_gateway.scheduler.repository import mower_rows, schedules
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository.transactions import Connection, connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.verdicts import End, Reason, Start, Wait, decide

_log = structlog.get_logger(__name__)

_AT_ONCE = 4
"""Rows that are decided at the same time: a silent Fleet must not make the last one wait for all the others."""


@dataclass(frozen=True, slots=True)
class _Order:
    """A start that is committed and now to be given."""

    run: RunRecord
    mower_id: str
    draft: ScheduleDraft


class Deciding:
    """Decides pending rows."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings

    async def decide_all(self) -> None:
        """Decide until no row is to be looked at now."""
        async with asyncio.TaskGroup() as group:
            for _ in range(_AT_ONCE):
                group.create_task(self._decide_until_done())

    async def _decide_until_done(self) -> None:
        while (run := await self._pick_up()) is not None:
            try:
                await self.decide(run)
            except ConflictError:
                # Somebody writes the schedule or the mower at this moment; the row is looked at again in a minute.
                _log.info("firing put off", run=run.id, reason="locked")
            except Exception:  # noqa: BLE001  # one firing that fails must not keep the others from theirs
                metrics.FAILED_TICKS.labels("decide").inc()
                _log.exception("firing put off", run=run.id)

    async def decide(self, run: RunRecord) -> None:
        """Decide a pending run that was picked up; order it if it starts."""
        if run.asked_at is not None:
            resolved = await self._resolve(run)
            if resolved is None:
                return
            run = resolved
        gathered = await gather(self._surroundings, run)
        if gathered is None:
            await self._end_without_schedule(run)
            return
        order = await self._decide(run, gathered)
        if order is not None:
            await self._give(order)

    async def _pick_up(self) -> RunRecord | None:
        now = self._surroundings.now()
        async with connection(self._surroundings.pool) as lent:
            return await run_rows.pick_up(lent, now, now + runs.PICKED_UP_FOR)

    async def _resolve(self, run: RunRecord) -> RunRecord | None:
        """Find out whether a row's order was taken; return the row if it was not, to be decided anew."""
        try:
            command = await self._surroundings.fleet.order_of(run)
        except NotFoundError:
            return await self._change_asked(run, None)
        except MowDeckError as error:
            _log.warning("order cannot be resolved", run=run.id, code=error.code)
            await self._change_asked(run, Reason.OUTCOME_UNKNOWN)
            return None
        await self._settle(run, command)
        return None

    async def _change_asked(self, run: RunRecord, unknown: Reason | None) -> RunRecord | None:
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            current = await _same_ask(lent, run)
            if current is None:
                return None
            if unknown is None:
                changed = runs.not_asked(current)
            elif now >= current.window_ends_at:
                changed = runs.outcome_unknown(current, now)
            else:
                changed = runs.unresolved(current, now)
            await recording.save_run(lent, current, changed, now)
        return changed

    async def _decide(self, run: RunRecord, gathered: Gathered) -> _Order | None:
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            schedule = await schedules.lock(lent, run.schedule_id)
            mower = await mower_rows.lock(lent, gathered.mower_id, run.account_id)
            current = await run_rows.lock(lent, run.id)
            if schedule is None or current is None or current.outcome is not None or current.asked_at is not None:
                return None
            if schedule.changed_at != gathered.schedule.changed_at:
                # What was asked for holds no longer: it is asked for again, at once.
                await run_rows.update(lent, msgspec.structs.replace(current, look_again_at=now))
                return None
            current = brought_up_to_date(current, schedule)
            other_run_id = await run_rows.busy_with(lent, gathered.mower_id, but=run.id)
            verdict = decide(facts_of(current, schedule, gathered, mower, other_run_id, now))
            match verdict:
                case End():
                    await self._end(lent, schedule, current, verdict)
                case Wait(reason=reason):
                    await self._wait(lent, current, reason)
                case Start(numbers=numbers):
                    asked = runs.asking(current, numbers, now)
                    await recording.save_run(lent, current, asked, now)
                    return _Order(asked, gathered.mower_id, schedule.draft)
        return None

    async def _end_without_schedule(self, run: RunRecord) -> None:
        """End a run-now whose schedule was deleted while it was asked for."""
        async with transaction(self._surroundings.pool) as lent:
            current = await _same_ask(lent, run)
            if current is not None:
                await self._end(lent, None, current, End(RunOutcome.SKIPPED_MANUAL, Reason.DELETED))

    async def _wait(self, lent: Connection, run: RunRecord, reason: str) -> None:
        """Keep a firing pending; a person who asked for a run now gets the answer now."""
        now = self._surroundings.now()
        changed = (
            runs.ended(run, End(RunOutcome.FAILED, reason), now) if run.run_now else runs.waiting(run, reason, now)
        )
        await recording.save_run(lent, run, changed, now)

    async def _end(self, lent: Connection, schedule: ScheduleRecord | None, run: RunRecord, end: End) -> None:
        now = self._surroundings.now()
        await recording.save_run(lent, run, runs.ended(run, end, now), now)
        await self._save_consequences(lent, schedule, run, end)

    async def _save_consequences(
        self, lent: Connection, schedule: ScheduleRecord | None, run: RunRecord, end: End
    ) -> None:
        if schedule is not None:
            changed = after(schedule, run, end, self._surroundings.settings.max_permission_skips)
            await recording.save_consequences(lent, schedule, changed, self._surroundings.now())

    async def _give(self, order: _Order) -> None:
        """Ask Fleet, outside any lock, and write what became of it."""
        run = order.run
        try:
            command = await self._surroundings.fleet.start(run, order.mower_id, order.draft)
        except MowDeckError as error:
            await self._refused(run, refusal_of(error))
        else:
            await self._settle(run, command)

    async def _settle(self, run: RunRecord, command: Command) -> None:
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            schedule = await schedules.lock(lent, run.schedule_id)
            current = await _same_ask(lent, run)
            if current is None:
                return
            await recording.save_run(lent, current, runs.started(current, command.id, now), now)
            await self._save_consequences(lent, schedule, run, End(RunOutcome.STARTED, ""))

    async def _refused(self, run: RunRecord, refusal: Refusal) -> None:
        now = self._surroundings.now()
        _log.info("order refused", run=run.id, refusal=refusal)
        async with transaction(self._surroundings.pool) as lent:
            schedule = await schedules.lock(lent, run.schedule_id)
            current = await _same_ask(lent, run)
            if current is None:
                return
            match refusal:
                case End():
                    await self._end(lent, schedule, current, refusal)
                case Wait(reason=reason):
                    await self._wait(lent, current, reason)
                case None:
                    await recording.save_run(lent, current, runs.unresolved(current, now), now)


async def _same_ask(lent: Connection, run: RunRecord) -> RunRecord | None:
    """Lock a run that still stands where it was asked for; null when somebody else has taken it on."""
    current = await run_rows.lock(lent, run.id)
    if current is None or current.outcome is not None or current.attempt != run.attempt:
        return None
    return current if current.asked_at == run.asked_at else None
