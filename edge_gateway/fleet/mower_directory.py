"""Mowers and their areas: registered by the device gateway, named and moved by their owner."""

from collections.abc import Sequence

import msgspec

from edge_gateway.bus import outbox
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import InvalidError, NotFoundError
from edge_gateway.contracts.fleet import (
    ListMowersReply,
    ListMowersRequest,
    MowerReply,
    RegisterMowerRequest,
    UpdateAreaRequest,
    UpdateMowerRequest,
)
from edge_gateway.contracts.identifiers import ACCOUNT_ID, DEFAULT_SITE_ID, is_subject_token, new_id
from edge_gateway.contracts.mower import Mower
from edge_gateway.contracts.principals import Relation
from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Pool
from edge_gateway.fleet import events
from edge_gateway.fleet.command_desk import SCHEMA
from edge_gateway.fleet.map_rules import AreaChanges
from edge_gateway.fleet.names import LONGEST, check_name
from edge_gateway.fleet.repository import Connection, areas, mowers, sites
from edge_gateway.fleet.rights import Rights, refused


class MowerDirectory:
    """Answers for mowers and areas."""

    def __init__(self, pool: Pool, clock: Clock, rights: Rights) -> None:
        """Keep them in `pool`; `rights` decides."""
        self._pool = pool
        self._clock = clock
        self._rights = rights

    async def list(self, request: ListMowersRequest) -> ListMowersReply:
        """Answer `fleet.mowers.list`."""
        principal, account_id = request.on_behalf_of, request.account_id
        with explained():
            async with self._pool.acquire() as connection:
                if request.mower_id is not None:
                    await self._rights.require_mower(
                        connection, principal, Relation.CAN_VIEW, account_id, request.mower_id
                    )
                    found: Sequence[Mower] = (await find_mower(connection, account_id, request.mower_id),)
                    return ListMowersReply(items=tuple(await _with_areas(connection, found)))
                found = await mowers.read_all(connection, account_id)
                seen = await self._rights.allowed(
                    connection, principal, Relation.CAN_VIEW, account_id, [mower.id for mower in found]
                )
                found = [mower for mower in found if mower.id in seen]
                return ListMowersReply(items=tuple(await _with_areas(connection, found)))

    async def register(self, request: RegisterMowerRequest) -> MowerReply:
        """Answer `fleet.mowers.register`: the same vendor key is the same mower for ever."""
        if request.account_id != ACCOUNT_ID:
            raise NotFoundError("not_found", "There is no such account.", field="account_id")
        for field, value in (("provider", request.provider), ("vendor_key", request.vendor_key)):
            if not value or not value.isprintable():
                raise InvalidError("invalid", f"{field} must be a printable text.", field=field)
        with explained():
            async with self._pool.acquire() as connection, connection.transaction():
                mower = await self._register(connection, request)
                return (await _with_areas(connection, (mower,)))[0]

    async def update(self, request: UpdateMowerRequest) -> MowerReply:
        """Answer `fleet.mowers.update`."""
        with explained():
            async with self._pool.acquire() as connection, connection.transaction():
                await self._require_manage(connection, request)
                known = await find_mower(connection, request.account_id, request.mower_id, lock=True)
                await self._check_move(connection, known, request)
                changed = await _updated(connection, known, request)
                if changed != known:
                    await mowers.update(connection, changed)
                    await self._announce(connection, changed)
                return (await _with_areas(connection, (changed,)))[0]

    async def update_area(self, request: UpdateAreaRequest) -> MowerReply:
        """Answer `fleet.areas.update`."""
        with explained():
            async with self._pool.acquire() as connection, connection.transaction():
                await self._require_manage(connection, request)
                mower = await find_mower(connection, request.account_id, request.mower_id)
                await areas.lock(connection, mower.id)
                known = await areas.find(connection, mower.id, request.area_id)
                if known is None:
                    raise NotFoundError("not_found", "The mower has no such area.", field="area_id")
                changed = known
                if request.name is not msgspec.UNSET:
                    changed = msgspec.structs.replace(changed, given_name=check_name(request.name))
                if request.enabled is not msgspec.UNSET:
                    changed = msgspec.structs.replace(changed, enabled=request.enabled)
                if changed != known:
                    await areas.write(connection, mower.id, AreaChanges((changed,), ()))
                    await self._announce(connection, mower)
                return (await _with_areas(connection, (mower,)))[0]

    async def _require_manage(self, connection: Connection, request: UpdateMowerRequest | UpdateAreaRequest) -> None:
        await self._rights.require_mower(
            connection, request.on_behalf_of, Relation.CAN_MANAGE_MOWERS, request.account_id, request.mower_id
        )

    async def _check_move(self, connection: Connection, known: Mower, request: UpdateMowerRequest) -> None:
        """Raise `ForbiddenError` for a move to a site of others: what is held there would come over the mower."""
        site_id, manage = request.site_id, Relation.CAN_MANAGE_MOWERS
        if site_id is msgspec.UNSET or site_id == known.site_id:
            return
        held = await self._rights.held(connection, request.on_behalf_of, request.account_id)
        if not held.on_site(manage, site_id):
            raise refused(request.on_behalf_of, manage)

    async def _register(self, connection: Connection, request: RegisterMowerRequest) -> Mower:
        known = await mowers.find_by_vendor_key(connection, request)
        if known is None:
            mower = Mower(
                id=new_id(),
                account_id=request.account_id,
                name=_first_name(request),
                provider=request.provider,
                vendor_key=request.vendor_key,
                vendor_account_id=request.vendor_account_id,
                model=request.model,
                firmware_version=request.firmware_version,
                newest_firmware_version=request.newest_firmware_version,
                serial_number=request.serial_number,
                site_id=DEFAULT_SITE_ID,
                created_at=self._clock.now(),
            )
            if await mowers.insert(connection, mower):
                await self._announce(connection, mower)
                return mower
            known = await mowers.find_by_vendor_key(connection, request)
        if known is None:
            message = "a mower's vendor key is taken and there is no such mower"
            raise AssertionError(message)
        # What the vendor does not tell this time is not gone.
        mower = msgspec.structs.replace(
            known,
            vendor_account_id=request.vendor_account_id or known.vendor_account_id,
            model=request.model or known.model,
            firmware_version=request.firmware_version or known.firmware_version,
            newest_firmware_version=request.newest_firmware_version or known.newest_firmware_version,
            serial_number=request.serial_number or known.serial_number,
        )
        if mower != known:
            await mowers.update(connection, mower)
            await self._announce(connection, mower)
        return mower

    async def _announce(self, connection: Connection, mower: Mower) -> None:
        changed = events.mower_changed(mower.account_id, mower.id, self._clock.now())
        await outbox.put(connection, SCHEMA, subjects.MOWER_CHANGED, changed)


