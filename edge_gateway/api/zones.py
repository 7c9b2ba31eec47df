"""`/mowers/{id}/zones`: the owner's own zones, for a mower whose vendor draws no map."""

from typing import Annotated

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import Identifier, Name
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.pages import ZonePage
from edge_gateway.contracts import routes
from edge_gateway.contracts.device import MowerRequest
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.telemetry import PutZonesRequest, Zone

type Corner = tuple[Annotated[float, msgspec.Meta(ge=-90, le=90)], Annotated[float, msgspec.Meta(ge=-180, le=180)]]


class ZoneDraft(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A zone: corners in degrees of latitude and longitude."""

    id: Identifier
    name: Name
    boundary: Annotated[tuple[Corner, ...], msgspec.Meta(min_length=3, max_length=500)]


class ZonesBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All zones of a mower."""

    zones: Annotated[tuple[ZoneDraft, ...], msgspec.Meta(max_length=50)]


class Zones:
    """The handlers of zones."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        path = "/mowers/{mower_id}/zones"
        return (
            Endpoint(
                method="GET",
                path=path,
                summary="The zones that the owner drew",
                handler=self._list,
                query=NoQuery,
                body=NoBody,
                answer=ZonePage,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PUT",
                path=path,
                summary="Replace the zones of a mower",
                handler=self._put,
                query=NoQuery,
                body=ZonesBody,
                answer=ZonePage,
                raises=(NotFoundError,),
            ),
        )

    async def _list(self, call: Call[NoQuery, NoBody]) -> ZonePage:
        question = MowerRequest(**call.asking, mower_id=call.ids["mower_id"])
        return ZonePage(items=(await self._services.ask(routes.ZONES_LIST, question)).items)

    async def _put(self, call: Call[NoQuery, ZonesBody]) -> ZonePage:
        zones = tuple(Zone(id=zone.id, name=zone.name, boundary=zone.boundary) for zone in call.body.zones)
        question = PutZonesRequest(**call.asking, mower_id=call.ids["mower_id"], zones=zones)
        return ZonePage(items=(await self._services.ask(routes.ZONES_PUT, question)).items)
