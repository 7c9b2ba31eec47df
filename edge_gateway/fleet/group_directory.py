"""Groups: made, changed and deleted by whoever manages the mowers."""

from collections.abc import Sequence

import msgspec

from edge_gateway.bus import outbox
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.errors import InvalidError, NotFoundError
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.groups import (
    CreateGroupRequest,
    DeleteGroupRequest,
    Group,
    ListGroupsReply,
    UpdateGroupRequest,
)
from edge_gateway.contracts.identifiers import is_subject_token, new_id
from edge_gateway.contracts.principals import Relation, is_service
from edge_gateway.contracts.schedules import SchedulesOfGroupRequest
from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Pool
from edge_gateway.fleet import events
from edge_gateway.fleet.command_desk import SCHEMA
from edge_gateway.fleet.group_rules import check_max_concurrent, check_mower_ids, check_unused
from edge_gateway.fleet.names import check_name
from edge_gateway.fleet.repository import Connection, groups
from edge_gateway.fleet.rights import Rights, refused

_SCHEDULER_SECONDS = 3.0


class GroupDirectory:
    """Answers for groups."""

    def __init__(self, bus: EventBus, pool: Pool, clock: Clock, rights: Rights) -> None:
        """Keep them in `pool`; ask over `bus` who plans with them; `rights` decides."""
        self._bus = bus
        self._pool = pool
        self._clock = clock
        self._rights = rights

    async def list(self, request: Asking) -> ListGroupsReply:
        """Answer `fleet.groups.list`."""
        with explained():
            async with self._pool.acquire() as connection:
                found = await groups.read_all(connection, request.account_id)
                held = await self._rights.held(connection, request.on_behalf_of, request.account_id)
                members = sorted({mower_id for group in found for mower_id in group.mower_ids})
                seen = await self._allowed(connection, request, Relation.CAN_VIEW, members)
        return ListGroupsReply(
            items=tuple(
                group
                for group in found
                if held.on_group(Relation.CAN_VIEW, group.id) or not seen.isdisjoint(group.mower_ids)
            )
        )

    async def create(self, request: CreateGroupRequest) -> Group:
        """Answer `fleet.groups.create`."""
        group = Group(
            id=new_id(),
            account_id=request.account_id,
            name=check_name(request.name),
            mower_ids=check_mower_ids(request.mower_ids),
            max_concurrent=check_max_concurrent(request.max_concurrent),
        )
        with explained():
            async with self._pool.acquire() as connection, connection.transaction():
                await self._rights.held(connection, request.on_behalf_of, request.account_id)
                if is_service(request.on_behalf_of):
                    raise refused(request.on_behalf_of, Relation.CAN_MANAGE_MOWERS)
                await self._put(connection, request, group, added=group.mower_ids)
        return group

    async def update(self, request: UpdateGroupRequest) -> Group:
        """Answer `fleet.groups.update`."""
        with explained():
            async with self._pool.acquire() as connection, connection.transaction():
                known = await self._managed(connection, request)
                changed = _updated(known, request)
                if changed != known:
                    added = tuple(mower_id for mower_id in changed.mower_ids if mower_id not in known.mower_ids)
                    await self._put(connection, request, changed, added=added)
                return changed

    async def delete(self, request: DeleteGroupRequest) -> Nothing:
        """Answer `fleet.groups.delete`; one that schedules plan with stays.

        A schedule that is made at the same moment meets a group that is gone: its next firing says so.
        """
        with explained():
            async with self._pool.acquire() as connection:
                await self._managed(connection, request, lock=False)
        question = SchedulesOfGroupRequest(account_id=request.account_id, group_id=request.group_id)
        reply = await self._bus.request(routes.SCHEDULES_OF_GROUP, question, timeout_seconds=_SCHEDULER_SECONDS)
        check_unused(reply.items)
        with explained():
            async with self._pool.acquire() as connection, connection.transaction():
                group = await _find(connection, request.account_id, request.group_id)
                await groups.delete(connection, group.account_id, group.id)
                gone = events.group_changed(group.account_id, group.id, self._clock.now(), removed=True)
                await outbox.put(connection, SCHEMA, subjects.GROUP_CHANGED, gone)
        return Nothing()

    async def _allowed(
        self, connection: Connection, request: Asking, relation: Relation, mower_ids: Sequence[str]
    ) -> frozenset[str]:
        principal, account_id = request.on_behalf_of, request.account_id
        return await self._rights.allowed(connection, principal, relation, account_id, mower_ids)

    async def _managed(
        self, connection: Connection, request: UpdateGroupRequest | DeleteGroupRequest, *, lock: bool = True
    ) -> Group:
        """Return a group that the principal manages: itself, or all of its mowers.

        Raises `NotFoundError` for one that is not there or not seen, `ForbiddenError`.
        """
        held = await self._rights.held(connection, request.on_behalf_of, request.account_id)
        group = await _find(connection, request.account_id, request.group_id, lock=lock)
        manage, view = Relation.CAN_MANAGE_MOWERS, Relation.CAN_VIEW
        if held.on_group(manage, group.id):
            return group
        if await self._allowed(connection, request, manage, group.mower_ids) >= set(group.mower_ids):
            return group
        if not held.on_group(view, group.id) and not await self._allowed(connection, request, view, group.mower_ids):
            raise _no_such_group()
        raise refused(request.on_behalf_of, manage)

    async def _put(self, connection: Connection, request: Asking, group: Group, *, added: Sequence[str]) -> None:
        """Write a group; what is held on it comes over the mowers that are added, so they must be the principal's."""
        existing = await self._allowed(connection, request, Relation.CAN_VIEW, group.mower_ids)
        if unknown := [mower_id for mower_id in group.mower_ids if mower_id not in existing]:
            raise InvalidError(
                "invalid", "mower_ids names mowers that are not there.", field="mower_ids", values={"unknown": unknown}
            )
        if not await self._allowed(connection, request, Relation.CAN_MANAGE_MOWERS, added) >= set(added):
            raise refused(request.on_behalf_of, Relation.CAN_MANAGE_MOWERS)
        await groups.put(connection, group)
        changed = events.group_changed(group.account_id, group.id, self._clock.now())
        await outbox.put(connection, SCHEMA, subjects.GROUP_CHANGED, changed)


async def _find(connection: Connection, account_id: str, group_id: str, *, lock: bool = True) -> Group:
    group = await groups.find(connection, account_id, group_id, lock=lock) if is_subject_token(group_id) else None
    if group is None:
        raise _no_such_group()
    return group


def _no_such_group() -> NotFoundError:
    return NotFoundError("not_found", "There is no such group.", field="group_id")


def _updated(known: Group, request: UpdateGroupRequest) -> Group:
    changed = known
    if request.name is not msgspec.UNSET:
        changed = msgspec.structs.replace(changed, name=check_name(request.name))
    if request.mower_ids is not msgspec.UNSET:
        changed = msgspec.structs.replace(changed, mower_ids=check_mower_ids(request.mower_ids))
    if request.max_concurrent is not msgspec.UNSET:
        changed = msgspec.structs.replace(changed, max_concurrent=check_max_concurrent(request.max_concurrent))
    return changed
