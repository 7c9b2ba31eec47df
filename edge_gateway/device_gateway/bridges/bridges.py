"""Answers the routes of bridges and runs those whose lease this gateway holds: a bridge serves one at a time."""

import asyncio
from collections.abc import Iterable
from typing import override

import asyncpg
import msgspec
import structlog

from edge_gateway.bus.protocol import EventBus, Lease, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.bridges import (
    Bridge,
    BridgeFinding,
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
from edge_gateway.contracts.errors import ConfigurationError, ForbiddenError, MowDeckError, NotFoundError
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.database.secrets import SecretBox
from edge_gateway.device_gateway.bridges.acquaintance import checked_key, meet
from edge_gateway.device_gateway.bridges.client import Target, mac_of
from edge_gateway.device_gateway.bridges.discovery import Discovery
from edge_gateway.device_gateway.bridges.health.book import HealthBook
from edge_gateway.device_gateway.bridges.neighbourhood import Neighbourhood
from edge_gateway.device_gateway.bridges.repository import Repository, StoredBridge
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.bridges.told_bridges import ToldBridges
from edge_gateway.device_gateway.bridges.view import is_added, shown
from edge_gateway.device_gateway.change_teller import ChangeTeller
from edge_gateway.device_gateway.provider_host import Bridges as BridgesProtocol
from edge_gateway.device_gateway.radio import Radio
from edge_gateway.device_gateway.rights import check_household

_log = structlog.get_logger(__name__)

_LOOK_SECONDS = 10.0
"""How often rows and leases are looked at when nobody asks for it."""


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
        self._instance_id = instance_id
        self._radio = Radio()
        self.neighbourhood = Neighbourhood(self._radio, settings, remember=self._repository.save_address)
        self._discovery = discovery or (Discovery() if settings.discover else None)
        self._health = HealthBook()
        self._teller = ChangeTeller(bus, clock)
        self._told = ToldBridges()
        self._rows: dict[str, StoredBridge] = {}
        """What is kept of each bridge, as it was last read."""
        self._leases: dict[str, Lease] = {}
        self._replies: list[Subscription] = []
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

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
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._run(), name="bridges"), loop.create_task(self._check_health())]

    @override
    async def stop(self) -> None:
        for reply in self._replies:
            await reply.unsubscribe()
        self._replies.clear()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._discovery is not None:
            await self._discovery.stop()
        await self.neighbourhood.stop()
        self._radio.stop()
        for lease in self._leases.values():
            await lease.release()
        self._leases.clear()

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
        self._changed.set()
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
        target = Target(bridge_id=bridge.id, host=bridge.host, port=bridge.port, key=key, expected_mac=mac)
        if target != self._target(before):
            met = await meet(target, seconds=self._settings.meet_seconds)
            sealed = self._repository.seal(bridge.id, met.key)
            bridge = msgspec.structs.replace(bridge, key_sealed=sealed, expected_mac=met.mac)
        changed = await self._repository.change(before, bridge)
        if changed is None:
            raise _not_found()
        self._changed.set()
        await self._teller.bridge(bridge.id, bridge.account_id)
        return self._shown(changed)

    async def delete(self, question: BridgeRequest) -> Nothing:
        """Forget a bridge; its mowers are reached over their other links."""
        await check_household(self._bus, question)
        bridge = await self._found(question.bridge_id, question.account_id)
        await self._repository.remove(bridge.id)
        self._changed.set()
        await self._teller.bridge(bridge.id, bridge.account_id, removed=True)
        return Nothing()

    async def health(self, question: BridgeRequest) -> BridgeHealth:
        """Return a bridge and what is wrong with it."""
        await check_household(self._bus, question)
        bridge = await self._found(question.bridge_id, question.account_id)
        return BridgeHealth(bridge=self._shown(bridge), findings=self._findings([bridge]))

    async def findings(self, question: Asking) -> BridgeFindingsReply:
        """Return what is wrong with the bridges; nothing to somebody who may not manage them."""
        try:
            await check_household(self._bus, question)
        except ForbiddenError as error:
            if error.code == "unknown_principal":
                raise
            return BridgeFindingsReply(items=())
        stored = await self._repository.bridges(question.account_id)
        return BridgeFindingsReply(items=self._findings(stored))

    async def found(self, question: Asking) -> FoundBridgesReply:
        """Return the devices that tell of themselves in the network."""
        await check_household(self._bus, question)
        stored = await self._repository.bridges(question.account_id)
        found = () if self._discovery is None else await self._discovery.look()
        marked = (msgspec.structs.replace(one, added=is_added(one, stored)) for one in found)
        return FoundBridgesReply(items=tuple(marked))

    async def _run(self) -> None:
        """Run the bridges whose leases can be had, for ever; a database or bus that is away is waited for."""
        remembered = False
        while True:
            self._changed.clear()
            try:
                if not remembered:
                    self.neighbourhood.start(await self._repository.addresses())
                    remembered = True
                await self._take(await self._repository.bridges())
            except MowDeckError as error:
                _log.warning("bridges not looked at", code=error.code)
            except Exception:  # noqa: BLE001  # whatever fails here must not end the looking; it is logged
                _log.exception("bridges not looked at")
            try:
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def _take(self, stored: tuple[StoredBridge, ...]) -> None:
        self._rows = wanted = {bridge.id: bridge for bridge in stored}
        for bridge_id in {*self._leases, *self.neighbourhood.bridges}:
            lease = self._leases.get(bridge_id)
            if bridge_id not in wanted or lease is None or not lease.held:
                await self.neighbourhood.remove(bridge_id)
                self._health.forget(bridge_id)
                self._told.forget(bridge_id)
                if (ours := self._leases.pop(bridge_id, None)) is not None:
                    await ours.release()
        for bridge in stored:
            if bridge.id not in self._leases:
                lease = await self._bus.acquire_lease(f"bridge-{bridge.id}", holder=self._instance_id)
                if lease is None:
                    continue
                self._leases[bridge.id] = lease
            try:
                await self.neighbourhood.put(self._target(bridge))
            except ConfigurationError as error:
                _log.error("key of a bridge not readable", bridge=bridge.id, code=error.code)

    async def _check_health(self) -> None:
        while True:
            await asyncio.sleep(self._settings.check_seconds)
            for bridge_id, bridge in tuple(self.neighbourhood.bridges.items()):
                stored = self._rows.get(bridge_id)
                if stored is None:
                    continue
                try:
                    self._health.look(bridge_id, stored.name, bridge.facts(), now=self._clock.now())
                    await self._tell(stored)
                except Exception:  # noqa: BLE001  # what is wrong with one bridge must not end the looking; it is logged
                    _log.exception("health of a bridge not looked at", bridge=bridge_id)

    async def _tell(self, stored: StoredBridge) -> None:
        """Tell of a bridge that is not what it was, until it could be told."""
        bridge, findings = self._shown(stored), self._health.findings([stored.id])
        if self._told.is_news(bridge, findings) and await self._teller.bridge(bridge.id, bridge.account_id):
            self._told.keep(bridge, findings)

    def _findings(self, stored: Iterable[StoredBridge]) -> tuple[BridgeFinding, ...]:
        """Return what is wrong with bridges, each called what its owner calls it now."""
        names = {bridge.id: bridge.name for bridge in stored}
        found = self._health.findings(names)
        return tuple(msgspec.structs.replace(one, bridge_name=names[one.bridge_id]) for one in found)

    def _shown(self, stored: StoredBridge) -> Bridge:
        return shown(stored, self.neighbourhood)

    def _target(self, bridge: StoredBridge) -> Target:
        return Target(
            bridge_id=bridge.id,
            host=bridge.host,
            port=bridge.port,
            key=self._repository.open(bridge),
            expected_mac=mac_of(bridge.expected_mac),
        )

    async def _found(self, bridge_id: str, account_id: str) -> StoredBridge:
        stored = await self._repository.bridges(account_id)
        bridge = next((one for one in stored if one.id == bridge_id), None)
        if bridge is None:
            raise _not_found()
        return bridge


def _not_found() -> NotFoundError:
    return NotFoundError("not_found", "There is no such bridge.", field="bridge_id")