async def find_mower(connection: Connection, account_id: str, mower_id: str, *, lock: bool = False) -> Mower:
    """Return a mower; raises `NotFoundError`."""
    mower = await mowers.find(connection, account_id, mower_id, lock=lock) if is_subject_token(mower_id) else None
    if mower is None:
        raise NotFoundError("not_found", "There is no such mower.", field="mower_id")
    return mower


async def _updated(connection: Connection, known: Mower, request: UpdateMowerRequest) -> Mower:
    changed = known
    if request.name is not msgspec.UNSET:
        changed = msgspec.structs.replace(changed, name=check_name(request.name))
    if request.obey_rain is not msgspec.UNSET:
        changed = msgspec.structs.replace(changed, obey_rain=request.obey_rain)
    if request.site_id is not msgspec.UNSET and request.site_id != known.site_id:
        # Locked, so that it is not deleted before the mower has moved there.
        if await sites.find(connection, known.account_id, request.site_id, lock=True) is None:
            raise InvalidError("invalid", "site_id names no site.", field="site_id")
        changed = msgspec.structs.replace(changed, site_id=request.site_id)
    return changed


async def _with_areas(connection: Connection, found: Sequence[Mower]) -> Sequence[MowerReply]:
    kept = await areas.read(connection, [mower.id for mower in found])
    return [MowerReply(mower=mower, areas=tuple(area.shown() for area in kept.get(mower.id, ()))) for mower in found]


def _first_name(request: RegisterMowerRequest) -> str:
    """Return the name of a new mower: the vendor's, made fit, or else its key."""
    printable = "".join(character for character in request.name if character.isprintable())
    return printable.strip()[:LONGEST].strip() or request.vendor_key[:LONGEST]
