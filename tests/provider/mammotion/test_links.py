"""A mower with two links: what happens when one of them is lost in the middle of a job, and when Bluetooth is lent."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from edge_gateway.contracts.mower import Activity, LinkKind
from edge_gateway.device_gateway.link_preference import LinkPreference
from edge_gateway.device_gateway.mammotion import link_rule
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from tests.emulators.esphome_bridge.bridge import EmulatedBridge
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.eventually import eventually
from tests.provider.mammotion.hands import orders, told
from tests.provider.mammotion.near import KEY, Near, cut, near, restore, uses

CLOUD_FIRST = (LinkKind.CLOUD, LinkKind.BRIDGE)


@pytest.fixture
async def place(emulator: MammotionEmulator, settings: MammotionSettings) -> AsyncIterator[Near]:
    """Return a mower near a bridge."""
    async with near(emulator, settings) as opened:
        await opened.add(EmulatedBridge([opened.face.peripheral], key=KEY))
        yield opened


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let links change over within a second."""
    monkeypatch.setattr(link_rule, "CLOUD_LOST_SECONDS", 0.3)
    monkeypatch.setattr(link_rule, "CLOUD_BACK_SECONDS", 0.5)


@pytest.mark.usefixtures("hasty")
async def test_the_cloud_goes_in_the_middle_of_a_job_and_the_bridge_carries_on_and_back(place: Near) -> None:
    mower = await place.follow()
    mower.driver.prefer_links(LinkPreference(order=CLOUD_FIRST))
    await uses(mower, LinkKind.CLOUD)
    await mower.ready()
    await mower.start_mowing("Front lawn")
    await cut(place.emulator)
    await uses(mower, LinkKind.BRIDGE)
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    await restore(place.emulator)
    await uses(mower, LinkKind.CLOUD)
    await mower.driver.resume(mower.may_move)
    await mower.is_doing(Activity.MOWING)
    assert orders(place.member) == [1, 2, 3]
    assert [message.over for message in told(place.member, "todev_taskctrl")] == ["cloud", "bluetooth", "cloud"]
    assert not any(availability.reason == "silent" for availability in mower.heard.availabilities)


async def test_the_bridge_goes_in_the_middle_of_a_job_and_the_cloud_carries_on_and_back(place: Near) -> None:
    mower = await place.follow()
    await uses(mower, LinkKind.BRIDGE)
    await mower.ready()
    await mower.start_mowing("Front lawn")
    (bridge,) = place.bridges
    await bridge.stop()
    await uses(mower, LinkKind.CLOUD)
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    await bridge.start()
    await uses(mower, LinkKind.BRIDGE)
    await mower.driver.resume(mower.may_move)
    await mower.is_doing(Activity.MOWING)
    assert [message.over for message in told(place.member, "todev_taskctrl")] == ["bluetooth", "cloud", "bluetooth"]
    assert orders(place.member) == [1, 2, 3]


async def test_an_order_whose_answer_the_bridge_swallows_is_not_sent_again_over_the_cloud(place: Near) -> None:
    mower = await place.follow()
    await uses(mower, LinkKind.BRIDGE)
    await mower.ready()
    await mower.start_mowing("Front lawn")
    (bridge,) = place.bridges
    # The bridge hands the frame on and never says so: it may have left, so nobody sends it once more.
    bridge.mute = True
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    await uses(mower, LinkKind.CLOUD)
    assert orders(place.member) == [1, 2]


async def test_bluetooth_is_lent_to_the_phone_and_taken_back(place: Near) -> None:
    mower = await place.follow()
    await uses(mower, LinkKind.BRIDGE)
    await mower.ready()
    (bridge,) = place.bridges
    mower.driver.prefer_links(LinkPreference(released_until=datetime.now(UTC) + timedelta(minutes=10)))

    async def released() -> bool:
        return not bridge.connections

    await eventually(released)
    await uses(mower, LinkKind.CLOUD)
    mower.driver.prefer_links(LinkPreference())
    await uses(mower, LinkKind.BRIDGE)


async def test_a_mower_of_a_rejected_login_is_driven_over_the_bridge_alone(place: Near) -> None:
    mower = await place.follow()
    await uses(mower, LinkKind.BRIDGE)
    await mower.ready()
    place.emulator.account.end_session()
    await place.provider._rejected()  # noqa: SLF001  # what the library tells when the cloud takes the login no more
    assert mower.driver.availability.available
    await mower.start_mowing("Front lawn")
    await mower.driver.return_to_dock(mower.may_move)
    await mower.is_doing(Activity.DOCKED)
    assert {message.over for message in told(place.member, "todev_taskctrl")} == {"bluetooth"}
