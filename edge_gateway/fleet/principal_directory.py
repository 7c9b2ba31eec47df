"""Sets of principals and grants: taken from each Home Assistant, and what changed by them is told."""

from edge_gateway.bus import outbox
from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.grants import (
    GonePrincipalsReply,
    GonePrincipalsRequest,
    GrantsChanged,
    PrincipalsReply,
    PutPrincipalsRequest,
)
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Pool
from edge_gateway.fleet import events
from edge_gateway.fleet.command_desk import SCHEMA
from edge_gateway.fleet.grants import held_by
from edge_gateway.fleet.principal_rules import check_newer, check_room, check_set
from edge_gateway.fleet.repository import Connection, principals
from edge_gateway.fleet.repository.principals import KnownPrincipal, KnownSet
from edge_gateway.fleet.rights import Rights


class PrincipalDirectory:
    """Answers for principals, and drops cached decisions when any copy of the Fleet took a set."""

    def __init__(self, bus: EventBus, pool: Pool, clock: Clock, rights: Rights) -> None:
        """Keep them in `pool`; hear over `bus` what other copies took."""
        self._bus = bus
        self._pool = pool
        self._clock = clock
        self._rights = rights
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        """Listen."""
        self._subscription = await self._bus.subscribe(subjects.GRANTS_CHANGED, self._changed, acknowledge=False)

    async def stop(self) -> None:
        """Listen no more."""
        if self._subscription is not None:
            await self._subscription.unsubscribe()

    async def put(self, request: PutPrincipalsRequest) -> PrincipalsReply:
        """Answer `fleet.principals.put`."""
        account_id, instance_id = request.account_id, request.instance_id
        with explained():
            async with self._pool.acquire() as connection, connection.transaction():
                await self._rights.require(connection, request.on_behalf_of, Relation.CAN_MANAGE_MOWERS, account_id)
                check_set(request)
                await principals.lock_sets(connection, account_id)
                known = await principals.find_set(connection, account_id, instance_id)
                check_newer(request.revision, None if known is None else known.revision)
                if known is None:
                    check_room(await principals.count_sets(connection, account_id))
                changed = await self._replace(connection, request, known)
        self._rights.forget()
        return PrincipalsReply(instance_id=instance_id, revision=request.revision, changed=changed)

    async def gone(self, request: GonePrincipalsRequest) -> GonePrincipalsReply:
        """Answer `fleet.principals.gone`."""
        with explained():
            async with self._pool.acquire() as connection:
                asked = [principal for principal in request.principals if principal != OWNER]
                found = await principals.gone_among(connection, request.account_id, asked)
        return GonePrincipalsReply(items=tuple(found))

    async def _replace(self, connection: Connection, request: PutPrincipalsRequest, known: KnownSet | None) -> bool:
        """Write a set; false when it says what the one before it said (then only its revision is kept)."""
        account_id, instance_id, now = request.account_id, request.instance_id, self._clock.now()
        members = {
            user.id: KnownPrincipal(name=user.name, held=held_by(user.id, request.grants)) for user in request.users
        }
        before = await principals.read_set(connection, account_id, instance_id)
        is_first = await principals.account_owner(connection, account_id) is None
        taken = KnownSet(revision=request.revision, owner=request.owner)
        await principals.put_set(connection, account_id, instance_id, taken, now)
        if known is not None and known.owner == taken.owner and before == members:
            return False
        await principals.replace(connection, account_id, instance_id, members, now)
        missing = tuple(sorted(before.keys() - members.keys()))
        vanished = await principals.gone_among(connection, account_id, missing)
        change = GrantsChanged(
            instance_id=instance_id,
            revision=request.revision,
            owner=await principals.account_owner(connection, account_id) or OWNER,
            passes_from=OWNER if is_first else None,
            vanished=tuple(principal.id for principal in vanished),
        )
        envelope = events.grants_changed(account_id, change, now)
        await outbox.put(connection, SCHEMA, subjects.GRANTS_CHANGED, envelope)
        return True

    async def _changed(self, _envelope: Envelope) -> None:
        self._rights.forget()
