"""Bridges as their owner meets them: added, given a key, changed, looked after, forgotten; on a real database."""

import asyncio
import base64
from collections.abc import AsyncIterator

import pytest

from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.bridges import (
    Bridge,
    BridgeChanged,
    BridgeCode,
    BridgeHealth,
    BridgeRequest,
    BridgeStatus,
    CreateBridgeRequest,
    UpdateBridgeRequest,
)
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from edge_gateway.contracts.fleet import Asking
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.database.secrets import SecretBox, new_key
from edge_gateway.device_gateway.bridges.bridges import Bridges
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from tests.emulators.esphome_bridge.bridge import EmulatedBridge, Firmware
from tests.eventually import eventually
from tests.service.device_gateway.bridges.row_lock import waiting_for
from tests.service.device_gateway.vendor_accounts.office import GUEST, OWNER, answer_for_the_fleet

KEY = base64.b64encode(b"k" * 32).decode()
OTHER_KEY = base64.b64encode(b"x" * 32).decode()
ZEROS = base64.b64encode(bytes(32)).decode()
WAIT_SECONDS = 25.0


class House:
    """A gateway's room of bridges on a bus of its own."""

    def __init__(self, bus: MemoryBus, pool: Pool, box: SecretBox) -> None:
        """Put it together."""
        self.bus = bus
        self.pool = pool
        self.settings = BridgesSettings(check_seconds=0.1, meet_seconds=20, discover=False)
        self.room = Bridges(bus=bus, pool=pool, clock=SystemClock(), box=box, settings=self.settings, instance_id="one")
        self.told: list[BridgeChanged] = []

    async def hear(self, envelope: Envelope) -> None:
        """Note what is told of bridges."""
        self.told.append(envelope.decode(BridgeChanged))

    async def add(self, port: int, *, key: str | None = None, who: str = OWNER) -> Bridge:
        """Add a bridge on loopback."""
        question = CreateBridgeRequest(on_behalf_of=who, account_id="home", host="127.0.0.1", port=port, key=key)
        return await self.bus.request(routes.BRIDGES_CREATE, question, timeout_seconds=25)

    async def listed(self) -> tuple[Bridge, ...]:
        """Return the bridges."""
        return (await self.bus.request(routes.BRIDGES_LIST, Asking(on_behalf_of=OWNER, account_id="home"))).items

    async def health(self, bridge_id: str) -> BridgeHealth:
        """Return a bridge and what is wrong with it."""
        question = BridgeRequest(on_behalf_of=OWNER, account_id="home", bridge_id=bridge_id)
        return await self.bus.request(routes.BRIDGES_HEALTH, question)

    async def is_connected(self, bridge_id: str) -> None:
        """Wait until a bridge is connected."""

        async def look() -> bool:
            return (await self.health(bridge_id)).bridge.status is BridgeStatus.CONNECTED

        await eventually(look, seconds=WAIT_SECONDS)


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[House]:
    """Return a room that runs."""
    bus = MemoryBus(SystemClock(), server=MemoryServer(SystemClock()))
    await answer_for_the_fleet(bus)
    pool = await open_pool(database_url, application_name="test", maximum=4)
    house = House(bus, pool, SecretBox(new_key()))
    await bus.subscribe(subjects.BRIDGE_CHANGED, house.hear, acknowledge=False)
    await house.room.start()
    yield house
    await house.room.stop()
    await pool.close()
    await bus.close()


@pytest.fixture
async def bridge() -> AsyncIterator[EmulatedBridge]:
    """Return a bridge that was never given a key."""
    bridge = EmulatedBridge([], key=ZEROS, firmware=Firmware(provisionable=True))
    await bridge.start()
    yield bridge
    await bridge.stop()


async def test_a_bridge_without_a_key_is_given_one_that_is_kept_sealed(house: House, bridge: EmulatedBridge) -> None:
    added = await house.add(bridge.port)
    assert (added.name, added.encrypted, added.expected_mac) == (bridge.firmware.name, True, bridge.firmware.mac)
    assert bridge.key not in {None, ZEROS}
    await house.is_connected(added.id)
    (shown,) = await house.listed()
    assert (shown.esphome_version, shown.slots, shown.free_slots) == ("2026.10.0", 3, 3)
    sealed = await house.pool.fetchval("SELECT key_sealed FROM device_gateway.bridge")
    assert bridge.key is not None
    assert base64.b64decode(bridge.key) not in sealed
    assert bridge.key.encode() not in sealed


async def test_a_bridge_with_a_key_wants_it_pasted(house: House, bridge: EmulatedBridge) -> None:
    bridge.key = KEY
    for key, code in ((None, "bridge_key_needed"), (OTHER_KEY, "bridge_key_wrong"), ("none", "bridge_key_broken")):
        with pytest.raises(InvalidError) as caught:
            await house.add(bridge.port, key=key)
        assert (caught.value.code, caught.value.field) == (code, "key")
    assert await house.listed() == ()
    added = await house.add(bridge.port, key=KEY)
    await house.is_connected(added.id)
    with pytest.raises(ConflictError, match="already"):
        await house.add(bridge.port, key=KEY)


