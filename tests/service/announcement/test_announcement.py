"""A gateway that announces itself is found with what the integration needs, and gone when it stops."""

import asyncio
import errno

import pytest
from structlog.testing import capture_logs
from zeroconf import ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from edge_gateway.announcement import announcement
from edge_gateway.announcement.announcement import SERVICE_TYPE, Announced, Announcement
from tests.emulators.gateway import documents

LOOPBACK = "127.0.0.1"
WAIT_SECONDS = 25.0
PORT = 8765


def announced(gateway_id: str) -> Announced:
    return Announced(gateway_id=gateway_id, name="Garden", version="1.2.3", api_min=1, api_max=1)


async def test_a_gateway_is_found_in_the_network_and_takes_its_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    # Others may announce theirs on this machine's loopback at the same time.
    gateway_id = f"gateway-{id(monkeypatch)}"
    found: dict[str, AsyncServiceInfo] = {}
    changed = asyncio.Condition()
    asking: set[asyncio.Task[None]] = set()

    async def hear(zeroconf: Zeroconf, name: str, change: ServiceStateChange) -> None:
        info = AsyncServiceInfo(SERVICE_TYPE, name)
        if change is ServiceStateChange.Removed:
            found.pop(name, None)
        elif await info.async_request(zeroconf, 3000):
            found[name] = info
        async with changed:
            changed.notify_all()

    def heard(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        assert service_type == SERVICE_TYPE
        asking.add(asyncio.get_running_loop().create_task(hear(zeroconf, name, state_change)))

    def ours() -> AsyncServiceInfo | None:
        told = (each for each in found.values() if each.decoded_properties.get("gateway_id") == gateway_id)
        return next(told, None)

    network = AsyncZeroconf(interfaces=[LOOPBACK])
    browser = AsyncServiceBrowser(network.zeroconf, SERVICE_TYPE, handlers=[heard])
    part = Announcement(announced(gateway_id), port=lambda: PORT, addresses=lambda: (LOOPBACK,))
    await part.start()
    try:
        async with asyncio.timeout(WAIT_SECONDS), changed:
            await changed.wait_for(lambda: ours() is not None)
        info = ours()
        assert info is not None
        assert info.decoded_properties == announced(gateway_id).properties()
        # What the integration's own tests have a gateway say.
        assert info.decoded_properties.keys() == documents.announced().keys()
        assert (info.port, info.parsed_addresses()) == (PORT, [LOOPBACK])
        await part.stop()
        async with asyncio.timeout(WAIT_SECONDS), changed:
            await changed.wait_for(lambda: ours() is None)
    finally:
        await part.stop()
        await browser.async_cancel()
        await network.async_close()
        await asyncio.gather(*asking)


async def test_a_network_that_carries_no_announcement_is_told_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcement, "LOOK_SECONDS", 0.001)
    tried: list[list[str]] = []
    enough = asyncio.Event()

    def refuse(*, interfaces: list[str]) -> None:
        tried.append(interfaces)
        if len(tried) > 3:
            enough.set()
        raise OSError(errno.ENODEV, "no multicast")

    monkeypatch.setattr(announcement, "AsyncZeroconf", refuse)
    part = Announcement(announced("nobody"), port=lambda: PORT, addresses=lambda: (LOOPBACK,))
    with capture_logs() as logs:
        await part.start()
        async with asyncio.timeout(WAIT_SECONDS):
            await enough.wait()
        await part.stop()
    assert [each["event"] for each in logs if each["log_level"] == "warning"] == [
        "the gateway is not announced in the network"
    ]


async def test_a_look_that_fails_is_not_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcement, "LOOK_SECONDS", 0.001)
    looks = 0
    again = asyncio.Event()

    def look() -> tuple[str, ...]:
        nonlocal looks
        looks += 1
        if looks == 1:
            message = "not foreseen"
            raise RuntimeError(message)
        again.set()
        return ()

    part = Announcement(announced("nobody"), port=lambda: PORT, addresses=look)
    await part.start()
    async with asyncio.timeout(WAIT_SECONDS):
        await again.wait()
    await part.stop()
