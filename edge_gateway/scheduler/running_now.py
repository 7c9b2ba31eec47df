"""Running a schedule now: for its caller, whatever the rain rule says."""

import asyncio
from datetime import timedelta

import structlog

from edge_gateway.contracts.errors import ConflictError
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.schedules import RunNowReply, RunNowRequest
from edge_gateway.scheduler import rights, runs
from edge_gateway.scheduler.creating import check_key
from edge_gateway.scheduler.deciding import Deciding
from edge_gateway.scheduler.keys import run_now_key
from edge_gateway.scheduler.reading import read
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository.transactions import connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings

_log = structlog.get_logger(__name__)

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
        """Answer `scheduler.schedules.run_now`; a disabled schedule can be run too."""
        check_key(request.key)
        record = await read(self._surroundings, request.account_id, request.schedule_id)
        await self._rights.require_of_stored(request.on_behalf_of, record, rights.RUN)
        run = self._new_run(record, request)
        async with transaction(self._surroundings.pool) as lent:
            new = await run_rows.insert(lent, run)
            stored = await run_rows.by_key(lent, run.order_key)
        if stored is None or stored.owner != request.on_behalf_of:
            raise ConflictError(
                "key_reused", "This key was used by somebody else.", field="key", remedy="Give every run its own key."
            )
        if new:
            await self._decide(stored)
        async with connection(self._surroundings.pool) as lent:
            decided = await run_rows.get(lent, stored.id)
        return RunNowReply(runs=((decided or stored).shown(),))

    async def stop(self) -> None:
        """Leave what is not decided to whoever looks at it next."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _decide(self, run: RunRecord) -> None:
        task = asyncio.create_task(self._deciding.decide(run), name=f"run now {run.id}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        done, _ = await asyncio.wait({task}, timeout=ANSWER_SECONDS)
        for finished in done:
            if (error := finished.exception()) is not None:
                # The row is pending and looked at again within a minute; the caller sees it as pending.
                _log.error("run-now put off", run=run.id, exc_info=error)

    def _new_run(self, record: ScheduleRecord, request: RunNowRequest) -> RunRecord:
        now = self._surroundings.now()
        mower_id = record.draft.target.mower_id or ""
        return RunRecord(
            id=new_id(),
            account_id=record.account_id,
            schedule_id=record.id,
            mower_id=mower_id,
            order_key=run_now_key(record.id, request.key, mower_id),
            occurrence_at=now,
            occurrence_on=None,
            window_ends_at=now + timedelta(minutes=record.draft.duration_minutes),
            run_now=True,
            origin=request.origin,
            owner=request.on_behalf_of,
            # It is decided here and now; after a crash by whoever looks at it then.
            look_again_at=now + runs.PICKED_UP_FOR,
            created_at=now,
        )
