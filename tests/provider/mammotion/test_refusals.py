"""What the mower refuses, or nobody answers, is told with its reason; nothing is sent twice."""

import pytest

from edge_gateway.contracts.errors import DeadlineError, UnsafeError
from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.errors import OrderExpiredError
from edge_gateway.device_gateway.provider import Start
from tests.emulators.mammotion.member import Member
from tests.provider.mammotion.hands import Followed, orders

START, PAUSE, RESUME, CANCEL, RETURN, CANCEL_RETURN = 1, 2, 3, 4, 5, 12


async def test_rain_is_the_reason_when_it_is_raining(mower: Followed, member: Member) -> None:
    member.mower.status.self_check = 20
    with pytest.raises(UnsafeError) as caught:
        await mower.driver.start_mow(Start(area_ids=mower.area_ids()), mower.may_move)
    assert (caught.value.code, caught.value.values["vendor_reason"]) == ("refused_by_mower", "rain")
    assert orders(member) == []


async def test_a_refused_route_and_a_refused_start_are_told(mower: Followed, member: Member) -> None:
    member.faults.refuse_route = 7
    with pytest.raises(UnsafeError) as caught:
        await mower.driver.start_mow(Start(area_ids=mower.area_ids()), mower.may_move)
    assert caught.value.values == {"vendor_reason": "route", "vendor_result": 7}
    assert mower.asked == 0
    member.faults.refuse_route = 0
    member.faults.refuse_start = 5
    with pytest.raises(UnsafeError) as caught:
        await mower.driver.start_mow(Start(area_ids=mower.area_ids()), mower.may_move)
    assert caught.value.values == {"vendor_reason": "start", "vendor_result": 5}
    assert mower.driver.state is not None
    assert mower.driver.state.job is None


async def test_a_lost_answer_to_a_start_that_is_seen_is_no_failure(mower: Followed, member: Member) -> None:
    member.faults.lose_acknowledgements = 1
    await mower.start_mowing()
    assert orders(member) == [START]


async def test_a_start_that_nobody_answers_left_once(mower: Followed, member: Member) -> None:
    async def fall_silent() -> None:
        member.faults.mute = True
        member.faults.ignore_start = True

    with pytest.raises(DeadlineError) as caught:
        await mower.driver.start_mow(Start(area_ids=mower.area_ids()), fall_silent)
    assert caught.value.code == "outcome_unknown"
    assert orders(member) == [START]


async def test_a_gateway_s_time_out_is_no_failure_when_the_mower_moves(mower: Followed, member: Member) -> None:
    async def time_out() -> None:
        member.faults.gateway_timeouts = 1
        member.faults.lose_acknowledgements = 1

    await mower.driver.start_mow(Start(area_ids=mower.area_ids()), time_out)
    assert member.faults.gateway_timeouts == 0
    await mower.is_doing(Activity.MOWING)
    assert orders(member) == [START]


async def test_a_question_whose_answer_the_cloud_lost_is_asked_once_more(mower: Followed, member: Member) -> None:
    await mower.settled()
    member.faults.gateway_timeouts = 1
    await mower.start_mowing()
    assert orders(member) == [START]
    assert member.faults.gateway_timeouts == 0


async def test_an_order_that_expired_sends_nothing(mower: Followed, member: Member) -> None:
    async def expired() -> None:
        raise OrderExpiredError(first=True)

    with pytest.raises(OrderExpiredError):
        await mower.driver.start_mow(Start(area_ids=mower.area_ids()), expired)
    assert orders(member) == []
    state = await mower.driver.refresh()
    assert state.job is None


async def test_a_silent_mower_is_told_to_pause_all_the_same(mower: Followed, member: Member) -> None:
    await mower.start_mowing()
    member.faults.mute = True
    await mower.until(lambda: mower.driver.availability.reason == "silent")
    with pytest.raises(DeadlineError):
        await mower.driver.pause(mower.may_move)
    assert orders(member) == [START, PAUSE]
    with pytest.raises(DeadlineError) as caught:
        await mower.driver.resume(mower.may_move)
    assert caught.value.code == "no_answer"
    assert orders(member) == [START, PAUSE]
