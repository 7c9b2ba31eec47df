"""`/mowers/{id}/links`: in which order a mower's links are used, and Bluetooth lent to the vendor's app."""

from typing import Annotated

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.contracts import routes
from edge_gateway.contracts.bridges import LinksReply, LinksRequest, PutLinksRequest, ReleaseLinkRequest
from edge_gateway.contracts.errors import ForbiddenError, NotFoundError
from edge_gateway.contracts.mower import LinkKind

type Minutes = Annotated[float, msgspec.Meta(gt=0, le=240)]
type Order = Annotated[tuple[LinkKind, ...], msgspec.Meta(min_length=1, max_length=3)]


class LinksBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In which order a mower's links are used; one that is left out is never used."""

    order: Order


class ReleaseBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For how long Bluetooth is left to the vendor's app."""

    minutes: Minutes = 10.0


class Links:
    """The handlers of a mower's links."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        links, released = "/mowers/{mower_id}/links", "/mowers/{mower_id}/bluetooth-release"
        return (
            Endpoint(
                method="GET",
                path=links,
                summary="In which order a mower's links are used",
                handler=self._get,
                query=NoQuery,
                body=NoBody,
                answer=LinksReply,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PUT",
                path=links,
                summary="Use a mower's links in another order",
                handler=self._put,
                query=NoQuery,
                body=LinksBody,
                answer=LinksReply,
                raises=(NotFoundError, ForbiddenError),
            ),
            Endpoint(
                method="PUT",
                path=released,
                summary="Leave Bluetooth to the vendor's app for some minutes",
                handler=self._release,
                query=NoQuery,
                body=ReleaseBody,
                body_optional=True,
                answer=LinksReply,
                raises=(NotFoundError, ForbiddenError),
            ),
            Endpoint(
                method="DELETE",
                path=released,
                summary="Take Bluetooth back",
                handler=self._take_back,
                query=NoQuery,
                body=NoBody,
                answer=LinksReply,
                raises=(NotFoundError, ForbiddenError),
            ),
        )

    async def _get(self, call: Call[NoQuery, NoBody]) -> LinksReply:
        question = LinksRequest(**call.asking, mower_id=call.ids["mower_id"])
        return await self._services.ask(routes.LINKS_GET, question)

    async def _put(self, call: Call[NoQuery, LinksBody]) -> LinksReply:
        question = PutLinksRequest(**call.asking, mower_id=call.ids["mower_id"], order=call.body.order)
        return await self._services.ask(routes.LINKS_PUT, question)

    async def _release(self, call: Call[NoQuery, ReleaseBody]) -> LinksReply:
        question = ReleaseLinkRequest(**call.asking, mower_id=call.ids["mower_id"], minutes=call.body.minutes)
        return await self._services.ask(routes.LINKS_RELEASE, question)

    async def _take_back(self, call: Call[NoQuery, NoBody]) -> LinksReply:
        question = ReleaseLinkRequest(**call.asking, mower_id=call.ids["mower_id"], minutes=0)
        return await self._services.ask(routes.LINKS_RELEASE, question)
