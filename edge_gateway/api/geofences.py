"""`/mowers/{id}/geofence` and `/sites/{id}/geofence`: where mowers belong, as the owner draws it."""

from typing import Annotated

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ForbiddenError, NotFoundError
from edge_gateway.contracts.notifications import Corner, GeofenceReply, GeofenceRequest, PutGeofenceRequest


class CornerBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A corner in degrees (WGS 84)."""

    latitude: Annotated[float, msgspec.Meta(ge=-90, le=90)]
    longitude: Annotated[float, msgspec.Meta(ge=-180, le=180)]


class GeofenceBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A geofence; the outline closes itself."""

    boundary: Annotated[tuple[CornerBody, ...], msgspec.Meta(min_length=3, max_length=1000)]
    margin_metres: Annotated[
        float, msgspec.Meta(ge=0, le=1000, description="How far outside still counts as inside.")
    ] = 0.0


class Geofences:
    """The handlers of geofences."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        return tuple(
            endpoint
            for path, what in (("/mowers/{mower_id}/geofence", "mower"), ("/sites/{site_id}/geofence", "site"))
            for endpoint in self._of(path, what)
        )

    def _of(self, path: str, what: str) -> tuple[AnyEndpoint, ...]:
        return (
            Endpoint(
                method="GET",
                path=path,
                summary=f"The geofence that the owner drew for a {what}",
                handler=self._get,
                query=NoQuery,
                body=NoBody,
                answer=GeofenceReply,
                raises=(NotFoundError, ForbiddenError),
            ),
            Endpoint(
                method="PUT",
                path=path,
                summary=f"Draw the geofence of a {what}",
                handler=self._put,
                query=NoQuery,
                body=GeofenceBody,
                answer=GeofenceReply,
                raises=(NotFoundError, ForbiddenError),
            ),
            Endpoint(
                method="DELETE",
                path=path,
                summary=f"Remove the geofence of a {what}; a wider one or the map counts again",
                handler=self._delete,
                query=NoQuery,
                body=NoBody,
                answer=None,
                status=204,
                raises=(NotFoundError, ForbiddenError),
            ),
        )

    async def _get(self, call: Call[NoQuery, NoBody]) -> GeofenceReply:
        return await self._services.ask(routes.GEOFENCES_GET, _question(call))

    async def _put(self, call: Call[NoQuery, GeofenceBody]) -> GeofenceReply:
        body = call.body
        boundary = tuple(Corner(latitude=corner.latitude, longitude=corner.longitude) for corner in body.boundary)
        question = PutGeofenceRequest(
            **call.asking,
            mower_id=call.ids.get("mower_id"),
            site_id=call.ids.get("site_id"),
            boundary=boundary,
            margin_metres=body.margin_metres,
        )
        return await self._services.ask(routes.GEOFENCES_PUT, question)

    async def _delete(self, call: Call[NoQuery, NoBody]) -> None:
        await self._services.ask(routes.GEOFENCES_DELETE, _question(call))


def _question(call: Call[NoQuery, NoBody]) -> GeofenceRequest:
    return GeofenceRequest(**call.asking, mower_id=call.ids.get("mower_id"), site_id=call.ids.get("site_id"))
