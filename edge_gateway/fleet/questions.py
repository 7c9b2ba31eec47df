"""What other services ask of the Fleet for themselves: whose right, what a target stands for, what was ordered."""

from edge_gateway.contracts.commands import CommandsSinceReply, CommandsSinceRequest
from edge_gateway.contracts.errors import InvalidError, NotFoundError
from edge_gateway.contracts.fleet import ResolveTargetReply, ResolveTargetRequest, Site, TargetMower
from edge_gateway.contracts.identifiers import ACCOUNT_ID, DEFAULT_SITE_ID, is_subject_token
from edge_gateway.contracts.mower import Mower
from edge_gateway.contracts.principals import OWNER, PermissionCheckReply, PermissionCheckRequest
from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Pool
from edge_gateway.fleet.repository import Connection, areas, commands, groups, mowers, principals, sites
from edge_gateway.fleet.rights import Rights

_LONGEST_LIST = 500


class Questions:
    """Answers `fleet.permissions.check`, `fleet.targets.resolve` and `fleet.commands.since`."""

    def __init__(self, pool: Pool, rights: Rights) -> None:
        """Read from `pool`; `rights` decides."""
        self._pool = pool
        self._rights = rights

    async def check(self, request: PermissionCheckRequest) -> PermissionCheckReply:
        """Answer whether the principal may do this to these mowers, or to the account as a whole."""
        principal, relation, account_id = request.principal, request.relation, request.account_id
        if account_id != ACCOUNT_ID:
            return PermissionCheckReply(allowed=dict.fromkeys(request.mower_ids or (account_id,), False))
        with explained():
            async with self._pool.acquire() as connection:
                if not request.mower_ids:
                    held = await self._rights.held(connection, principal, account_id)
                    return PermissionCheckReply(allowed={account_id: held.on_account(relation)})
                allowed = await self._rights.allowed(connection, principal, relation, account_id, request.mower_ids)
        return PermissionCheckReply(allowed={mower_id: mower_id in allowed for mower_id in request.mower_ids})

    async def resolve(self, request: ResolveTargetRequest) -> ResolveTargetReply:
        """Answer the mowers of a target; raises `NotFoundError` (`target_gone`)."""
        if (request.mower_id is None) == (request.group_id is None):
            raise InvalidError("invalid", "A target is one mower or one group.", field="mower_id")
        with explained():
            async with self._pool.acquire() as connection:
                mower_ids, max_concurrent = await _members(connection, request)
                found = [await mowers.find(connection, request.account_id, mower_id) for mower_id in mower_ids]
                members = [mower for mower in found if mower is not None]
                if not members:
                    raise NotFoundError("target_gone", "There is no such mower or group (any more).", field="target")
                site_ids = {DEFAULT_SITE_ID, *(mower.site_id for mower in members)}
                known = {site_id: await _site(connection, request.account_id, site_id) for site_id in sorted(site_ids)}
                owner = await principals.account_owner(connection, request.account_id)
                targets = [await _target(connection, mower, known[mower.site_id]) for mower in members]
        return ResolveTargetReply(
            mowers=tuple(targets),
            account_owner=owner or OWNER,
            default_site=known[DEFAULT_SITE_ID],
            max_concurrent=max_concurrent,
        )

    async def commands_since(self, request: CommandsSinceRequest) -> CommandsSinceReply:
        """Answer the orders of a mower since a moment, newest first."""
        if not 1 <= request.limit <= _LONGEST_LIST:
            raise InvalidError("invalid", f"limit must be 1 to {_LONGEST_LIST}.", field="limit")
        with explained():
            async with self._pool.acquire() as connection:
                found = await commands.read_since(
                    connection, request.account_id, request.mower_id, request.since, request.limit
                )
        return CommandsSinceReply(items=tuple(found))


async def _members(connection: Connection, request: ResolveTargetRequest) -> tuple[tuple[str, ...], int | None]:
    """Return the mowers of a target in the order of their ids, and how many of them are out at a time."""
    if request.mower_id is not None:
        return ((request.mower_id,) if is_subject_token(request.mower_id) else ()), None
    group_id = request.group_id or ""
    group = await groups.find(connection, request.account_id, group_id) if is_subject_token(group_id) else None
    return ((), None) if group is None else (group.mower_ids, group.max_concurrent)


async def _target(connection: Connection, mower: Mower, site: Site) -> TargetMower:
    kept = await areas.read_of_map(connection, mower.id)
    return TargetMower(
        mower_id=mower.id,
        site=site,
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
