"""Answers the routes of bridges: they are met, kept, changed, told of with what is wrong with them, and found."""

from typing import override

import asyncpg
import msgspec

from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.bridges import (
    Bridge,
    BridgeFindingsReply,
    BridgeHealth,
    BridgeRequest,
    CreateBridgeRequest,
    FoundBridgesReply,
    ListBridgesReply,
    UpdateBridgeRequest,
)
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.errors import ForbiddenError, NotFoundError
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.database.secrets import SecretBox
from edge_gateway.device_gateway.bridges.acquaintance import checked_key, meet
from edge_gateway.device_gateway.bridges.client import Target, mac_of
from edge_gateway.device_gateway.bridges.discovery import Discovery
from edge_gateway.device_gateway.bridges.neighbourhood import Neighbourhood
from edge_gateway.device_gateway.bridges.repository import Repository, StoredBridge
from edge_gateway.device_gateway.bridges.running import RunningBridges
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.bridges.view import is_added, shown
from edge_gateway.device_gateway.change_teller import ChangeTeller
from edge_gateway.device_gateway.provider_host import Bridges as BridgesProtocol
from edge_gateway.device_gateway.radio import Radio
from edge_gateway.device_gateway.rights import check_household


class Bridges(BridgesProtocol):
    """The room of bridges."""

    def __init__(
        self,
        *,
        bus: EventBus,
        pool: asyncpg.Pool[asyncpg.Record],
        clock: Clock,
        box: SecretBox,
        settings: BridgesSettings,
        instance_id: str,
        discovery: Discovery | None = None,
    ) -> None:
        """Run bridges as this instance."""
        self._bus = bus
        self._clock = clock
        self._repository = Repository(pool, box)
        self._settings = settings
        self._radio = Radio()
        self.neighbourhood = Neighbourhood(self._radio, settings, remember=self._repository.save_address)
        self._discovery = discovery or (Discovery() if settings.discover else None)
        self._teller = ChangeTeller(bus, clock)
        self._running = RunningBridges(
            bus,
            clock,
            self._repository,
            self.neighbourhood,
            self._teller,
            settings=settings,
            instance_id=instance_id,
        )
        self._replies: list[Subscription] = []

    @override
    async def start(self) -> None:
        self._replies = [
            await self._bus.reply(routes.BRIDGES_LIST, self.list),
            await self._bus.reply(routes.BRIDGES_CREATE, self.create),
            await self._bus.reply(routes.BRIDGES_UPDATE, self.update),
            await self._bus.reply(routes.BRIDGES_DELETE, self.delete),
            await self._bus.reply(routes.BRIDGES_HEALTH, self.health),
            await self._bus.reply(routes.BRIDGES_FINDINGS, self.findings),
            await self._bus.reply(routes.BRIDGES_FOUND, self.found),
        ]
        self._running.start()

    @override
    async def stop(self) -> None:
        for reply in self._replies:
            await reply.unsubscribe()
        self._replies.clear()
        if self._discovery is not None:
            await self._discovery.stop()
        await self._running.stop()
        self._radio.stop()

    async def list(self, question: Asking) -> ListBridgesReply:
        """Return the bridges and how they are."""
        await check_household(self._bus, question)
        stored = await self._repository.bridges(question.account_id)
        return ListBridgesReply(items=tuple(self._shown(one) for one in stored))

    async def create(self, question: CreateBridgeRequest) -> Bridge:
        """Meet a bridge and keep it; one that has no key is given one. Raises what `meet` raises."""
        await check_household(self._bus, question)
        key = None if question.key is None else checked_key(question.key)
        target = Target(bridge_id=new_id(), host=question.host.strip(), port=question.port, key=key, expected_mac=None)
        met = await meet(target, seconds=self._settings.meet_seconds)
        bridge = StoredBridge(
            id=target.bridge_id,
            account_id=question.account_id,
            name=question.name or met.name,
            host=target.host,
            port=target.port,
            key_sealed=self._repository.seal(target.bridge_id, met.key),
            expected_mac=met.mac,
            created_at=self._clock.now(),
        )
        await self._repository.add(bridge)
        self._running.look_now()
        await self._teller.bridge(bridge.id, bridge.account_id)
        return self._shown(bridge)

    async def update(self, question: UpdateBridgeRequest) -> Bridge:
        """Change a bridge; where it is spoken to anew it is met first. Raises what `meet` raises."""
        await check_household(self._bus, question)
        before = await self._found(question.bridge_id, question.account_id)
        changes = {
            field: value
            for field in ("name", "host", "port")
            if not isinstance(value := getattr(question, field), msgspec.UnsetType)
        }
        bridge = msgspec.structs.replace(before, **changes)
        key = (
            self._repository.open(before) if isinstance(question.key, msgspec.UnsetType) else checked_key(question.key)
        )
        mac = before.expected_mac if isinstance(question.expected_mac, msgspec.UnsetType) else question.expected_mac
        target = Target(bridge_id=bridge.id, host=bridge.host, port=bridge.port, key=key, expected_mac=mac_of(mac))
        if target != self._running.target(before):
            met = await meet(target, seconds=self._settings.meet_seconds)
            sealed = self._repository.seal(bridge.id, met.key)
            bridge = msgspec.structs.replace(bridge, key_sealed=sealed, expected_mac=met.mac)
        changed = await self._repository.change(before, bridge)
        if changed is None:
            raise _not_found()
        self._running.look_now()
        await self._teller.bridge(bridge.id, bridge.account_id)
        return self._shown(changed)

    async def delete(self, question: BridgeRequest) -> Nothing:
        """Forget a bridge; its mowers are reached over their other links."""
        await check_household(self._bus, question)
        bridge = await self._found(question.bridge_id, question.account_id)
        await self._repository.remove(bridge.id)
        self._running.look_now()
        await self._teller.bridge(bridge.id, bridge.account_id, removed=True)
        return Nothing()

    async def health(self, question: BridgeRequest) -> BridgeHealth:
        """Return a bridge and what is wrong with it."""
        await check_household(self._bus, question)
        bridge = await self._found(question.bridge_id, question.account_id)
        return BridgeHealth(bridge=self._shown(bridge), findings=self._running.findings([bridge]))

    async def findings(self, question: Asking) -> BridgeFindingsReply:
        """Return what is wrong with the bridges; nothing to somebody who may not manage them."""
        try:
            await check_household(self._bus, question)
        except ForbiddenError as error:
            if error.code == "unknown_principal":
                raise
            return BridgeFindingsReply(items=())
        stored = await self._repository.bridges(question.account_id)
        return BridgeFindingsReply(items=self._running.findings(stored))

    async def found(self, question: Asking) -> FoundBridgesReply:
        """Return the devices that tell of themselves in the network."""
        await check_household(self._bus, question)
        stored = await self._repository.bridges(question.account_id)
        found = () if self._discovery is None else await self._discovery.look()
        marked = (msgspec.structs.replace(one, added=is_added(one, stored)) for one in found)
        return FoundBridgesReply(items=tuple(marked))

    def _shown(self, stored: StoredBridge) -> Bridge:
        return shown(stored, self.neighbourhood)

    async def _found(self, bridge_id: str, account_id: str) -> StoredBridge:
        stored = await self._repository.bridges(account_id)
        bridge = next((one for one in stored if one.id == bridge_id), None)
        if bridge is None:
            raise _not_found()
        return bridge


def _not_found() -> NotFoundError:
    return NotFoundError("not_found", "There is no such bridge.", field="bridge_id")
