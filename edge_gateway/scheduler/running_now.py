"""Running a schedule now: for its caller, whatever the rain rule says."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import structlog

from edge_gateway.contracts.errors import ConflictError, NotFoundError
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.schedules import RunNowReply, RunNowRequest, RunOutcome
from edge_gateway.scheduler import recording, rights, runs
from edge_gateway.scheduler.creating import check_key
from edge_gateway.scheduler.deciding import Deciding
from edge_gateway.scheduler.keys import run_now_key
from edge_gateway.scheduler.reading import read
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository.transactions import Connection, connection, transaction
from edge_gateway.scheduler.sentences import answered
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.targets import id_of
from edge_gateway.scheduler.verdicts import End, Reason

_log = structlog.get_logger(__name__)

_GONE = End(RunOutcome.FAILED, Reason.TARGET_GONE)

ANSWER_SECONDS = 4.0
"""The answer comes within the caller's own deadline: what is not decided by then is answered as pending."""


class RunningNow:
    """Runs schedules now; a known key answers with the runs that it made."""

    def __init__(self, surroundings: Surroundings, deciding: Deciding) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._deciding = deciding
        self._rights = rights.Rights(surroundings.fleet)
        self._running: set[asyncio.Task[None]] = set()

    async def run_now(self, request: RunNowRequest) -> RunNowReply:
        """Answer `scheduler.schedules.run_now`, one run per mower; a disabled schedule can be run too."""
        check_key(request.key)
        record = await read(self._surroundings, request.account_id, request.schedule_id)
        await self._rights.require_of_stored(request.on_behalf_of, record, rights.RUN)
        mower_ids = await self._mowers(record)
        async with transaction(self._surroundings.pool) as lent:
            known = await run_rows.of_run_now(lent, record.id, request.key)
            new = [] if known else [await self._insert(lent, run) for run in self._new_runs(record, request, mower_ids)]
            stored = known or await run_rows.of_run_now(lent, record.id, request.key)
        if any(run.owner != request.on_behalf_of for run in stored):
            raise ConflictError(
                "key_reused", "This key was used by somebody else.", field="key", remedy="Give every run its own key."
            )
        await self._decide([run for run in stored if run.id in new and run.outcome is None])
        async with connection(self._surroundings.pool) as lent:
            decided = await run_rows.of_run_now(lent, record.id, request.key)
        return RunNowReply(runs=tuple(answered(run) for run in decided))

    async def stop(self) -> None:
        """Leave what is not decided to whoever looks at it next."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _mowers(self, record: ScheduleRecord) -> tuple[str, ...]:
        """Return the ids of the mowers that are meant; none of a group that is gone."""
        target = record.draft.target
        if target.mower_id is not None:
            return (target.mower_id,)
        try:
            reply = await self._surroundings.fleet.resolve(record.account_id, target)
        except NotFoundError:
            return ()
        return tuple(mower.mower_id for mower in reply.mowers)

    async def _insert(self, lent: Connection, run: RunRecord) -> str | None:
        """Store a run; its id, null when its key is known (somebody asked for the same at this moment)."""
        if not await run_rows.insert(lent, run):
            return None
        if run.outcome is not None:
            await recording.tell_run(lent, run, run.created_at)
        return run.id

    async def _decide(self, pending: list[RunRecord]) -> None:
        """Decide each, side by side; what is not decided in time is answered as pending."""
        if not pending:
            return
        tasks = [asyncio.create_task(self._deciding.decide(run), name=f"run now {run.id}") for run in pending]
        for task in tasks:
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        done, _ = await asyncio.wait(tasks, timeout=ANSWER_SECONDS)
        for finished in done:
            if (error := finished.exception()) is not None:
                # The row is pending and looked at again within a minute; the caller sees it as pending.
                _log.error("run-now put off", task=finished.get_name(), exc_info=error)

    def _new_runs(
        self, record: ScheduleRecord, request: RunNowRequest, mower_ids: tuple[str, ...]
    ) -> Iterator[RunRecord]:
        now = self._surroundings.now()
        target = record.draft.target
        for mower_id in mower_ids or (None,):
            run = RunRecord(
                id=new_id(),
                account_id=record.account_id,
                schedule_id=record.id,
                mower_id=mower_id,
                group_id=target.group_id,
                order_key=run_now_key(record.id, request.key, mower_id or id_of(target)),
                occurrence_at=now,
                occurrence_on=None,
                window_ends_at=now + timedelta(minutes=record.draft.duration_minutes),
                run_now=True,
                override_quiet_hours=request.override_quiet_hours,
                origin=request.origin,
                owner=request.on_behalf_of,
                # It is decided here and now; after a crash by whoever looks at it then.
                look_again_at=now + runs.PICKED_UP_FOR,
                created_at=now,
            )
            yield run if mower_id is not None else runs.ended(run, _GONE, now)
