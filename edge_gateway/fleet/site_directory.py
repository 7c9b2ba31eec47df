"""Sites: made, changed and deleted by their owner; the default one stays."""

from collections.abc import Callable

import msgspec

from edge_gateway.bus import outbox
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.errors import ConflictError, NotFoundError
from edge_gateway.contracts.fleet import (
    Asking,
    CreateSiteRequest,
    DeleteSiteRequest,
    ListSitesReply,
    Site,
    SiteRain,
    UpdateSiteRequest,
)
from edge_gateway.contracts.identifiers import DEFAULT_SITE_ID, is_subject_token, new_id
from edge_gateway.contracts.principals import Relation
from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Pool
from edge_gateway.fleet import events
from edge_gateway.fleet.command_desk import SCHEMA
from edge_gateway.fleet.names import check_name
from edge_gateway.fleet.quiet_hours_rules import check_quiet_hours
from edge_gateway.fleet.repository import Connection, mowers, sites
from edge_gateway.fleet.rights import Rights, refused
from edge_gateway.fleet.site_rules import changed_rain, check_coordinates, check_time_zone


class SiteDirectory:
    """Answers for sites."""

    def __init__(self, pool: Pool, clock: Clock, rights: Rights) -> None:
        """Keep them in `pool`; `rights` decides."""
        self._pool = pool
        self._clock = clock
        self._rights = rights

    async def list(self, request: Asking) -> ListSitesReply:
        """Answer `fleet.sites.list`."""
        with explained():
            async with self._pool.acquire() as connection:
                found = await sites.read_all(connection, request.account_id)
                seen = await self._seen(connection, request)
        return ListSitesReply(items=tuple(site for site in found if seen(site.id)))

    async def create(self, request: CreateSiteRequest) -> Site:
        """Answer `fleet.sites.create`."""
        check_coordinates(request.latitude, request.longitude)
        site = Site(
            id=new_id(),
            account_id=request.account_id,
            name=check_name(request.name),
            time_zone=check_time_zone(request.time_zone),
            time_zone_chosen=True,
            latitude=request.latitude,
            longitude=request.longitude,
            rain=changed_rain(SiteRain(), request.rain),
            weather_source=request.weather_source,
            quiet_hours=check_quiet_hours(request.quiet_hours),
        )
        with explained():
            async with self._pool.acquire() as connection, connection.transaction():
                await self._rights.require(
                    connection, request.on_behalf_of, Relation.CAN_MANAGE_MOWERS, request.account_id
                )
                await self._put(connection, site)
        return site

    async def update(self, request: UpdateSiteRequest) -> Site:
        """Answer `fleet.sites.update`."""
        with explained():
            async with self._pool.acquire() as connection, connection.transaction():
                await self._require_manage(connection, request)
                known = await _find(connection, request.account_id, request.site_id)
                changed = _updated(known, request)
                if changed != known:
                    await self._put(connection, changed)
                return changed

    async def delete(self, request: DeleteSiteRequest) -> Nothing:
        """Answer `fleet.sites.delete`."""
        with explained():
            async with self._pool.acquire() as connection, connection.transaction():
                await self._require_manage(connection, request)
                site = await _find(connection, request.account_id, request.site_id)
                if site.id == DEFAULT_SITE_ID:
                    raise ConflictError("default_site", "The default site stays.", field="site_id")
                count = await sites.count_mowers(connection, site.account_id, site.id)
                if count:
                    raise ConflictError(
                        "site_has_mowers",
                        f"{count} of the mowers belong to this site.",
                        field="site_id",
                        values={"mowers": count},
                        remedy="Move them to another site first.",
                    )
                await sites.delete(connection, site.account_id, site.id)
                gone = events.site_changed(site.account_id, site.id, self._clock.now(), removed=True)
                await outbox.put(connection, SCHEMA, subjects.SITE_CHANGED, gone)
        return Nothing()

    async def _seen(self, connection: Connection, request: Asking) -> Callable[[str], bool]:
        """Return what tells whether a site is seen: by itself, or since one of its mowers is."""
        principal, account_id, view = request.on_behalf_of, request.account_id, Relation.CAN_VIEW
        held = await self._rights.held(connection, principal, account_id)
        if held.on_account(view):
            return lambda _site_id: True
        found = await mowers.read_all(connection, account_id)
        seen = await self._rights.allowed(connection, principal, view, account_id, [mower.id for mower in found])
        of_mowers = {mower.site_id for mower in found if mower.id in seen}
        return lambda site_id: site_id in of_mowers or held.on_site(view, site_id)

    async def _require_manage(self, connection: Connection, request: UpdateSiteRequest | DeleteSiteRequest) -> None:
        principal, manage = request.on_behalf_of, Relation.CAN_MANAGE_MOWERS
        held = await self._rights.held(connection, principal, request.account_id)
        if held.on_site(manage, request.site_id):
            return
        if not held.on_account(Relation.CAN_VIEW) and not (await self._seen(connection, request))(request.site_id):
            raise no_such_site()
        raise refused(principal, manage)

    async def _put(self, connection: Connection, site: Site) -> None:
        await sites.put(connection, site)
        changed = events.site_changed(site.account_id, site.id, self._clock.now())
        await outbox.put(connection, SCHEMA, subjects.SITE_CHANGED, changed)


async def _find(connection: Connection, account_id: str, site_id: str) -> Site:
    site = await sites.find(connection, account_id, site_id, lock=True) if is_subject_token(site_id) else None
    if site is None:
        raise no_such_site()
    return site


def no_such_site() -> NotFoundError:
    """Return the error for a site that is not there or not seen."""
    return NotFoundError("not_found", "There is no such site.", field="site_id")


def _updated(known: Site, request: UpdateSiteRequest) -> Site:
    changed = known
    if request.name is not msgspec.UNSET:
        changed = msgspec.structs.replace(changed, name=check_name(request.name))
    if request.time_zone is not msgspec.UNSET:
        zone = check_time_zone(request.time_zone)
        changed = msgspec.structs.replace(changed, time_zone=zone, time_zone_chosen=True)
    if request.latitude is not msgspec.UNSET:
        changed = msgspec.structs.replace(changed, latitude=request.latitude)
    if request.longitude is not msgspec.UNSET:
        changed = msgspec.structs.replace(changed, longitude=request.longitude)
    if request.quiet_hours is not msgspec.UNSET:
        changed = msgspec.structs.replace(changed, quiet_hours=check_quiet_hours(request.quiet_hours))
    if request.weather_source is not msgspec.UNSET:
        changed = msgspec.structs.replace(changed, weather_source=request.weather_source)
    changed = msgspec.structs.replace(changed, rain=changed_rain(changed.rain, request.rain))
    check_coordinates(changed.latitude, changed.longitude)
    return changed