async def test_what_is_wrong_is_found_and_is_over_when_it_is_mended(house: House, bridge: EmulatedBridge) -> None:
    bridge.key = KEY
    bridge.firmware.esphome_version = "2026.8.0"
    added = await house.add(bridge.port, key=KEY)

    async def found() -> bool:
        reply = await house.bus.request(routes.BRIDGES_FINDINGS, Asking(on_behalf_of=OWNER, account_id="home"))
        return [finding.code for finding in reply.items] == [BridgeCode.BAD_FIRMWARE]

    await eventually(found, seconds=WAIT_SECONDS)
    (finding,) = (await house.health(added.id)).findings
    assert finding.bridge_name == added.name
    told = len(house.told)
    assert BridgeChanged(bridge_id=added.id) in house.told
    guest = await house.bus.request(routes.BRIDGES_FINDINGS, Asking(on_behalf_of=GUEST, account_id="home"))
    assert guest.items == ()
    bridge.firmware.esphome_version = "2026.10.0"
    await bridge.reboot()

    async def mended() -> bool:
        health = await house.health(added.id)
        connected = health.bridge.status is BridgeStatus.CONNECTED
        return connected and BridgeCode.BAD_FIRMWARE not in {finding.code for finding in health.findings}

    await eventually(mended, seconds=WAIT_SECONDS)

    async def told_again() -> bool:
        return len(house.told) > told

    await eventually(told_again, seconds=WAIT_SECONDS)


async def test_a_bridge_is_changed_and_forgotten(house: House, bridge: EmulatedBridge) -> None:
    bridge.key = KEY
    added = await house.add(bridge.port, key=KEY)
    await house.is_connected(added.id)
    renaming = UpdateBridgeRequest(on_behalf_of=OWNER, account_id="home", bridge_id=added.id, name="Shed")
    assert (await house.bus.request(routes.BRIDGES_UPDATE, renaming)).name == "Shed"
    question = UpdateBridgeRequest(on_behalf_of=OWNER, account_id="home", bridge_id=added.id, key=OTHER_KEY)
    with pytest.raises(InvalidError) as caught:
        await house.bus.request(routes.BRIDGES_UPDATE, question, timeout_seconds=25)
    assert caught.value.field == "key"
    with pytest.raises(ForbiddenError):
        await house.add(bridge.port, key=KEY, who=GUEST)
    forgetting = BridgeRequest(on_behalf_of=OWNER, account_id="home", bridge_id=added.id)
    await house.bus.request(routes.BRIDGES_DELETE, forgetting)
    with pytest.raises(NotFoundError):
        await house.health(added.id)

    async def let_go() -> bool:
        return not bridge.wires

    await eventually(let_go, seconds=WAIT_SECONDS)
    assert house.told[-1] == BridgeChanged(bridge_id=added.id, removed=True)


async def test_a_bridge_that_is_switched_off_is_renamed(house: House, bridge: EmulatedBridge) -> None:
    added = await house.add(bridge.port)
    await bridge.stop()
    renaming = UpdateBridgeRequest(on_behalf_of=OWNER, account_id="home", bridge_id=added.id, name="Shed")
    assert (await house.bus.request(routes.BRIDGES_UPDATE, renaming, timeout_seconds=25)).name == "Shed"


async def test_a_change_writes_only_what_it_changes(house: House, bridge: EmulatedBridge, database_url: str) -> None:
    added = await house.add(bridge.port)
    renaming = UpdateBridgeRequest(on_behalf_of=OWNER, account_id="home", bridge_id=added.id, name="Shed")
    moving = "UPDATE device_gateway.bridge SET host = '::1'"
    async with waiting_for(database_url, moving, writers=1) as it_waits:
        change = asyncio.create_task(house.bus.request(routes.BRIDGES_UPDATE, renaming, timeout_seconds=20))
        await it_waits()
    changed = await change
    assert (changed.name, changed.host) == ("Shed", "::1")


async def test_a_bridge_that_is_forgotten_meanwhile_does_not_come_back(
    house: House, bridge: EmulatedBridge, database_url: str
) -> None:
    added = await house.add(bridge.port)
    renaming = UpdateBridgeRequest(on_behalf_of=OWNER, account_id="home", bridge_id=added.id, name="Shed")
    async with waiting_for(database_url, "DELETE FROM device_gateway.bridge", writers=1) as it_waits:
        change = asyncio.create_task(house.bus.request(routes.BRIDGES_UPDATE, renaming, timeout_seconds=20))
        await it_waits()
    with pytest.raises(NotFoundError) as caught:
        await change
    assert caught.value.field == "bridge_id"
    assert await house.listed() == ()
