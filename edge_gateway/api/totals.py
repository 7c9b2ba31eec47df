"""`/mowers/{id}/health`, `/days`, `/areas/mowed`: what a mower did, in its life and by day; new blades."""

from datetime import date, timedelta
from typing import Annotated

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.pages import DayPage, MowedAreaPage
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import MowerRequest
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.telemetry import DaysRequest, MowerHealth

DEFAULT_DAYS = 30
"""How many days are answered when no beginning is named."""

type Day = Annotated[date, msgspec.Meta(description="A date of the mower's site.")]


class DaysQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which days: [since, until]."""

    since: Annotated[Day, msgspec.Meta(description="Left out: 30 days before `until`.")] | None = None
    until: Annotated[Day, msgspec.Meta(description="Left out: today.")] | None = None


class Totals:
    """The handlers of totals."""

    def __init__(self, services: Services, clock: Clock) -> None:
        """Ask `services`; `clock` tells what today is."""
        self._services = services
        self._clock = clock

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        one = "/mowers/{mower_id}"
        return (
            Endpoint(
                method="GET",
                path=f"{one}/health",
                summary="What a mower did in its life, and how long its blades have been in use",
                handler=self._health,
                query=NoQuery,
                body=NoBody,
                answer=MowerHealth,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="POST",
                path=f"{one}/blades/reset",
                summary="The blades were changed: their time begins anew",
                handler=self._reset_blades,
                query=NoQuery,
                body=NoBody,
                answer=MowerHealth,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="GET",
                path=f"{one}/days",
                summary="What a mower did on each day",
                handler=self._days,
                query=DaysQuery,
                body=NoBody,
                answer=DayPage,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="GET",
                path=f"{one}/areas/mowed",
                summary="How long each area was mowed",
                handler=self._areas,
                query=DaysQuery,
                body=NoBody,
                answer=MowedAreaPage,
                raises=(NotFoundError,),
            ),
        )

    async def _health(self, call: Call[NoQuery, NoBody]) -> MowerHealth:
        return await self._services.ask(routes.HEALTH_READ, _mower(call))

    async def _reset_blades(self, call: Call[NoQuery, NoBody]) -> MowerHealth:
        return await self._services.ask(routes.BLADES_RESET, _mower(call))

    async def _days(self, call: Call[DaysQuery, NoBody]) -> DayPage:
        return DayPage(items=(await self._services.ask(routes.DAYS_LIST, self._question(call))).items)

    async def _areas(self, call: Call[DaysQuery, NoBody]) -> MowedAreaPage:
        return MowedAreaPage(items=(await self._services.ask(routes.MOWED_AREAS_LIST, self._question(call))).items)

    def _question(self, call: Call[DaysQuery, NoBody]) -> DaysRequest:
        since, until = span_of_days(call.query.since, call.query.until, self._clock)
        return DaysRequest(**call.asking, mower_id=call.ids["mower_id"], since=since, until=until)


def span_of_days(since: date | None, until: date | None, clock: Clock) -> tuple[date, date]:
    """Return the days that are asked for; today is the latest date anywhere, so that none is missed."""
    if until is None:
        until = max((clock.now() + timedelta(hours=14)).date(), since or date.min)
    if since is None:
        since = date.fromordinal(max(1, until.toordinal() - DEFAULT_DAYS))
    return since, until


def _mower(call: Call[NoQuery, NoBody]) -> MowerRequest:
    return MowerRequest(**call.asking, mower_id=call.ids["mower_id"])
