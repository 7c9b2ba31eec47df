"""What persons say of one mower: it stays at home until a moment, or mows whatever the rain rule says until one."""

from datetime import datetime

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import Moment
from edge_gateway.api.decoding import as_utc
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.routes import Route
from edge_gateway.contracts.weather import MowerOverrides, PutOverrideRequest


class UntilBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Until when."""

    until: Moment


class Overrides:
    """The handlers of holds and rain overrides."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        hold = "/mowers/{mower_id}/hold"
        rain_override = "/mowers/{mower_id}/rain-override"
        return (
            Endpoint(
                method="PUT",
                path=hold,
                summary="Have no plan start a mower until a moment; running it now still does",
                handler=self._hold,
                query=NoQuery,
                body=UntilBody,
                answer=MowerOverrides,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="DELETE",
                path=hold,
                summary="Let plans start a mower again",
                handler=self._let_go,
                query=NoQuery,
                body=NoBody,
                answer=MowerOverrides,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PUT",
                path=rain_override,
                summary="Let a mower mow whatever the rain rule says until a moment",
                handler=self._override,
                query=NoQuery,
                body=UntilBody,
                answer=MowerOverrides,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="DELETE",
                path=rain_override,
                summary="Have a mower obey the rain rule again",
                handler=self._obey,
                query=NoQuery,
                body=NoBody,
                answer=MowerOverrides,
                raises=(NotFoundError,),
            ),
        )

    async def _hold(self, call: Call[NoQuery, UntilBody]) -> MowerOverrides:
        return await self._put(routes.HOLDS_PUT, call, call.body.until)

    async def _let_go(self, call: Call[NoQuery, NoBody]) -> MowerOverrides:
        return await self._put(routes.HOLDS_PUT, call, None)

    async def _override(self, call: Call[NoQuery, UntilBody]) -> MowerOverrides:
        return await self._put(routes.RAIN_OVERRIDES_PUT, call, call.body.until)

    async def _obey(self, call: Call[NoQuery, NoBody]) -> MowerOverrides:
        return await self._put(routes.RAIN_OVERRIDES_PUT, call, None)

    async def _put[B: msgspec.Struct](
        self, route: Route[PutOverrideRequest, MowerOverrides], call: Call[NoQuery, B], until: datetime | None
    ) -> MowerOverrides:
        question = PutOverrideRequest(
            **call.asking,
            mower_id=call.ids["mower_id"],
            until=None if until is None else as_utc(until, "until"),
        )
        return await self._services.ask(route, question)
