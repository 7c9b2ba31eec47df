"""Each thing that goes wrong with bridges, by name: what mowers and health say then, and how it ends."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aioesphomeapi.client import APIClient

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from tests.emulators.esphome_bridge.bridge import PASSIVE_FEATURES, EmulatedBridge, Firmware
from tests.emulators.esphome_bridge.peripheral import FAIL_ESTABLISH, NO_ANSWER, STATUS_133
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.provider.mammotion.hands import Followed, orders, told
from tests.provider.mammotion.near import KEY, OTHER_KEY, Near, near, uses


@pytest.fixture
async def place(emulator: MammotionEmulator, settings: MammotionSettings) -> AsyncIterator[Near]:
    """Return a mower that bridges can be put near to."""
    async with near(emulator, settings) as opened:
        yield opened


async def put(place: Near, **firmware: Any) -> EmulatedBridge:  # noqa: ANN401  # what the firmware has
    """Put a bridge near the mower, with this firmware."""
    bridge = EmulatedBridge([place.face.peripheral], firmware=Firmware(**firmware))
    await place.add(bridge)
    await place.until(lambda: place.neighbourhood.bridges["bridge-1"].facts().connected)
    return bridge


async def still_driven(place: Near, mower: Followed) -> None:
    """See that the mower obeys over its other link, once per order."""
    await uses(mower, LinkKind.CLOUD)
    await mower.ready()
    await mower.start_mowing("Front lawn")
    assert [message.over for message in told(place.member, "todev_taskctrl")] == ["cloud"]


async def test_drop_the_link_is_opened_again(place: Near) -> None:
    bridge = await put(place)
    mower = await place.follow()
    await uses(mower, LinkKind.BRIDGE)
    await mower.ready()
    bridge.drop(place.face.peripheral.mac)
    await uses(mower, LinkKind.CLOUD)
    await uses(mower, LinkKind.BRIDGE)
    await mower.start_mowing("Front lawn")
    assert orders(place.member) == [1]
    assert {message.over for message in told(place.member, "todev_taskctrl")} == {"bluetooth"}


@pytest.mark.parametrize(
    "error", [STATUS_133, FAIL_ESTABLISH, NO_ANSWER], ids=["status_133", "fail_establish_0x3e", "no_answer"]
)
async def test_a_connection_that_fails_leaves_the_mower_to_the_cloud_until_it_succeeds(place: Near, error: int) -> None:
    place.face.peripheral.connect_error = error
    bridge = await put(place)
    mower = await place.follow()
    await place.until(lambda: place.face.peripheral.connects > 0)
    await still_driven(place, mower)
    place.face.peripheral.connect_error = 0
    await uses(mower, LinkKind.BRIDGE)
    assert len(bridge.connections) == 1


async def test_slots_full_nothing_is_tried_and_it_is_said(place: Near) -> None:
    bridge = await put(place, slots=1)
    bridge.occupy(1)
    mower = await place.follow()
    await place.until(lambda: BridgeCode.NO_SLOTS in place.wrong())
    await still_driven(place, mower)
    assert place.face.peripheral.connects == 0
    bridge.vacate()
    await uses(mower, LinkKind.BRIDGE)
    await place.until(lambda: BridgeCode.NO_SLOTS not in place.wrong())


async def test_wrong_key_nothing_is_sent_in_plaintext(place: Near) -> None:
    bridge = EmulatedBridge([place.face.peripheral], key=KEY)
    await place.add(bridge, key=OTHER_KEY)
    mower = await place.follow()
    await place.until(lambda: place.neighbourhood.bridges["bridge-1"].facts().connect_error == "wrong_key")
    assert bridge.requests == []
    await still_driven(place, mower)
    await place.add_again(bridge, key=KEY)
    await uses(mower, LinkKind.BRIDGE)


async def test_reboot_the_mower_comes_back(place: Near) -> None:
    bridge = await put(place)
    mower = await place.follow()
    await uses(mower, LinkKind.BRIDGE)
    await mower.ready()
    await bridge.reboot()
    await uses(mower, LinkKind.CLOUD)
    await uses(mower, LinkKind.BRIDGE)
    await place.until(lambda: BridgeCode.RESTARTED in place.wrong())
    await mower.start_mowing("Front lawn")
    assert orders(place.member) == [1]


async def test_deaf_it_is_said_and_the_bridge_restarted(place: Near) -> None:
    bridge = await put(place)
    await place.until(lambda: bool(place.neighbourhood.paths(place.member.name)))
    await place.until(lambda: place.neighbourhood.bridges["bridge-1"].memory.heard_before)
    bridge.deaf = True
    await place.until(lambda: BridgeCode.DEAF in place.wrong() or bridge.restarts > 0)
    await place.until(lambda: bridge.restarts == 1)
    await place.until(lambda: BridgeCode.DEAF not in place.wrong())
    mower = await place.follow()
    await uses(mower, LinkKind.BRIDGE)


async def thief(bridge: EmulatedBridge) -> APIClient:
    """Connect as Home Assistant does, and take the advertisements."""
    client = APIClient("127.0.0.1", bridge.port, None, client_info="Home Assistant 2026.11")
    await client.connect()
    client.subscribe_bluetooth_le_raw_advertisements(lambda _: None)
    return client


async def test_stolen_it_is_taken_back_once_then_left_and_said(place: Near) -> None:
    bridge = await put(place)
    mower = await place.follow()
    await uses(mower, LinkKind.BRIDGE)
    await mower.ready()
    ours = bridge.subscriber
    other = await thief(bridge)
    await place.until(lambda: bridge.subscriber is not ours)
    await place.until(lambda: bridge.subscriber is ours)
    assert place.wrong() == set()
    other.subscribe_bluetooth_le_raw_advertisements(lambda _: None)
    await place.until(lambda: BridgeCode.STOLEN in place.wrong())
    assert bridge.subscriber is not ours
    await still_driven(place, mower)
    (finding,) = place.health.findings(["bridge-1"])
    assert "Home Assistant" in finding.values["thief"]
    await other.disconnect()


async def test_turned_away_by_older_firmware_it_is_said(place: Near, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edge_gateway.device_gateway.bridges.health.stolen.UNSUBSCRIBED_SECONDS", 1.0)
    bridge = EmulatedBridge([place.face.peripheral], firmware=Firmware(first_subscriber_keeps=True))
    await bridge.start()
    other = await thief(bridge)
    await place.add_again(bridge)
    mower = await place.follow()
    await place.until(lambda: BridgeCode.STOLEN in place.wrong())
    await still_driven(place, mower)
    await other.disconnect()


@pytest.mark.parametrize(
    ("firmware", "code"),
    [
        ({"esphome_version": "2026.8.0"}, BridgeCode.BAD_FIRMWARE),
        ({"features": PASSIVE_FEATURES}, BridgeCode.PASSIVE_ONLY),
        ({"wifi_dbm": -81.0}, BridgeCode.WEAK_WIFI),
    ],
    ids=["firmware_to_avoid", "passive_only", "weak_wifi"],
)
async def test_what_a_bridge_is_is_said(place: Near, firmware: dict[str, Any], code: BridgeCode) -> None:
    await put(place, **firmware)
    await place.until(lambda: place.wrong() == {code})


async def test_another_device_at_its_address_is_not_taken_for_it(place: Near) -> None:
    bridge = EmulatedBridge([place.face.peripheral])
    await bridge.start()
    await place.add_again(bridge, expected_mac="aabbcc0000ff")
    await place.until(lambda: BridgeCode.WRONG_DEVICE in place.wrong())


async def test_of_several_bridges_the_one_that_hears_it_best_is_used(place: Near) -> None:
    far = EmulatedBridge([], firmware=Firmware(name="far", mac="AA:BB:CC:00:00:02"))
    bridge = EmulatedBridge([place.face.peripheral])
    far.peripherals.append(place.far_view(rssi=-85))
    await place.add(far, bridge_id="far")
    await place.add(bridge, bridge_id="near")
    await place.until(lambda: len(place.neighbourhood.paths(place.member.name)) == 2)
    mower = await place.follow()
    await uses(mower, LinkKind.BRIDGE)
    assert (len(bridge.connections), len(far.connections)) == (1, 0)
    await mower.ready()
    await bridge.stop()
    await uses(mower, LinkKind.CLOUD)
    await uses(mower, LinkKind.BRIDGE)
    assert len(far.connections) == 1
    await mower.start_mowing("Front lawn")
