"""Following what was started: seen moving in its time, and over when it is over."""

from datetime import timedelta

import structlog

from edge_gateway.contracts.commands import Command
from edge_gateway.contracts.errors import DeadlineError, MowDeckError, UnavailableError
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import recording
from edge_gateway.scheduler.mower_watch import refresh
from edge_gateway.scheduler.progress import follow
from edge_gateway.scheduler.records import RunRecord
from edge_gateway.scheduler.repository import mower_rows
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository.transactions import connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings

_log = structlog.get_logger(__name__)


class Following:
    """Looks at every run that is followed."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings

    async def follow_all(self) -> None:
        """Write what has become of each; one that another replica holds is left to it."""
        async with connection(self._surroundings.pool) as lent:
            followed = await run_rows.followed(lent)
        for mower_id in sorted({run.mower_id for run in followed if run.mower_id is not None}):
            await refresh(self._surroundings, mower_id)
        fleet_answers = True
        for run in followed:
            command = None
            if fleet_answers and run.confirmed_at is None and run.outcome is RunOutcome.STARTED:
                command, fleet_answers = await self._command(run)
            await self._follow(run, command)

    async def _follow(self, run: RunRecord, command: Command | None) -> None:
        if run.mower_id is None:
            return
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            current = await run_rows.lock_unless_held(lent, run.id)
            if current is None or not current.followed or current.outcome is None or current.attempt != run.attempt:
                return
            changed = follow(
                current,
                await mower_rows.get(lent, run.mower_id, run.account_id),
                command=command,
                superseded_at=await run_rows.superseded_at(lent, current),
                now=now,
                confirm_within=timedelta(seconds=self._surroundings.settings.confirm_seconds),
            )
            if changed is not current:
                await recording.save_run(lent, current, changed, now)

    async def _command(self, run: RunRecord) -> tuple[Command | None, bool]:
        """Return a run's order, and whether Fleet answers: a silent one is asked once a tick, not once a run."""
        try:
            return await self._surroundings.fleet.order_of(run), True
        except (UnavailableError, DeadlineError) as error:
            _log.warning("fleet is silent", run=run.id, code=error.code)
            return None, False
        except MowDeckError as error:
            _log.warning("order not to be had", run=run.id, code=error.code)
            return None, True
