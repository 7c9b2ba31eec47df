"""What an account has and uses: mowers that come and go, requests that are counted and shown."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.device_gateway.mammotion.provider import MammotionProvider
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.vendor_accounts.vendor import Login
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.emulators.mammotion.faults import HttpFault
from tests.emulators.mammotion.member import Member
from tests.eventually import eventually
from tests.provider.mammotion.hands import Followed, Found, Heard, MemoryKeeper

INVOKE = "/thing/service/invoke"
VERSIONS = "/device-server/v1/devices/version/check"
NEWER = "1.31.0.4"


@pytest.fixture
async def provider(
    emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> AsyncIterator[MammotionProvider]:
    """Return a provider that looks for new mowers all the time."""
    login = Login(vendor_account_id="vendor-account-1", username=emulator.account.username)
    eager = settings.model_copy(update={"look_for_mowers_seconds": 0.2, "look_for_firmware_seconds": 0.1})
    provider = MammotionProvider(login, keeper, secrets=None, rejected=False, settings=eager, clock=SystemClock())
    await provider.log_in(emulator.account.password)
    yield provider
    await provider.stop()


async def test_a_mower_that_comes_into_the_account_later_is_found(
    mower: Followed, provider: MammotionProvider, emulator: MammotionEmulator
) -> None:
    emulator.add_mower("Luba-VPEMU0002")
    await mower.found.until(lambda: any(one.vendor_key == "Luba-VPEMU0002" for one in mower.found.mowers))
    found = next(one for one in mower.found.mowers if one.vendor_key == "Luba-VPEMU0002")
    driver, heard = provider.driver(found, mower_id="mower-2", account_id="home"), Heard()
    await driver.start(heard)
    second = Followed(driver, heard, mower.found)
    await second.ready()
    await second.start_mowing()
    await driver.stop()
    assert emulator.account.password_logins == 1


async def test_a_mower_that_the_list_misses_for_a_while_is_kept_and_driven(
    mower: Followed, emulator: MammotionEmulator
) -> None:
    emulator.cloud.hidden.add("Luba-VPEMU0001")
    looks = emulator.cloud.call_counts["/v1/user/device/page"]

    async def looked_twice() -> bool | None:
        return True if emulator.cloud.call_counts["/v1/user/device/page"] >= looks + 2 else None

    assert await eventually(looked_twice)
    assert mower.driver.availability.available
    await mower.start_mowing()


async def test_a_mower_that_was_gone_is_driven_again_when_it_is_back(
    mower: Followed, emulator: MammotionEmulator
) -> None:
    member = emulator.member()
    member.faults.removed = True
    del emulator.members[member.iot_id]
    with pytest.raises(UnavailableError):
        await mower.driver.refresh()
    await mower.available(reason="vendor_removed")
    member.faults.removed = False
    emulator.members[member.iot_id] = member
    await mower.available(reason=None)
    await mower.start_mowing()


async def test_the_newest_firmware_is_told_and_that_the_mower_has_it_then(mower: Followed, member: Member) -> None:
    before = member.mower.model.firmware

    def told(installed: str, newest: str) -> bool:
        found = mower.found.mowers[-1]
        return (found.firmware_version, found.newest_firmware_version) == (installed, newest)

    await mower.found.until(lambda: told(before, before))
    member.newest_firmware = NEWER
    await mower.found.until(lambda: told(before, NEWER))
    member.mower.model = replace(member.mower.model, firmware=NEWER)
    await mower.found.until(lambda: told(NEWER, NEWER))


async def test_the_newest_firmware_is_asked_for_once_a_day_and_when_a_mower_is_new(
    emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> None:
    emulator.add_mower("Luba-VPEMU0002")
    eager = settings.model_copy(update={"look_for_mowers_seconds": 0.1})
    login = Login(vendor_account_id="vendor-account-1", username=emulator.account.username)
    provider = MammotionProvider(login, keeper, secrets=None, rejected=False, settings=eager, clock=SystemClock())
    await provider.log_in(emulator.account.password)
    found = Found()
    await provider.start(found)

    def told() -> set[str]:
        return {one.vendor_key for one in found.mowers if one.newest_firmware_version is not None}

    await found.until(lambda: len(told()) == 2)
    looks = emulator.cloud.call_counts["/v1/user/device/page"]
    await found.until(lambda: emulator.cloud.call_counts["/v1/user/device/page"] >= looks + 3)
    assert emulator.cloud.call_counts[VERSIONS] == 1, "for both"
    emulator.add_mower("Luba-VPEMU0003")
    await found.until(lambda: len(told()) == 3)
    assert emulator.cloud.call_counts[VERSIONS] == 2
    await provider.stop()


async def test_a_cloud_that_does_not_tell_of_firmware_disturbs_nothing(
    mower: Followed, provider: MammotionProvider, member: Member, emulator: MammotionEmulator
) -> None:
    await mower.found.until(lambda: mower.found.mowers[-1].newest_firmware_version is not None)
    emulator.faults.http.append(HttpFault(path=VERSIONS, status=500))
    member.newest_firmware = NEWER
    asked = emulator.cloud.call_counts[VERSIONS]
    with capture_logs() as logs:
        await mower.found.until(lambda: emulator.cloud.call_counts[VERSIONS] >= asked + 3)
    assert [line["event"] for line in logs].count("the newest firmware was not told") == 1
    assert mower.found.mowers[-1].newest_firmware_version == member.mower.model.firmware
    assert provider.usage is not None
    assert not provider.usage.backing_off
    await mower.start_mowing()
    emulator.faults.http.clear()
    await mower.found.until(lambda: mower.found.mowers[-1].newest_firmware_version == NEWER)


async def test_every_request_is_counted_and_shown(
    mower: Followed, provider: MammotionProvider, emulator: MammotionEmulator
) -> None:
    await mower.start_mowing()
    usage = provider.usage
    assert usage is not None
    assert usage.used == emulator.cloud.orders_sent
    assert usage.requests == len(emulator.cloud.calls)
    assert usage.limit is None, "the vendor has none for this firmware"
    assert not usage.backing_off


async def test_backing_off_is_shown_with_its_reason_and_nothing_is_looked_for(
    mower: Followed, provider: MammotionProvider, emulator: MammotionEmulator
) -> None:
    emulator.faults.http.append(HttpFault(path=INVOKE, status=429, retry_after_seconds=60))
    with pytest.raises(UnavailableError):
        await mower.driver.refresh()
    usage = provider.usage
    assert usage is not None
    assert usage.backing_off
    assert usage.reason == "rate_limited"
    assert usage.retry_in_seconds is not None
    assert 50 <= usage.retry_in_seconds <= 60


async def test_too_much_that_is_said_in_a_good_answer_holds_back_too(
    mower: Followed, provider: MammotionProvider, emulator: MammotionEmulator
) -> None:
    emulator.faults.http.append(HttpFault(path=INVOKE, status=200, code=429))
    with pytest.raises(UnavailableError) as caught:
        await mower.driver.refresh()
    assert caught.value.code == "rate_limited"
    usage = provider.usage
    assert usage is not None
    assert (usage.backing_off, usage.reason) == (True, "rate_limited")
