"""`/runs`: what happened at each firing, newest first."""

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import Identifier
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody
from edge_gateway.api.pages import Cursor, Limit, RunPage
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.schedules import ListRunsRequest


class RunQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which runs."""

    schedule_id: Identifier | None = None
    mower_id: Identifier | None = None
    cursor: Cursor | None = None
    limit: Limit = 100


class ScheduleRunQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which runs of one schedule."""

    mower_id: Identifier | None = None
    cursor: Cursor | None = None
    limit: Limit = 100


class Runs:
    """The handlers of runs."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        return (
            Endpoint(
                method="GET",
                path="/runs",
                summary="Runs of all schedules, those of deleted ones too",
                handler=self._list,
                query=RunQuery,
                body=NoBody,
                answer=RunPage,
                renamed={"before": "cursor"},
            ),
            Endpoint(
                method="GET",
                path="/schedules/{schedule_id}/runs",
                summary="Runs of one schedule",
                handler=self._list_of_schedule,
                query=ScheduleRunQuery,
                body=NoBody,
                answer=RunPage,
                renamed={"before": "cursor"},
                raises=(NotFoundError,),
            ),
        )

    async def _list(self, call: Call[RunQuery, NoBody]) -> RunPage:
        query = call.query
        return await self._page(
            ListRunsRequest(
                **call.asking,
                schedule_id=query.schedule_id,
                mower_id=query.mower_id,
                before=query.cursor,
                limit=query.limit,
            )
        )

    async def _list_of_schedule(self, call: Call[ScheduleRunQuery, NoBody]) -> RunPage:
        query = call.query
        return await self._page(
            ListRunsRequest(
                **call.asking,
                schedule_id=call.ids["schedule_id"],
                mower_id=query.mower_id,
                before=query.cursor,
                limit=query.limit,
            )
        )

    async def _page(self, question: ListRunsRequest) -> RunPage:
        reply = await self._services.ask(routes.RUNS_LIST, question)
        return RunPage(items=reply.items, next=reply.next)
