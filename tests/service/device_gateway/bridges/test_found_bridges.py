"""Bridges that tell of themselves in the network are found, whoever may add them, and told apart from those added."""

import socket
from collections.abc import AsyncIterator

import pytest
from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.contracts import routes
from edge_gateway.contracts.bridges import CreateBridgeRequest, FoundBridge
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.errors import ForbiddenError
from edge_gateway.contracts.fleet import Asking
from edge_gateway.database.pools import open_pool
from edge_gateway.database.secrets import SecretBox, new_key
from edge_gateway.device_gateway.bridges.bridges import Bridges
from edge_gateway.device_gateway.bridges.discovery import SERVICE_TYPE, Discovery
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from tests.emulators.esphome_bridge.bridge import EmulatedBridge, Firmware
from tests.eventually import eventually
from tests.service.device_gateway.vendor_accounts.office import GUEST, OWNER, answer_for_the_fleet

LOOPBACK = "127.0.0.1"
WAIT_SECONDS = 25.0


@pytest.fixture
async def bus(database_url: str) -> AsyncIterator[MemoryBus]:
    """Return the bus of a room of bridges that listens on loopback alone."""
    bus = MemoryBus(SystemClock(), server=MemoryServer(SystemClock()))
    await answer_for_the_fleet(bus)
    pool = await open_pool(database_url, application_name="test", maximum=4)
    room = Bridges(
        bus=bus,
        pool=pool,
        clock=SystemClock(),
        box=SecretBox(new_key()),
        settings=BridgesSettings(check_seconds=0.1),
        instance_id="one",
        discovery=Discovery(interfaces=[LOOPBACK]),
    )
    await room.start()
    yield bus
    await room.stop()
    await pool.close()
    await bus.close()


async def found(bus: MemoryBus, name: str) -> FoundBridge | None:
    """Ask for what is found, as the owner; other tests may tell of theirs at the same time."""
    reply = await bus.request(routes.BRIDGES_FOUND, Asking(on_behalf_of=OWNER, account_id="home"), timeout_seconds=10)
    return next((bridge for bridge in reply.items if bridge.name == name), None)


async def test_a_bridge_in_the_network_is_found_added_and_gone_again(bus: MemoryBus) -> None:
    bridge = EmulatedBridge([], firmware=Firmware(name=f"shed-{id(bus)}"))
    await bridge.start()
    announcer = AsyncZeroconf(interfaces=[LOOPBACK])
    name = bridge.firmware.name
    told = ServiceInfo(
        SERVICE_TYPE,
        f"{name}.{SERVICE_TYPE}",
        addresses=[socket.inet_aton(LOOPBACK)],
        port=bridge.port,
        properties={"mac": bridge.firmware.mac.replace(":", "").lower(), "version": "2026.10.0"},
        server=f"{name}.local.",
    )
    await announcer.async_register_service(told)

    async def is_found() -> FoundBridge | None:
        return await found(bus, name)

    seen = await eventually(is_found, seconds=WAIT_SECONDS)
    assert (seen.host, seen.port, seen.encrypted, seen.added) == (LOOPBACK, bridge.port, False, False)
    assert seen.esphome_version == "2026.10.0"
    with pytest.raises(ForbiddenError):
        await bus.request(routes.BRIDGES_FOUND, Asking(on_behalf_of=GUEST, account_id="home"))

    question = CreateBridgeRequest(on_behalf_of=OWNER, account_id="home", host=seen.host, port=seen.port)
    await bus.request(routes.BRIDGES_CREATE, question, timeout_seconds=25)
    again = await found(bus, name)
    assert again is not None
    assert again.added

    await announcer.async_unregister_service(told)

    async def is_gone() -> bool:
        return await found(bus, name) is None

    await eventually(is_gone, seconds=WAIT_SECONDS)
    await announcer.async_close()
    await bridge.stop()
