"""The second transaction of a firing: a pending row is decided, and what is to start is ordered once.

Facts are gathered before any lock. Deciding to start commits `asked_at` under the mower's lock **before** Fleet is
asked, outside any lock; then the outcome is written. A row that is picked up with `asked_at` was perhaps started: it is
first resolved by its key.
"""

import asyncio

import msgspec
import structlog

from edge_gateway.contracts.errors import ConflictError
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import angles, metrics, recording, runs
from edge_gateway.scheduler.expanding import Expanding
from edge_gateway.scheduler.facts import Gathered, Locked, brought_up_to_date, facts_of, gather
from edge_gateway.scheduler.ordering import Order, Ordering, same_ask
from edge_gateway.scheduler.records import RunRecord
from edge_gateway.scheduler.repository import mower_rows, schedules, standing
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository.transactions import Connection, connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.verdicts import End, Reason, Slots, Start, Wait, decide

_log = structlog.get_logger(__name__)

AT_ONCE = 8
"""Rows that are decided at the same time: a silent Fleet must not make the last one wait for all the others."""


class Deciding:
    """Decides pending rows."""

    def __init__(self, surroundings: Surroundings, *, at_once: int = AT_ONCE) -> None:
        """Work with these, on so many rows at the same time."""
        self._surroundings = surroundings
        self._at_once = at_once
        self._ordering = Ordering(surroundings)
        self._expanding = Expanding(surroundings, self._ordering)

    async def decide_all(self) -> None:
        """Decide until no row is to be looked at now."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._at_once):
                group.create_task(self._decide_until_done())

    async def _decide_until_done(self) -> None:
        while (run := await self._pick_up()) is not None:
            try:
                await self.decide(run)
            except ConflictError:
                # Somebody writes the schedule or the mower at this moment.
                await self._put_off(run)
            except Exception:  # noqa: BLE001  # one firing that fails must not keep the others from theirs
                metrics.FAILED_TICKS.labels("decide").inc()
                _log.exception("firing put off", run=run.id)

    async def decide(self, run: RunRecord) -> None:
        """Decide a pending run that was picked up; order it if it starts."""
        if run.mower_id is None:
            await self._expanding.expand(run)
            return
        if run.asked_at is not None:
            resolved = await self._ordering.resolve(run)
            if resolved is None:
                return
            run = resolved
        gathered = await gather(self._surroundings, run)
        if gathered is None:
            await self._end_without_schedule(run)
            return
        order = await self._decide(run, gathered)
        if order is not None:
            await self._ordering.give(order)

    async def _pick_up(self) -> RunRecord | None:
        now = self._surroundings.now()
        async with connection(self._surroundings.pool) as lent:
            return await run_rows.pick_up(lent, now, now + runs.PICKED_UP_FOR)

    async def _put_off(self, run: RunRecord) -> None:
        _log.info("firing put off", run=run.id, reason="locked")
        async with connection(self._surroundings.pool) as lent:
            await run_rows.put_off(lent, run.id, self._surroundings.now() + runs.FIRST_RETRY)

    async def _decide(self, run: RunRecord, gathered: Gathered) -> Order | None:
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            schedule = await schedules.lock(lent, run.schedule_id)
            slots = await self._slots(lent, gathered)
            mower = await mower_rows.lock(lent, gathered.mower_id, run.account_id)
            current = await run_rows.lock(lent, run.id)
            if schedule is None or current is None or current.outcome is not None or current.asked_at is not None:
                return None
            if schedule.changed_at != gathered.schedule.changed_at:
                # What was asked for holds no longer: it is asked for again, at once.
                await run_rows.update(lent, msgspec.structs.replace(current, look_again_at=now))
                return None
            current = brought_up_to_date(current, schedule)
            stands = await standing.of(lent, schedule.id, gathered.mower_id, but=run.id, now=now)
            locked = Locked(mower=mower, slots=slots, **stands._asdict())
            verdict = decide(facts_of(current, schedule, gathered, locked, now))
            match verdict:
                case End():
                    await self._ordering.end(lent, schedule, current, verdict)
                case Wait():
                    await self._ordering.wait(lent, current, verdict)
                case Start():
                    asked = runs.asking(current, verdict, now)
                    await recording.save_run(lent, current, asked, now)
                    pattern = angles.pattern_of(schedule.draft, stands.kept.angle_number)
                    return Order(asked, gathered.mower_id, schedule.draft.area_ids, pattern)
        return None

    async def _slots(self, lent: Connection, gathered: Gathered) -> Slots | None:
        """Count the slots of a group under its lock; null where all its mowers may be out at a time."""
        group = gathered.group
        if group is None or group.max_concurrent is None:
            return None
        await run_rows.lock_slots(lent, group.id)
        return Slots(group.max_concurrent, await run_rows.count_out(lent, group.mower_ids, but=gathered.mower_id))

    async def _end_without_schedule(self, run: RunRecord) -> None:
        """End a run-now whose schedule was deleted while it was asked for."""
        async with transaction(self._surroundings.pool) as lent:
            current = await same_ask(lent, run)
            if current is not None:
                await self._ordering.end(lent, None, current, End(RunOutcome.SKIPPED_MANUAL, Reason.DELETED))
