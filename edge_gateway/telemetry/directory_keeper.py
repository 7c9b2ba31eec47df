"""Keeps the directory as the fleet tells it: accounts, time zones of sites, the areas of maps."""

from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.fleet import MowerChanged, ResolveTargetRequest, SiteChanged
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.map import MowerMap
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry.repository import directory
from edge_gateway.telemetry.repository.directory import DirectoryEntry


class DirectoryKeeper:
    """Hears what changes, and asks the fleet how it is now."""

    def __init__(self, bus: EventBus, pool: Pool) -> None:
        """Hear on `bus`, keep in `pool`."""
        self._bus = bus
        self._pool = pool

    async def start(self) -> list[Subscription]:
        """Begin to hear; of several copies one hears each event."""
        subscribe = self._bus.subscribe
        return [
            await subscribe(
                subjects.MOWER_CHANGED, self._mower_changed, durable="telemetry-mowers", queue="telemetry-mowers"
            ),
            await subscribe(
                subjects.SITE_CHANGED, self._site_changed, durable="telemetry-sites", queue="telemetry-sites"
            ),
            await subscribe(subjects.ALL_MAPS, self._map_told, durable="telemetry-maps", queue="telemetry-maps"),
        ]

    async def ask_mower(self, mower_id: str) -> DirectoryEntry | None:
        """Ask the fleet for a mower; null when it does not know it."""
        try:
            reply = await self._bus.request(
                routes.TARGETS_RESOLVE, ResolveTargetRequest(account_id=ACCOUNT_ID, mower_id=mower_id)
            )
        except NotFoundError:
            return None
        target = reply.mowers[0]
        return DirectoryEntry(
            mower_id=mower_id,
            account_id=target.site.account_id,
            site_id=target.site.id,
            time_zone=target.site.time_zone,
            provider=target.provider,
        )

    async def _mower_changed(self, envelope: Envelope) -> None:
        changed = envelope.decode(MowerChanged)
        # What a mower did stays when it leaves the fleet.
        if not changed.removed:
            await self._refresh(changed.mower_id)

    async def _site_changed(self, envelope: Envelope) -> None:
        changed = envelope.decode(SiteChanged)
        async with self._pool.acquire() as connection:
            mower_ids = await directory.mowers_of_site(connection, changed.site_id)
        for mower_id in mower_ids:
            await self._refresh(mower_id)

    async def _map_told(self, envelope: Envelope) -> None:
        told = envelope.decode(MowerMap)
        sizes = {area.id: area.size_m2 for area in told.areas}
        async with self._pool.acquire() as connection:
            if not await directory.known_mowers(connection, [told.mower_id]):
                await self._refresh(told.mower_id)
            if not told.complete:
                # Only a complete map may remove an area.
                sizes = {**await directory.read_area_sizes(connection, told.mower_id), **sizes}
            await directory.put_area_sizes(connection, told.mower_id, sizes)

    async def _refresh(self, mower_id: str) -> None:
        entry = await self.ask_mower(mower_id)
        if entry is not None:
            async with self._pool.acquire() as connection:
                await directory.put_mower(connection, entry)
