"""Asking which mowers a group's firing is for: its one pending row becomes one per mower."""

import msgspec
import structlog

from edge_gateway.contracts.errors import MowDeckError, NotFoundError
from edge_gateway.contracts.fleet import TargetMower
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler.keys import occurrence_key
from edge_gateway.scheduler.ordering import Ordering
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository import schedules
from edge_gateway.scheduler.repository.transactions import Connection, connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.verdicts import End, Reason, Wait, window_closed

_log = structlog.get_logger(__name__)


class Expanding:
    """Expands pending rows of groups. A crash leaves the one row or all of the others."""

    def __init__(self, surroundings: Surroundings, ordering: Ordering) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._ordering = ordering

    async def expand(self, run: RunRecord) -> None:
        """Write the rows of a group's mowers; a group that is gone ends the row, a silent Fleet keeps it waiting."""
        async with connection(self._surroundings.pool) as lent:
            schedule = await schedules.get(lent, run.account_id, run.schedule_id)
        if schedule is None:
            # Its deletion has ended the row.
            return
        mowers = await self._mowers(schedule)
        async with transaction(self._surroundings.pool) as lent:
            current_schedule = await schedules.lock(lent, run.schedule_id)
            current = await run_rows.lock(lent, run.id)
            if current_schedule is None or current is None or current.outcome is not None:
                return
            if current_schedule.changed_at != schedule.changed_at:
                again = msgspec.structs.replace(current, look_again_at=self._surroundings.now())
                await run_rows.update(lent, again)
                return
            await self._write(lent, current_schedule, current, mowers)

    async def _mowers(self, schedule: ScheduleRecord) -> tuple[TargetMower, ...] | Reason:
        try:
            return (await self._surroundings.fleet.resolve(schedule.account_id, schedule.draft.target)).mowers
        except NotFoundError:
            return Reason.TARGET_GONE
        except MowDeckError as error:
            _log.warning("group cannot be resolved", schedule=schedule.id, code=error.code)
            return Reason.FLEET_SILENT

    async def _write(
        self, lent: Connection, schedule: ScheduleRecord, run: RunRecord, mowers: tuple[TargetMower, ...] | Reason
    ) -> None:
        now = self._surroundings.now()
        if not isinstance(mowers, Reason):
            for mower in mowers:
                await run_rows.insert(lent, _of_mower(run, mower.mower_id))
            await run_rows.delete(lent, run.id)
        elif mowers is Reason.TARGET_GONE:
            await self._ordering.end(lent, schedule, run, End(RunOutcome.FAILED, Reason.TARGET_GONE))
        elif now >= run.window_ends_at:
            await self._ordering.end(lent, schedule, run, window_closed(mowers))
        else:
            await self._ordering.wait(lent, run, Wait(mowers))


def _of_mower(run: RunRecord, mower_id: str) -> RunRecord:
    return msgspec.structs.replace(
        run,
        id=new_id(),
        mower_id=mower_id,
        order_key=occurrence_key(run.schedule_id, run.occurrence_at, mower_id),
        waiting_for=None,
        refusals=0,
        look_again_at=run.created_at,
    )
