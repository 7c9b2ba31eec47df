"""What goes wrong between here and the mower, and that it comes back by itself."""

import pytest
from pymammotion.proto import MctlSys, SystemUpdateBufMsg

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.mammotion.provider import MammotionProvider
from edge_gateway.device_gateway.provider import Start
from edge_gateway.device_gateway.vendor_accounts.vendor import AccountStatus
from tests.emulators.mammotion import frames
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.emulators.mammotion.faults import HttpFault
from tests.emulators.mammotion.member import Member
from tests.provider.mammotion.hands import Followed, MemoryKeeper, orders

INVOKE = "/thing/service/invoke"


async def start_all(mower: Followed) -> str:
    return await mower.driver.start_mow(Start(area_ids=mower.area_ids()), mower.may_move)


async def test_an_offline_mower_is_unavailable_and_takes_no_order(mower: Followed, member: Member) -> None:
    member.faults.offline = True
    member.tell_status(online=False)
    await mower.available(reason="vendor_offline")
    with pytest.raises(UnavailableError) as caught:
        await start_all(mower)
    assert caught.value.code == "vendor_offline"
    with pytest.raises(UnavailableError):
        await mower.driver.refresh()
    assert orders(member) == []
    member.faults.offline = False
    member.tell_status(online=True)
    await mower.available(reason=None)
    await mower.start_mowing()


async def test_an_offline_mower_is_found_again_though_nobody_tells(mower: Followed, member: Member) -> None:
    member.faults.offline = True
    with pytest.raises(UnavailableError):
        await mower.driver.refresh()
    await mower.available(reason="vendor_offline")
    member.faults.offline = False
    await mower.available(reason=None)


async def test_a_mower_that_falls_silent_is_noticed_and_comes_back(mower: Followed, member: Member) -> None:
    await mower.start_mowing()
    member.faults.silent = True
    await mower.available(reason="silent")
    member.faults.silent = False
    await mower.available(reason=None)
    await mower.is_doing(Activity.MOWING)


async def test_a_dropped_broker_connection_comes_back(mower: Followed, emulator: MammotionEmulator) -> None:
    before = emulator.broker.connections
    emulator.broker.drop_connections()
    await mower.available(reason="link_lost")
    await mower.available(reason=None)
    assert emulator.broker.connections == before + 1
    await mower.start_mowing()


async def test_nothing_is_asked_before_its_answer_can_arrive(mower: Followed, emulator: MammotionEmulator) -> None:
    emulator.broker.take_time_to_subscribe(0.3)
    before = len(mower.heard.availabilities)
    emulator.broker.drop_connections()
    await mower.available(reason="link_lost")
    await mower.available(reason=None)
    await mower.driver.refresh()
    assert {told.reason for told in mower.heard.availabilities[before:]} == {"link_lost", None}


async def test_without_the_broker_nothing_is_sent(mower: Followed, emulator: MammotionEmulator, member: Member) -> None:
    await emulator.broker.cut()
    await mower.available(reason="link_lost")
    sent = emulator.cloud.orders_sent
    with pytest.raises(UnavailableError) as caught:
        await start_all(mower)
    assert caught.value.code == "link_lost"
    assert emulator.cloud.orders_sent == sent
    assert orders(member) == []
    await emulator.broker.restore()
    await mower.available(reason=None)


async def test_too_many_requests_hold_everything_back(mower: Followed, emulator: MammotionEmulator) -> None:
    emulator.faults.http.append(HttpFault(path=INVOKE, status=429, retry_after_seconds=60))
    with pytest.raises(UnavailableError) as caught:
        await start_all(mower)
    assert caught.value.code == "rate_limited"
    sent = emulator.cloud.orders_sent
    with pytest.raises(UnavailableError) as caught:
        await start_all(mower)
    assert caught.value.code == "rate_limited"
    assert 0 < caught.value.values["retry_in_seconds"] <= 60
    assert emulator.cloud.orders_sent == sent, "not even a person's order leaves"


@pytest.mark.parametrize("status", [500, 503])
async def test_a_failing_cloud_is_told_and_tried_again_by_the_next_order(
    mower: Followed, emulator: MammotionEmulator, member: Member, status: int
) -> None:
    emulator.faults.http.append(HttpFault(path=INVOKE, status=status))
    with pytest.raises(UnavailableError) as caught:
        await start_all(mower)
    assert caught.value.code == "vendor_failed"
    assert caught.value.values == {"vendor_code": status}
    emulator.faults.clear()
    await mower.start_mowing()
    assert orders(member) == [1]


async def test_one_dead_token_is_renewed_and_nobody_notices(
    mower: Followed, emulator: MammotionEmulator, keeper: MemoryKeeper, member: Member
) -> None:
    before, tokens = keeper.saves, keeper.tokens
    emulator.faults.http.append(HttpFault(path=INVOKE, status=401, times=1))
    await mower.start_mowing()
    assert orders(member) == [1]
    assert emulator.account.refreshes == 1
    assert emulator.account.password_logins == 1
    assert keeper.saves > before
    assert keeper.tokens != tokens
    assert emulator.account.refresh_token is not None
    assert emulator.account.refresh_token in (keeper.tokens or "")


async def test_a_rejected_login_is_told_once_and_nothing_is_asked_any_more(
    mower: Followed, emulator: MammotionEmulator, keeper: MemoryKeeper
) -> None:
    emulator.account.end_session()
    with pytest.raises(UnavailableError) as caught:
        await start_all(mower)
    assert caught.value.code == "account_rejected"
    await mower.available(reason="account_rejected")
    assert keeper.statuses[-1][0] is AccountStatus.REJECTED
    calls = len(emulator.cloud.calls)
    for order in (mower.driver.refresh, lambda: start_all(mower)):
        with pytest.raises(UnavailableError) as caught:
            await order()
        assert caught.value.code == "account_rejected"
    assert len(emulator.cloud.calls) == calls
    assert emulator.account.password_logins == 1
    assert [status for status, _ in keeper.statuses].count(AccountStatus.REJECTED) == 1


async def test_after_a_new_login_the_mower_is_back(
    mower: Followed, provider: MammotionProvider, emulator: MammotionEmulator, keeper: MemoryKeeper
) -> None:
    emulator.account.end_session()
    with pytest.raises(UnavailableError):
        await mower.driver.refresh()
    await mower.available(reason="account_rejected")
    await provider.log_in(emulator.account.password)
    await mower.available(reason=None)
    assert keeper.statuses[-1] == (AccountStatus.CONNECTED, None)
    await mower.start_mowing()


async def test_a_mower_that_left_the_account_stays_known(mower: Followed, emulator: MammotionEmulator) -> None:
    member = emulator.member()
    member.faults.removed = True
    del emulator.members[member.iot_id]
    with pytest.raises(UnavailableError) as caught:
        await mower.driver.refresh()
    assert caught.value.code == "vendor_removed"
    await mower.available(reason="vendor_removed")
    assert mower.driver.state is not None


async def test_a_frame_that_the_library_cannot_read_is_dropped_and_the_connection_stays(
    mower: Followed, emulator: MammotionEmulator, member: Member
) -> None:
    before = emulator.broker.connections
    # A parameter list without parameters: the library raises out of the task that receives.
    member.say_raw(frames.wrap(sys=MctlSys(system_update_buf=SystemUpdateBufMsg(update_buf_data=[2]))))
    member.say_raw(b"\xff" * 40)
    await mower.start_mowing()
    assert emulator.broker.connections == before
    assert mower.driver.availability.available
