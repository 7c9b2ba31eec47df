"""Mowers over Bluetooth that Home Assistant lends: the real library's BluFi frames through an emulated one."""

from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from edge_gateway.contracts.bluetooth_lending import Connect, Disconnect
from edge_gateway.contracts.errors import DeadlineError, UnavailableError
from edge_gateway.contracts.mower import Activity, LinkKind
from edge_gateway.device_gateway.link_preference import LinkPreference
from edge_gateway.device_gateway.mammotion import link_rule
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from tests.emulators.esphome_bridge.bridge import EmulatedBridge
from tests.emulators.home_assistant_bluetooth.lender import Mishap
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.provider.mammotion.hands import Followed, orders, told
from tests.provider.mammotion.lent import Lent, lent, moves_the_mower
from tests.provider.mammotion.near import cut, link_of, restore, uses

BRIDGE, LENT, CLOUD = LinkKind.BRIDGE, LinkKind.HOME_ASSISTANT, LinkKind.CLOUD
LENT_FIRST = LinkPreference(order=(LENT, CLOUD))


@pytest.fixture
async def house(emulator: MammotionEmulator, settings: MammotionSettings) -> AsyncIterator[Lent]:
    """Return a mower near a Home Assistant that lends its Bluetooth."""
    async with lent(emulator, settings) as opened:
        yield opened


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let links change over within a second."""
    monkeypatch.setattr(link_rule, "CLOUD_LOST_SECONDS", 0.3)
    monkeypatch.setattr(link_rule, "CLOUD_BACK_SECONDS", 0.5)
    monkeypatch.setattr(link_rule, "RETURN_SECONDS", 0.3)


async def follow(house: Lent, *order: LinkKind) -> Followed:
    """Follow the mower, its links used in this order."""
    mower = await house.place.follow()
    mower.driver.prefer_links(LinkPreference(order=order))
    return mower


async def reached(house: Lent, *order: LinkKind) -> Followed:
    """Follow the mower until it is reached over Home Assistant."""
    mower = await follow(house, *order)
    await uses(mower, LENT)
    await mower.ready()
    return mower


def ways(house: Lent) -> list[str]:
    """Return over which links the frames came that move the mower."""
    return [message.over for message in told(house.place.member, "todev_taskctrl")]


async def without_cloud(house: Lent, mower: Followed) -> None:
    """Wait until the cloud, which its owner left out, is not used any more."""

    def left() -> bool:
        link = link_of(mower, CLOUD)
        return link is not None and not link.connected

    await house.place.until(left)


async def test_a_mower_is_driven_over_home_assistant_when_its_owner_says_so(house: Lent) -> None:
    mower = await house.place.follow()
    await uses(mower, CLOUD)
    await house.place.until(lambda: house.home.dials == 1)
    assert (house.home.watched, link_of(mower, LENT)) == ((), None)
    mower.driver.prefer_links(LENT_FIRST)
    await uses(mower, LENT)
    await mower.ready()
    assert house.home.watched == (house.place.member.name,)
    await mower.start_mowing("Front lawn")
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    await mower.driver.return_to_dock(mower.may_move)
    await mower.is_doing(Activity.DOCKED)
    assert orders(house.place.member) == [1, 2, 5]
    assert set(ways(house)) == {"bluetooth"}
    link = link_of(mower, LENT)
    assert link is not None
    assert (link.connected, link.signal_dbm, link.heard_at is None) == (True, -60, False)
    until = datetime.now(UTC) + timedelta(minutes=10)
    mower.driver.prefer_links(msgspec.structs.replace(LENT_FIRST, released_until=until))
    await house.place.until(lambda: not house.home.connections)
    assert isinstance(house.home.told[-1], Disconnect)
    await uses(mower, CLOUD)
    mower.driver.prefer_links(LENT_FIRST)
    await uses(mower, LENT)
    mower.driver.prefer_links(LinkPreference())
    await uses(mower, CLOUD)
    await house.place.until(lambda: not house.home.connections and house.home.watched == ())


async def test_a_mower_that_is_lost_is_connected_again_and_what_is_lent_ends_with_either_side(house: Lent) -> None:
    mower = await reached(house, LENT, CLOUD)
    await mower.start_mowing("Front lawn")

    async def restart_the_gateway() -> None:
        await house.desk.stop()
        await house.place.until(lambda: not house.home.connections)
        await house.desk.start()

    async def lose_a_word() -> None:
        house.home.faults.lose_notification = True

    async def lose_it() -> None:
        house.home.drop()

    async def cut_the_line() -> None:
        house.home.cut()

    for mishap in (lose_it, lose_a_word, cut_the_line, restart_the_gateway):
        before = house.place.face.peripheral.connects
        await mishap()
        await house.connected_more_often_than(before)
        await uses(mower, LENT)
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    assert orders(house.place.member) == [1, 2]


async def test_without_a_slot_nothing_is_tried_and_a_connection_that_fails_is_left_to_the_cloud(house: Lent) -> None:
    house.home.occupy(3)
    mower = await follow(house, LENT, CLOUD)
    await house.place.until(lambda: house.home.watched != ())
    await uses(mower, CLOUD)
    await mower.ready()
    assert not any(isinstance(message, Connect) for message in house.home.told)
    house.home.faults.refuse = "no_answer"
    house.home.occupy(0)
    await house.place.until(lambda: any(isinstance(message, Connect) for message in house.home.told))
    await mower.start_mowing("Front lawn")
    assert ways(house) == ["cloud"]
    house.home.faults.refuse = None
    await uses(mower, LENT)


async def test_whatever_becomes_of_a_write_no_order_is_doubled_or_lost(house: Lent) -> None:
    mower = await reached(house, LENT, CLOUD)
    member, faults = house.place.member, house.home.faults
    await mower.start_mowing("Front lawn")
    faults.struck = moves_the_mower
    # It certainly did not leave: the next link takes it.
    faults.write = Mishap.SPENT
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    assert ways(house) == ["bluetooth", "cloud"]
    # It may have left, and did: it is not sent again, whether the mower's answer comes or not.
    for mishap, activity, order in (
        (Mishap.FAILED, Activity.MOWING, mower.driver.resume),
        (Mishap.MUTE, Activity.PAUSED, mower.driver.pause),
    ):
        await uses(mower, LENT)
        faults.write, faults.then_cut = mishap, mishap is Mishap.MUTE
        with suppress(DeadlineError):
            await order(mower.may_move)
        await mower.is_doing(activity)
    assert orders(member) == [1, 2, 3, 2]
    # It may have left, and did not.
    await uses(mower, LENT)
    faults.write = Mishap.LOST
    with pytest.raises(DeadlineError):
        await mower.driver.resume(mower.may_move)
    # It certainly did not leave, and there is no other link.
    mower.driver.prefer_links(LinkPreference(order=(LENT,)))
    await uses(mower, LENT)
    await without_cloud(house, mower)
    faults.write, faults.then_cut = Mishap.SPENT, False
    with pytest.raises(UnavailableError):
        await mower.driver.resume(mower.may_move)
    assert orders(member) == [1, 2, 3, 2]
    await uses(mower, LENT)
    await mower.driver.resume(mower.may_move)
    await mower.is_doing(Activity.MOWING)
    assert orders(member) == [1, 2, 3, 2, 3]
    mower.driver.prefer_links(LinkPreference(order=(CLOUD,)))
    await uses(mower, CLOUD)
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    assert ways(house)[-1] == "cloud"


@pytest.mark.usefixtures("hasty")
async def test_the_cloud_goes_in_the_middle_of_a_job_and_home_assistant_carries_on_and_back(house: Lent) -> None:
    mower = await follow(house, CLOUD, LENT)
    await uses(mower, CLOUD)
    await mower.ready()
    await mower.start_mowing("Front lawn")
    await cut(house.place.emulator)
    await uses(mower, LENT)
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    await restore(house.place.emulator)
    await uses(mower, CLOUD)
    await mower.driver.resume(mower.may_move)
    await mower.is_doing(Activity.MOWING)
    assert orders(house.place.member) == [1, 2, 3]
    assert ways(house) == ["cloud", "bluetooth", "cloud"]


@pytest.mark.usefixtures("hasty")
async def test_a_bridge_goes_in_the_middle_of_a_job_and_home_assistant_carries_on_and_back(house: Lent) -> None:
    bridge = EmulatedBridge([house.place.face.peripheral])
    await house.place.add(bridge)
    mower = await follow(house, BRIDGE, LENT)
    await uses(mower, BRIDGE)
    await mower.ready()
    await mower.start_mowing("Front lawn")
    assert house.home.connections == {}
    await bridge.stop()
    await uses(mower, LENT)
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    await bridge.start()
    await uses(mower, BRIDGE)
    await house.place.until(lambda: house.home.connections == {})
    await mower.driver.resume(mower.may_move)
    await mower.is_doing(Activity.MOWING)
    assert orders(house.place.member) == [1, 2, 3]
    assert [link.kind for link in mower.driver.availability.links][:2] == [BRIDGE, LENT]
