"""`/export/…`: all that is stored of a mower, as a file of CSV or JSON, made page by page while it is sent."""

import csv
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Literal

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import Identifier, Moment
from edge_gateway.api.endpoints import AnyEndpoint, Call, Download, Endpoint, NoBody
from edge_gateway.api.history import span_of_moments
from edge_gateway.api.totals import DaysQuery, span_of_days
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.routes import Route
from edge_gateway.contracts.telemetry import (
    DaysRequest,
    DayTotals,
    HistoryReply,
    HistoryRequest,
    HistoryRow,
    JobRecord,
    JobsRequest,
    PositionRow,
    PositionsReply,
)

_CONTENT_TYPES = {"csv": "text/csv", "json": "application/json"}
_ROWS = 5000
_JOBS = 500
_DEFAULT_SPAN = timedelta(days=30)

type Format = Literal["csv", "json"]
type Rows = AsyncIterator[Sequence[msgspec.Struct]]
"""Page after page; the first one is always there, perhaps empty."""


class ExportQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which mower, which stretch of time: [since, until)."""

    mower_id: Identifier
    since: Annotated[Moment, msgspec.Meta(description="Left out: 30 days before `until`.")] | None = None
    until: Annotated[Moment, msgspec.Meta(description="Left out: now.")] | None = None
    format: Format = "csv"


class DaysExportQuery(DaysQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which mower, which days."""

    mower_id: Identifier
    format: Format = "csv"


class JobsExportQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which mower."""

    mower_id: Identifier
    format: Format = "csv"


class Export:
    """The handlers of exports."""

    def __init__(self, services: Services, clock: Clock) -> None:
        """Ask `services`; `clock` tells what now is."""
        self._services = services
        self._clock = clock

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        return (
            _endpoint("history", "What a mower reported, as a file", self._history, ExportQuery),
            _endpoint("positions", "Where a mower was, as a file", self._positions, ExportQuery),
            _endpoint("days", "What a mower did on each day, as a file", self._days, DaysExportQuery),
            _endpoint("jobs", "The jobs of a mower, as a file", self._jobs, JobsExportQuery),
        )

    async def _history(self, call: Call[ExportQuery, NoBody]) -> Download:
        return _download("history", call.query, HistoryRow, self._span(routes.HISTORY_LIST, call))

    async def _positions(self, call: Call[ExportQuery, NoBody]) -> Download:
        return _download("positions", call.query, PositionRow, self._span(routes.POSITIONS_LIST, call))

    async def _days(self, call: Call[DaysExportQuery, NoBody]) -> Download:
        return _download("days", call.query, DayTotals, self._all_days(call))

    async def _jobs(self, call: Call[JobsExportQuery, NoBody]) -> Download:
        return _download("jobs", call.query, JobRecord, self._all_jobs(call))

    async def _span[A: (HistoryReply, PositionsReply)](
        self, route: Route[HistoryRequest, A], call: Call[ExportQuery, NoBody]
    ) -> Rows:
        query = call.query
        since, until = span_of_moments(query.since, query.until, self._clock, default=_DEFAULT_SPAN)
        question = HistoryRequest(**call.asking, mower_id=query.mower_id, since=since, until=until, limit=_ROWS)
        while True:
            reply = await self._services.ask(route, question)
            yield reply.items
            if reply.next is None:
                return
            question = msgspec.structs.replace(question, after=reply.next)

    async def _all_days(self, call: Call[DaysExportQuery, NoBody]) -> Rows:
        since, until = span_of_days(call.query.since, call.query.until, self._clock)
        question = DaysRequest(**call.asking, mower_id=call.query.mower_id, since=since, until=until)
        yield (await self._services.ask(routes.DAYS_LIST, question)).items

    async def _all_jobs(self, call: Call[JobsExportQuery, NoBody]) -> Rows:
        question = JobsRequest(**call.asking, mower_id=call.query.mower_id, limit=_JOBS)
        while True:
            reply = await self._services.ask(routes.JOBS_LIST, question)
            yield reply.items
            if reply.next is None:
                return
            question = msgspec.structs.replace(question, before=reply.next)


def _endpoint[Q: msgspec.Struct](
    what: str, summary: str, handler: Callable[[Call[Q, NoBody]], Awaitable[Download]], query: type[Q]
) -> AnyEndpoint:
    return Endpoint(
        method="GET",
        path=f"/export/{what}",
        summary=summary,
        handler=handler,
        query=query,
        body=NoBody,
        answer=None,
        downloads=tuple(_CONTENT_TYPES.values()),
        raises=(NotFoundError,),
    )


def _download(
    what: str, query: ExportQuery | DaysExportQuery | JobsExportQuery, kind: type[msgspec.Struct], rows: Rows
) -> Download:
    return Download(
        content_type=_CONTENT_TYPES[query.format],
        file_name=f"{query.mower_id}-{what}.{query.format}",
        chunks=_csv(kind, rows) if query.format == "csv" else _json(rows),
    )


async def _csv(kind: type[msgspec.Struct], rows: Rows) -> AsyncIterator[bytes]:
    names = kind.__struct_fields__
    header = [names]
    async for page in rows:
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerows(header)
        writer.writerows([_cell(getattr(row, name)) for name in names] for row in page)
        header = []
        yield text.getvalue().encode()


async def _json(rows: Rows) -> AsyncIterator[bytes]:
    begun = False
    async for page in rows:
        # Only the last page may be empty, so a comma always has rows on both sides.
        comma = b"," if begun and page else b""
        yield (b"" if begun else b'{"items":[') + comma + b",".join(map(msgspec.json.encode, page))
        begun = True
    yield b"]}"


def _cell(value: object) -> str:
    """Return what stands in a table for a value: nothing for what is not known."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value)
