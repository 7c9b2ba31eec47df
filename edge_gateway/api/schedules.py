"""`/schedules`: plans, skipping the next occurrence, running one now."""

import re
from datetime import date
from typing import Annotated

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import Identifier, OccurrenceBody, RunNowBody, ScheduleBody, SchedulePatch
from edge_gateway.api.decoding import as_utc
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.pages import Cursor, Limit, RunPage, SchedulePage
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ConflictError, InvalidError, NotFoundError
from edge_gateway.contracts.schedules import (
    CreateScheduleRequest,
    ListSchedulesRequest,
    RunNowRequest,
    Schedule,
    ScheduleRequest,
    SkipDateRequest,
    SkipRequest,
    UpdateScheduleRequest,
)

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class ScheduleQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which schedules."""

    mower_id: Annotated[Identifier, msgspec.Meta(description="Only those that mow with this mower.")] | None = None
    cursor: Cursor | None = None
    limit: Limit = 100


class Schedules:
    """The handlers of `/schedules`."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        one = "/schedules/{schedule_id}"
        return (
            Endpoint(
                method="GET",
                path="/schedules",
                summary="Schedules",
                handler=self._list,
                query=ScheduleQuery,
                body=NoBody,
                answer=SchedulePage,
                renamed={"after": "cursor"},
            ),
            Endpoint(
                method="POST",
                path="/schedules",
                summary="Make a schedule; a known key answers with the stored one",
                handler=self._create,
                query=NoQuery,
                body=ScheduleBody,
                answer=Schedule,
                status=201,
                orders=True,
                raises=(NotFoundError, ConflictError),
            ),
            Endpoint(
                method="GET",
                path=one,
                summary="One schedule",
                handler=self._get,
                query=NoQuery,
                body=NoBody,
                answer=Schedule,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PATCH",
                path=one,
                summary="Change a schedule; whoever changes it becomes its owner",
                handler=self._update,
                query=NoQuery,
                body=SchedulePatch,
                answer=Schedule,
                raises=(NotFoundError, ConflictError),
            ),
            Endpoint(
                method="DELETE",
                path=one,
                summary="Delete a schedule; its runs stay",
                handler=self._delete,
                query=NoQuery,
                body=NoBody,
                answer=None,
                status=204,
                raises=(NotFoundError, ConflictError),
            ),
            Endpoint(
                method="POST",
                path=f"{one}/run-now",
                summary="Run a schedule now, whatever the rain rule says; answers one run per mower",
                handler=self._run_now,
                query=NoQuery,
                body=RunNowBody,
                body_optional=True,
                answer=RunPage,
                status=202,
                orders=True,
                raises=(NotFoundError, ConflictError),
            ),
            Endpoint(
                method="POST",
                path=f"{one}/skip-next",
                summary="Skip the next occurrence, or the one that is named",
                handler=self._skip_next,
                query=NoQuery,
                body=OccurrenceBody,
                body_optional=True,
                answer=Schedule,
                raises=(NotFoundError, ConflictError),
            ),
            Endpoint(
                method="DELETE",
                path=f"{one}/skip-next",
                summary="Take the skip of the next occurrence back, or of the one that is named",
                handler=self._unskip_next,
                query=NoQuery,
                body=OccurrenceBody,
                body_optional=True,
                answer=Schedule,
                raises=(NotFoundError, ConflictError),
            ),
            Endpoint(
                method="PUT",
                path=f"{one}/skips/{{date}}",
                summary="Skip the occurrence of a local date to come",
                handler=self._skip_date,
                query=NoQuery,
                body=NoBody,
                answer=Schedule,
                renamed={"day": "date"},
                raises=(NotFoundError, ConflictError),
            ),
            Endpoint(
                method="DELETE",
                path=f"{one}/skips/{{date}}",
                summary="Take the skip of a local date back",
                handler=self._unskip_date,
                query=NoQuery,
                body=NoBody,
                answer=Schedule,
                renamed={"day": "date"},
                raises=(NotFoundError, ConflictError),
            ),
        )

    async def _skip_date(self, call: Call[NoQuery, NoBody]) -> Schedule:
        return await self._services.ask(routes.SKIPS_PUT, _date_request(call))

    async def _unskip_date(self, call: Call[NoQuery, NoBody]) -> Schedule:
        return await self._services.ask(routes.SKIPS_DELETE, _date_request(call))

    async def _list(self, call: Call[ScheduleQuery, NoBody]) -> SchedulePage:
        query = call.query
        question = ListSchedulesRequest(**call.asking, mower_id=query.mower_id, after=query.cursor, limit=query.limit)
        reply = await self._services.ask(routes.SCHEDULES_LIST, question)
        return SchedulePage(items=reply.items, next=reply.next)

    async def _create(self, call: Call[NoQuery, ScheduleBody]) -> Schedule:
        question = CreateScheduleRequest(**call.asking, draft=call.body, key=call.key)
        return await self._services.ask(routes.SCHEDULES_CREATE, question)

    async def _get(self, call: Call[NoQuery, NoBody]) -> Schedule:
        question = ScheduleRequest(**call.asking, schedule_id=call.ids["schedule_id"])
        return await self._services.ask(routes.SCHEDULES_GET, question)

    async def _update(self, call: Call[NoQuery, SchedulePatch]) -> Schedule:
        question = UpdateScheduleRequest(
            **call.asking, schedule_id=call.ids["schedule_id"], changes=msgspec.to_builtins(call.body)
        )
        return await self._services.ask(routes.SCHEDULES_UPDATE, question)

    async def _delete(self, call: Call[NoQuery, NoBody]) -> None:
        question = ScheduleRequest(**call.asking, schedule_id=call.ids["schedule_id"])
        await self._services.ask(routes.SCHEDULES_DELETE, question)

    async def _run_now(self, call: Call[NoQuery, RunNowBody]) -> RunPage:
        question = RunNowRequest(
            **call.asking,
            schedule_id=call.ids["schedule_id"],
            key=call.key,
            origin=call.caller.origin,
            override_quiet_hours=call.body.override_quiet_hours,
        )
        return RunPage(items=(await self._services.ask(routes.SCHEDULES_RUN_NOW, question)).runs)

    async def _skip_next(self, call: Call[NoQuery, OccurrenceBody]) -> Schedule:
        return await self._services.ask(routes.SCHEDULES_SKIP_NEXT, _skip_request(call))

    async def _unskip_next(self, call: Call[NoQuery, OccurrenceBody]) -> Schedule:
        return await self._services.ask(routes.SCHEDULES_UNSKIP_NEXT, _skip_request(call))


def _date_request(call: Call[NoQuery, NoBody]) -> SkipDateRequest:
    given = call.ids["date"]
    try:
        day = date.fromisoformat(given) if _DATE.fullmatch(given) else None
    except ValueError:
        day = None
    if day is None:
        raise InvalidError("invalid", "date must be a date YYYY-MM-DD.", field="date", values={"given": given})
    return SkipDateRequest(**call.asking, schedule_id=call.ids["schedule_id"], day=day)


def _skip_request(call: Call[NoQuery, OccurrenceBody]) -> SkipRequest:
    occurrence = call.body.occurrence
    return SkipRequest(
        **call.asking,
        schedule_id=call.ids["schedule_id"],
        occurrence=None if occurrence is None else as_utc(occurrence, "occurrence"),
    )
