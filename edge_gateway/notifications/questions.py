"""What Notifications answers: what is wrong now, and the geofences that the owner draws."""

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.errors import ForbiddenError, InvalidError, NotFoundError
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.notifications import (
    Corner,
    FindingsReply,
    FindingsRequest,
    GeofenceReply,
    GeofenceRequest,
    PutGeofenceRequest,
)
from edge_gateway.contracts.principals import PermissionCheckRequest, Relation
from edge_gateway.database.pools import Pool
from edge_gateway.notifications import repository
from edge_gateway.notifications.geofence import Drawn
from edge_gateway.notifications.judging import findings

_LEAST_CORNERS = 3
_MOST_CORNERS = 1000
_MOST_MARGIN_METRES = 1000.0
_LARGEST_LATITUDE = 90
_LARGEST_LONGITUDE = 180


class Questions:
    """The handlers of the service's routes."""

    def __init__(self, bus: EventBus, pool: Pool) -> None:
        """Ask the Fleet for rights, read from `pool`."""
        self._bus = bus
        self._pool = pool

    async def list_findings(self, question: FindingsRequest) -> FindingsReply:
        """Answer what is wrong with the mowers that the principal may see."""
        async with self._pool.acquire() as connection:
            watches = await repository.read_watches(connection, question.account_id)
        found = [finding for watch in watches for finding in findings(watch)]
        # Asked also when nothing is wrong: a principal that nobody knows must hear so.
        mower_ids = tuple({finding.mower_id: None for finding in found})
        allowed = await self._allowed(question, Relation.CAN_VIEW, mower_ids)
        seen = [finding for finding in found if allowed.get(finding.mower_id, False)]
        return FindingsReply(items=tuple(sorted(seen, key=lambda finding: (finding.began_at, finding.id))))

    async def get_geofence(self, question: GeofenceRequest) -> GeofenceReply:
        """Answer what the owner drew for a mower or a site."""
        kind, thing_id = await self._thing(question, Relation.CAN_VIEW)
        async with self._pool.acquire() as connection:
            drawn = await repository.read_geofence(connection, question.account_id, kind, thing_id)
        if drawn is None:
            return GeofenceReply()
        return GeofenceReply(boundary=drawn.boundary, margin_metres=drawn.margin_metres)

    async def put_geofence(self, question: PutGeofenceRequest) -> GeofenceReply:
        """Keep what the owner draws for a mower or a site."""
        drawn = Drawn(boundary=_checked(question.boundary), margin_metres=question.margin_metres)
        if not 0 <= question.margin_metres <= _MOST_MARGIN_METRES:
            sentence = f"margin_metres must lie between 0 and {_MOST_MARGIN_METRES:g}."
            raise InvalidError("out_of_range", sentence, field="margin_metres")
        kind, thing_id = await self._thing(question, Relation.CAN_MANAGE_MOWERS)
        async with self._pool.acquire() as connection:
            await repository.put_geofence(connection, question.account_id, kind, thing_id, drawn)
        return GeofenceReply(boundary=drawn.boundary, margin_metres=drawn.margin_metres)

    async def delete_geofence(self, question: GeofenceRequest) -> Nothing:
        """Forget what the owner drew; the next wider one counts again."""
        kind, thing_id = await self._thing(question, Relation.CAN_MANAGE_MOWERS)
        async with self._pool.acquire() as connection:
            await repository.delete_geofence(connection, question.account_id, kind, thing_id)
        return Nothing()

    async def _thing(self, question: GeofenceRequest, relation: Relation) -> tuple[str, str]:
        """Return kind and id of the mower or site that is meant, once the principal's right is checked."""
        if (question.mower_id is None) == (question.site_id is None):
            raise InvalidError("invalid", "A geofence is that of one mower or of one site.", field="mower_id")
        if question.mower_id is not None:
            mower_id = question.mower_id
            seen = await self._allowed(question, Relation.CAN_VIEW, (mower_id,))
            if not seen.get(mower_id, False):
                raise NotFoundError("not_found", "There is no such mower, or you may not see it.", field="mower_id")
            allowed = await self._allowed(question, relation, (mower_id,))
            if not allowed.get(mower_id, False):
                raise ForbiddenError("forbidden", "You may not change this mower's geofence.")
            return "mower", mower_id
        allowed = await self._allowed(question, relation, ())
        if not allowed.get(question.account_id, False):
            raise ForbiddenError("forbidden", "You may not change a site's geofence.")
        asking = Asking(on_behalf_of=question.on_behalf_of, account_id=question.account_id)
        sites = (await self._bus.request(routes.SITES_LIST, asking)).items
        for site in sites:
            if site.id == question.site_id:
                return "site", site.id
        raise NotFoundError("not_found", "There is no such site, or you may not see it.", field="site_id")

    async def _allowed(self, question: Asking, relation: Relation, mower_ids: tuple[str, ...]) -> dict[str, bool]:
        answer = await self._bus.request(
            routes.PERMISSIONS_CHECK,
            PermissionCheckRequest(
                principal=question.on_behalf_of,
                relation=relation,
                account_id=question.account_id,
                mower_ids=mower_ids,
            ),
        )
        return answer.allowed


def _checked(boundary: tuple[Corner, ...]) -> tuple[Corner, ...]:
    """Return the outline, not closed twice; raises `InvalidError`, which names the field."""
    if len(boundary) > 1 and boundary[0] == boundary[-1]:
        boundary = boundary[:-1]
    if not _LEAST_CORNERS <= len(boundary) <= _MOST_CORNERS:
        sentence = f"A geofence has {_LEAST_CORNERS} to {_MOST_CORNERS} corners."
        raise InvalidError("out_of_range", sentence, field="boundary", values={"corners": len(boundary)})
    for number, corner in enumerate(boundary):
        if not -_LARGEST_LATITUDE <= corner.latitude <= _LARGEST_LATITUDE:
            sentence = f"The latitude of corner {number + 1} must lie between -90 and 90."
            raise InvalidError("out_of_range", sentence, field=f"boundary[{number}].latitude")
        if not -_LARGEST_LONGITUDE <= corner.longitude <= _LARGEST_LONGITUDE:
            sentence = f"The longitude of corner {number + 1} must lie between -180 and 180."
            raise InvalidError("out_of_range", sentence, field=f"boundary[{number}].longitude")
    return boundary
