"""Answering for schedules and runs, as far as the principal sees them."""

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.schedules import (
    ListRunsReply,
    ListRunsRequest,
    ListSchedulesReply,
    ListSchedulesRequest,
    NamedSchedule,
    Schedule,
    ScheduleRequest,
    SchedulesOfGroupReply,
    SchedulesOfGroupRequest,
)
from edge_gateway.scheduler import rights
from edge_gateway.scheduler.records import ScheduleRecord
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository import schedules
from edge_gateway.scheduler.repository.transactions import connection
from edge_gateway.scheduler.sentences import answered
from edge_gateway.scheduler.surroundings import Surroundings

MAXIMUM_PAGE = 500


class Reading:
    """Answers lists and single schedules."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._rights = rights.Rights(surroundings.fleet)

    async def get(self, request: ScheduleRequest) -> Schedule:
        """Answer `scheduler.schedules.get`."""
        record = await read(self._surroundings, request.account_id, request.schedule_id)
        if not await self._rights.seen(request.on_behalf_of, request.account_id, [record]):
            raise rights.not_found()
        return await with_last_run(self._surroundings, record)

    async def list_schedules(self, request: ListSchedulesRequest) -> ListSchedulesReply:
        """Answer `scheduler.schedules.list`; of a mower those of its groups too."""
        _check_limit(request.limit)
        group_ids = [] if request.mower_id is None else await self._groups_of(request, request.mower_id)
        async with connection(self._surroundings.pool) as lent:
            found = await schedules.page(
                lent,
                request.account_id,
                mower_id=request.mower_id,
                group_ids=group_ids,
                after=request.after,
                limit=request.limit + 1,
            )
            page = found[: request.limit]
            last = await run_rows.last_decided(lent, [record.id for record in page])
        seen = await self._rights.seen(request.on_behalf_of, request.account_id, page)
        return ListSchedulesReply(
            items=tuple(
                record.shown(None if (run := last.get(record.id)) is None else answered(run)) for record in seen
            ),
            next=page[-1].id if len(found) > len(page) else None,
        )

    async def of_group(self, request: SchedulesOfGroupRequest) -> SchedulesOfGroupReply:
        """Answer `scheduler.schedules.of_group`."""
        async with connection(self._surroundings.pool) as lent:
            found = await schedules.of_group(lent, request.account_id, request.group_id)
        return SchedulesOfGroupReply(items=tuple(NamedSchedule(id=id_, name=name) for id_, name in found))

    async def _groups_of(self, request: ListSchedulesRequest, mower_id: str) -> list[str]:
        groups = await self._surroundings.fleet.groups(request.on_behalf_of, request.account_id)
        return [group.id for group in groups if mower_id in group.mower_ids]

    async def list_runs(self, request: ListRunsRequest) -> ListRunsReply:
        """Answer `scheduler.runs.list`."""
        _check_limit(request.limit)
        async with connection(self._surroundings.pool) as lent:
            found = await run_rows.page(
                lent,
                request.account_id,
                schedule_id=request.schedule_id,
                mower_id=request.mower_id,
                before=_sequence(request.before),
                limit=request.limit + 1,
            )
        page = found[: request.limit]
        seen = await self._rights.seen_runs(request.on_behalf_of, request.account_id, [run for _, run in page])
        return ListRunsReply(
            items=tuple(answered(run) for run in seen),
            next=str(page[-1][0]) if len(found) > len(page) else None,
        )


async def read(surroundings: Surroundings, account_id: str, schedule_id: str) -> ScheduleRecord:
    """Return a schedule; raises `NotFoundError`."""
    async with connection(surroundings.pool) as lent:
        record = await schedules.get(lent, account_id, schedule_id)
    if record is None:
        raise rights.not_found()
    return record


async def with_last_run(surroundings: Surroundings, record: ScheduleRecord) -> Schedule:
    """Return a schedule as it is answered."""
    async with connection(surroundings.pool) as lent:
        last = (await run_rows.last_decided(lent, [record.id])).get(record.id)
    return record.shown(None if last is None else answered(last))


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= MAXIMUM_PAGE:
        raise InvalidError("invalid", f"A page has 1 to {MAXIMUM_PAGE} items.", field="limit")


def _sequence(before: str | None) -> int | None:
    if before is None:
        return None
    if not (before.isascii() and before.isdigit() and len(before) <= len(str(2**62))):
        raise InvalidError("invalid", "This is not the `next` of a page.", field="before")
    return int(before)
