"""`/mowers/{id}/jobs`: pieces of mowing from start to finish, and the way that the mower took."""

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.pages import Cursor, JobPage, Limit, PositionPage
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.telemetry import JobsRequest, TrackRequest


class JobQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which jobs."""

    cursor: Cursor | None = None
    limit: Limit = 100


class Jobs:
    """The handlers of jobs."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        return (
            Endpoint(
                method="GET",
                path="/mowers/{mower_id}/jobs",
                summary="The jobs of a mower, each one record across its charging breaks",
                handler=self._list,
                query=JobQuery,
                body=NoBody,
                answer=JobPage,
                renamed={"before": "cursor"},
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="GET",
                path="/mowers/{mower_id}/jobs/{job_id}/track",
                summary="Where the mower was during a job, thinned to what can be drawn",
                handler=self._track,
                query=NoQuery,
                body=NoBody,
                answer=PositionPage,
                raises=(NotFoundError,),
            ),
        )

    async def _list(self, call: Call[JobQuery, NoBody]) -> JobPage:
        question = JobsRequest(
            **call.asking, mower_id=call.ids["mower_id"], before=call.query.cursor, limit=call.query.limit
        )
        reply = await self._services.ask(routes.JOBS_LIST, question)
        return JobPage(items=reply.items, next=reply.next)

    async def _track(self, call: Call[NoQuery, NoBody]) -> PositionPage:
        question = TrackRequest(**call.asking, mower_id=call.ids["mower_id"], job_id=call.ids["job_id"])
        return PositionPage(items=(await self._services.ask(routes.JOBS_TRACK, question)).items)
