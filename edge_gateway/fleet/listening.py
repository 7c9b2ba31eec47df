"""What the device gateway tells: outcomes of orders, who is reached, maps."""

import structlog

from edge_gateway.bus import outbox
from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import CommandOutcome
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import MowerAvailability
from edge_gateway.database.pools import Pool
from edge_gateway.fleet import events
from edge_gateway.fleet.command_desk import SCHEMA, CommandDesk
from edge_gateway.fleet.map_rules import follow_map
from edge_gateway.fleet.repository import areas, mowers

_log = structlog.get_logger(__name__)


class Listening:
    """The Fleet's durable subscriptions; replicas share them."""

    def __init__(self, bus: EventBus, pool: Pool, clock: Clock, desk: CommandDesk) -> None:
        """Hear from `bus`, write to `pool`; outcomes are the desk's."""
        self._bus = bus
        self._pool = pool
        self._clock = clock
        self._desk = desk
        self._subscriptions: list[Subscription] = []

    async def start(self) -> None:
        """Subscribe."""
        for subject, handler, durable in (
            (subjects.ALL_OUTCOMES, self._outcome, "fleet-outcomes"),
            (subjects.ALL_AVAILABILITIES, self._availability, "fleet-availability"),
            (subjects.ALL_MAPS, self._map, "fleet-maps"),
        ):
            subscription = await self._bus.subscribe(subject, handler, durable=durable, queue="fleet")
            self._subscriptions.append(subscription)

    async def stop(self) -> None:
        """Settle what is in hand and let go."""
        for subscription in self._subscriptions:
            await subscription.unsubscribe()
        self._subscriptions.clear()

    async def _outcome(self, envelope: Envelope) -> None:
        await self._desk.take_outcome(envelope.decode(CommandOutcome))

    async def _availability(self, envelope: Envelope) -> None:
        async with self._pool.acquire() as connection:
            await mowers.put_availability(connection, envelope.decode(MowerAvailability), now=self._clock.now())

    async def _map(self, envelope: Envelope) -> None:
        new_map = envelope.decode(MowerMap)
        mower_id = new_map.mower_id
        async with self._pool.acquire() as connection, connection.transaction():
            if not await areas.take_map(connection, mower_id, new_map.observed_at, now=self._clock.now()):
                return
            kept = (await areas.read(connection, (mower_id,))).get(mower_id, ())
            changes = follow_map({area.id: area for area in kept}, new_map)
            if not changes:
                return
            await areas.write(connection, mower_id, changes)
            changed = events.mower_changed(new_map.account_id, mower_id, self._clock.now())
            await outbox.put(connection, SCHEMA, subjects.MOWER_CHANGED, changed)
        _log.info("areas follow the map", mower=mower_id, put=len(changes.put), removed=len(changes.removed))
