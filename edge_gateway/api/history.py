"""`/mowers/{id}/history` and `/positions`: what a mower reported, oldest first."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import Moment
from edge_gateway.api.decoding import as_utc
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody
from edge_gateway.api.pages import HistoryPage, PositionPage
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import InvalidError, NotFoundError
from edge_gateway.contracts.telemetry import HistoryRequest

DEFAULT_SPAN = timedelta(hours=24)
"""What is answered when no beginning is named."""


class HistoryQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which stretch of time: [since, until)."""

    since: Annotated[Moment, msgspec.Meta(description="Null is 24 hours before `until`.")] | None = None
    until: Annotated[Moment, msgspec.Meta(description="Null is now.")] | None = None
    cursor: Annotated[Moment, msgspec.Meta(description="The `next` of the page before.")] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=5000)] = 1000


class History:
    """The handlers of history and positions."""

    def __init__(self, services: Services, clock: Clock) -> None:
        """Ask `services`; `clock` tells what now is."""
        self._services = services
        self._clock = clock

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        return (
            Endpoint(
                method="GET",
                path="/mowers/{mower_id}/history",
                summary="What a mower reported, but for its positions",
                handler=self._history,
                query=HistoryQuery,
                body=NoBody,
                answer=HistoryPage,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="GET",
                path="/mowers/{mower_id}/positions",
                summary="Where a mower was",
                handler=self._positions,
                query=HistoryQuery,
                body=NoBody,
                answer=PositionPage,
                raises=(NotFoundError,),
            ),
        )

    async def _history(self, call: Call[HistoryQuery, NoBody]) -> HistoryPage:
        reply = await self._services.ask(routes.HISTORY_LIST, self._question(call))
        return HistoryPage(items=reply.items, next=_cursor(reply.next))

    async def _positions(self, call: Call[HistoryQuery, NoBody]) -> PositionPage:
        reply = await self._services.ask(routes.POSITIONS_LIST, self._question(call))
        return PositionPage(items=reply.items, next=_cursor(reply.next))

    def _question(self, call: Call[HistoryQuery, NoBody]) -> HistoryRequest:
        query = call.query
        since, until = span_of_moments(query.since, query.until, self._clock, default=DEFAULT_SPAN)
        return HistoryRequest(
            **call.asking,
            mower_id=call.ids["mower_id"],
            since=since,
            until=until,
            after=None if query.cursor is None else as_utc(query.cursor, "cursor"),
            limit=query.limit,
        )


def span_of_moments(
    since: datetime | None, until: datetime | None, clock: Clock, *, default: timedelta
) -> tuple[datetime, datetime]:
    """Return the stretch of time that is asked for, in UTC: left out, it ends now and is `default` long.

    Raises `InvalidError` naming what is out of range, and for one that ends before it begins.
    """
    end = clock.now() if until is None else as_utc(until, "until")
    begin = end - default if since is None else as_utc(since, "since")
    if begin >= end:
        raise InvalidError("invalid", "since must lie before until.", field="since")
    return begin, end


def _cursor(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
