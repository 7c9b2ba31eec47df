"""What other services ask of the Fleet for themselves: whose right, and what a target stands for."""

from edge_gateway.contracts.errors import InvalidError, NotFoundError
from edge_gateway.contracts.fleet import ResolveTargetReply, ResolveTargetRequest, Site, TargetMower
from edge_gateway.contracts.identifiers import ACCOUNT_ID, DEFAULT_SITE_ID
from edge_gateway.contracts.mower import Mower
from edge_gateway.contracts.principals import OWNER, PermissionCheckReply, PermissionCheckRequest
from edge_gateway.database.pools import Pool
from edge_gateway.fleet import rights
from edge_gateway.fleet.database_errors import explained
from edge_gateway.fleet.repository import Connection, areas, mowers, sites


class Questions:
    """Answers `fleet.permissions.check` and `fleet.targets.resolve`."""

    def __init__(self, pool: Pool) -> None:
        """Read from `pool`."""
        self._pool = pool

    async def check(self, request: PermissionCheckRequest) -> PermissionCheckReply:
        """Answer whether the principal may do this to these mowers, or to the account as a whole."""
        allowed = rights.is_allowed(request.principal, request.relation) and request.account_id == ACCOUNT_ID
        if not request.mower_ids:
            return PermissionCheckReply(allowed={request.account_id: allowed})
        with explained():
            async with self._pool.acquire() as connection:
                existing = await mowers.existing_ids(connection, request.account_id, request.mower_ids)
        return PermissionCheckReply(
            allowed={mower_id: allowed and mower_id in existing for mower_id in request.mower_ids}
        )

    async def resolve(self, request: ResolveTargetRequest) -> ResolveTargetReply:
        """Answer the mowers of a target; raises `NotFoundError` (`target_gone`)."""
        if (request.mower_id is None) == (request.group_id is None):
            raise InvalidError("invalid", "A target is one mower or one group.", field="mower_id")
        with explained():
            async with self._pool.acquire() as connection:
                mower = (
                    None
                    if request.mower_id is None
                    else await mowers.find(connection, request.account_id, request.mower_id)
                )
                if mower is None:
                    raise NotFoundError("target_gone", "There is no such mower or group (any more).", field="target")
                default_site = await _site(connection, mower.account_id, DEFAULT_SITE_ID)
                target = await _target(connection, mower)
        return ResolveTargetReply(mowers=(target,), account_owner=OWNER, default_site=default_site)


async def _target(connection: Connection, mower: Mower) -> TargetMower:
    kept = None
    if await areas.map_known(connection, mower.id):
        kept = (await areas.read(connection, (mower.id,))).get(mower.id, ())
    return TargetMower(
        mower_id=mower.id,
        site=await _site(connection, mower.account_id, mower.site_id),
        area_ids=None if kept is None else tuple(area.id for area in kept),
        enabled_area_ids=None if kept is None else tuple(area.id for area in kept if area.enabled),
        obey_rain=mower.obey_rain,
        provider=mower.provider,
    )


async def _site(connection: Connection, account_id: str, site_id: str) -> Site:
    site = await sites.find(connection, account_id, site_id)
    if site is None:
        message = f"the site {site_id} is gone although mowers refer to it"
        raise AssertionError(message)
    return site
