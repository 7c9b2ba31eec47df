"""Giving a start that was decided to Fleet, outside any lock, and writing what became of it."""

from dataclasses import dataclass
from typing import Any

import structlog

from edge_gateway.contracts.commands import Command
from edge_gateway.contracts.errors import MowDeckError, NotFoundError
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import recording, runs
from edge_gateway.scheduler.consequences import after
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord
from edge_gateway.scheduler.refusals import refusal_of
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository import schedule_mowers, schedules
from edge_gateway.scheduler.repository.transactions import Connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.verdicts import End, Wait, window_closed

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Order:
    """A start whose `asked_at` is committed; now it is to be given."""

    run: RunRecord
    mower_id: str
    area_ids: tuple[str, ...] | None
    pattern: dict[str, Any] | None


class Ordering:
    """Asks Fleet once per key, and finds out what became of a question whose answer was lost."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings

    async def give(self, order: Order) -> None:
        """Order the start and write the outcome."""
        try:
            command = await self._surroundings.fleet.start(order.run, order.mower_id, order.area_ids, order.pattern)
        except MowDeckError as error:
            await self._refused(order.run, error)
        else:
            await self._taken(order.run, command)

    async def resolve(self, run: RunRecord) -> RunRecord | None:
        """Find out by its key whether a run's order was taken; return the run if it was not, to be decided anew."""
        try:
            command = await self._surroundings.fleet.order_of(run)
        except NotFoundError:
            return await self._never_taken(run)
        except MowDeckError as error:
            _log.warning("order cannot be resolved", run=run.id, code=error.code)
            await self._still_unknown(run)
            return None
        await self._taken(run, command)
        return None

    async def end(self, lent: Connection, schedule: ScheduleRecord | None, run: RunRecord, end: End) -> None:
        """Write the end of a locked run, and what it means for its locked schedule."""
        now = self._surroundings.now()
        await recording.save_run(lent, run, runs.ended(run, end, now), now)
        await self._save_consequences(lent, schedule, run, end)

    async def wait(self, lent: Connection, run: RunRecord, wait: Wait) -> None:
        """Keep a locked firing pending; a person who asked for a run now gets the answer now."""
        now = self._surroundings.now()
        if run.run_now:
            changed = runs.ended(run, window_closed(wait.reason, wait.numbers), now)
        else:
            changed = runs.waiting(run, wait, now, tick=self._surroundings.tick)
        await recording.save_run(lent, run, changed, now)

    async def _taken(self, run: RunRecord, command: Command) -> None:
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            schedule = await schedules.lock(lent, run.schedule_id)
            current = await same_ask(lent, run)
            if current is not None:
                await recording.save_run(lent, current, runs.started(current, command.id, now), now)
                await self._save_consequences(lent, schedule, current, End(RunOutcome.STARTED, ""))

    async def _refused(self, run: RunRecord, error: MowDeckError) -> None:
        now = self._surroundings.now()
        _log.info("order refused", run=run.id, code=error.code)
        async with transaction(self._surroundings.pool) as lent:
            schedule = await schedules.lock(lent, run.schedule_id)
            current = await same_ask(lent, run)
            if current is None:
                return
            match refusal_of(error):
                case End() as end:
                    await self.end(lent, schedule, current, end)
                case Wait() as wait:
                    await self.wait(lent, current, wait)
                case None:
                    await recording.save_run(lent, current, runs.unresolved(current, now), now)

    async def _never_taken(self, run: RunRecord) -> RunRecord | None:
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            current = await same_ask(lent, run)
            if current is None:
                return None
            changed = runs.not_asked(current)
            await recording.save_run(lent, current, changed, now)
        return changed

    async def _still_unknown(self, run: RunRecord) -> None:
        """Ask again later; what stays unknown until its window closes is recorded so, and followed."""
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            current = await same_ask(lent, run)
            if current is None:
                return
            is_over = now >= current.window_ends_at
            changed = runs.outcome_unknown(current, now) if is_over else runs.unresolved(current, now)
            await recording.save_run(lent, current, changed, now)

    async def _save_consequences(
        self, lent: Connection, schedule: ScheduleRecord | None, run: RunRecord, end: End
    ) -> None:
        if schedule is None:
            return
        if run.mower_id is not None and not run.run_now:
            await schedule_mowers.save_outcome(lent, schedule.id, run.mower_id, end.outcome, run.occurrence_on)
        others = await run_rows.outcomes_of_others(lent, run) if run.group_id is not None else ()
        changed = after(schedule, run, end, self._surroundings.settings.max_permission_skips, others=others)
        await recording.save_consequences(lent, schedule, changed, self._surroundings.now())


async def same_ask(lent: Connection, run: RunRecord) -> RunRecord | None:
    """Lock a run that still stands where it was asked for; null when somebody else has taken it on."""
    current = await run_rows.lock(lent, run.id)
    if current is None or current.outcome is not None or current.attempt != run.attempt:
        return None
    return current if current.asked_at == run.asked_at else None
