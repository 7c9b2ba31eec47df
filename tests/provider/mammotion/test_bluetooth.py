"""Mowers over a Bluetooth bridge: the real library's BluFi frames through an emulated ESPHome bridge."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from pymammotion.transport.base import BLEUnavailableError

from edge_gateway.contracts.mower import Activity, LinkKind
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from tests.emulators.esphome_bridge.bridge import EmulatedBridge
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.provider.mammotion.hands import orders, told
from tests.provider.mammotion.near import KEY, Near, link_of, near, uses


@pytest.fixture
async def place(emulator: MammotionEmulator, settings: MammotionSettings) -> AsyncIterator[Near]:
    """Return a mower that bridges can be put near to."""
    async with near(emulator, settings) as opened:
        yield opened


@pytest.mark.parametrize("key", [None, KEY], ids=["plaintext", "noise"])
async def test_a_mower_is_driven_over_a_bridge(place: Near, key: str | None) -> None:
    await place.add(EmulatedBridge([place.face.peripheral], key=key))
    mower = await place.follow()
    await uses(mower, LinkKind.BRIDGE)
    await mower.ready()
    invoked = place.emulator.cloud.orders_sent
    await mower.start_mowing("Front lawn")
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    await mower.driver.return_to_dock(mower.may_move)
    await mower.is_doing(Activity.DOCKED)
    assert orders(place.member) == [1, 2, 5]
    assert {message.over for message in told(place.member, "todev_taskctrl")} == {"bluetooth"}
    assert place.emulator.cloud.orders_sent == invoked
    link = link_of(mower, LinkKind.BRIDGE)
    assert link is not None
    assert (link.connected, link.signal_dbm) == (True, -60)
    assert link.heard_at is not None
    assert place.remembered == {place.member.name: place.face.peripheral.mac}


async def test_letting_go_ends_though_the_stack_takes_it_for_a_connection_that_failed(
    place: Near, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def changed() -> None:
        """Nobody looks."""

    async def swallow() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            message = "no connection"
            raise BLEUnavailableError(message) from None

    link, begun = place.link(place.member.name, changed), asyncio.Event()
    monkeypatch.setattr(link, "_step", swallow)
    link.start()
    await begun.wait()
    async with asyncio.timeout(5):
        await link.stop()
