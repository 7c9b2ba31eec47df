"""What the gateway relies on when it drives a mower through any provider."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from edge_gateway.contracts.errors import DeadlineError, InvalidError, UnavailableError, UnsafeError
from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.confirmation import confirms
from edge_gateway.device_gateway.decisions import Action
from edge_gateway.device_gateway.errors import LeaseLostError
from edge_gateway.device_gateway.provider import Driver, MayMove, Start
from edge_gateway.device_gateway.start_rule import open_job
from tests.provider.conformance.bench import ACCOUNT_ID, MOWER_ID, Bench, Found, OnBench

type Order = Callable[[Driver, MayMove], Awaitable[object]]


def every_area(driver: Driver) -> Start:
    if not driver.capabilities.has_areas:
        return Start(area_ids=())
    assert driver.map is not None
    return Start(area_ids=tuple(area.id for area in driver.map.areas))


async def start_mowing(mower: OnBench) -> str:
    job_id = await mower.driver.start_mow(every_area(mower.driver), mower.may_move)
    await mower.seen(lambda state: confirms(Action.START_NEW, state, job_id=job_id))
    return job_id


ORDERS: dict[str, Order] = {
    "start_mow": lambda driver, may_move: driver.start_mow(every_area(driver), may_move),
    "resume": lambda driver, may_move: driver.resume(may_move),
    "pause": lambda driver, may_move: driver.pause(may_move),
    "return_to_dock": lambda driver, may_move: driver.return_to_dock(may_move),
    "cancel_job": lambda driver, may_move: driver.cancel_job(may_move),
}
each_order = pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS.keys())


async def test_a_mower_keeps_its_vendor_key(bench: Bench) -> None:
    keys = []
    for _ in range(2):
        found = Found()
        await bench.provider.start(found)
        async with asyncio.timeout(bench.wait_seconds):
            one = await found.mowers.get()
        assert one.name
        keys.append(one.vendor_key)
        await bench.provider.stop()
    assert keys[0] == keys[1]


async def test_the_map_is_whole_and_of_the_mower_that_was_asked_for(mower: OnBench) -> None:
    known = mower.driver.map
    if known is None:
        assert not mower.driver.capabilities.has_areas
        return
    assert (known.mower_id, known.account_id) == (MOWER_ID, ACCOUNT_ID)
    assert known.complete
    assert bool(known.areas) is mower.driver.capabilities.has_areas
    assert len({area.id for area in known.areas}) == len(known.areas)
    assert all(area.name and len(area.boundary) >= 3 for area in known.areas)


async def test_it_begins_docked_with_what_it_knows(mower: OnBench) -> None:
    state = mower.driver.state
    assert state is not None
    assert state.activity is Activity.DOCKED
    assert state.on_charger
    assert state.battery_percent is None or 0 < state.battery_percent <= 100
    assert state.observed_at.utcoffset() == timedelta()
    assert state.observed_at <= datetime.now(UTC)


async def test_started_means_seen_mowing_on_its_own_job(mower: OnBench) -> None:
    job_id = await start_mowing(mower)
    state = mower.driver.state
    assert state is not None
    assert state.job is not None
    assert state.job.id == job_id
    assert state.job.command_id is None
    assert state.progress_percent is None or 0 <= state.progress_percent <= 100
    assert mower.asked == mower.bench.frames() > 0


async def test_paused_then_resumed_is_the_same_job(mower: OnBench) -> None:
    job_id = await start_mowing(mower)
    await mower.driver.pause(mower.may_move)
    paused = await mower.seen(lambda state: confirms(Action.PAUSE, state))
    assert paused.activity is Activity.PAUSED
    assert paused.job is not None
    assert paused.job.id == job_id
    await mower.driver.resume(mower.may_move)
    resumed = await mower.seen(lambda state: confirms(Action.RESUME, state))
    assert resumed.job is not None
    assert resumed.job.id == job_id


async def test_sent_home_the_job_stays_open_and_is_gone_on_with(mower: OnBench) -> None:
    job_id = await start_mowing(mower)
    await mower.driver.return_to_dock(mower.may_move)
    docked = await mower.seen(lambda state: state.activity is Activity.DOCKED)
    assert docked.on_charger
    assert docked.job is not None
    assert docked.job.id == job_id
    assert docked.job.resumable
    await mower.driver.resume(mower.may_move)
    resumed = await mower.seen(lambda state: confirms(Action.RESUME, state))
    assert resumed.job is not None
    assert resumed.job.id == job_id


async def test_cancelled_nothing_is_left_to_resume(mower: OnBench) -> None:
    await start_mowing(mower)
    await mower.driver.cancel_job(mower.may_move)
    state = await mower.seen(lambda state: confirms(Action.CANCEL_JOB, state))
    assert open_job(state) is None


async def test_a_new_job_ends_the_open_one_first(mower: OnBench) -> None:
    before = await start_mowing(mower)
    await mower.driver.pause(mower.may_move)
    await mower.seen(lambda state: state.activity is Activity.PAUSED)
    asked = mower.asked
    after = await start_mowing(mower)
    assert after != before
    assert mower.asked > asked + 1, "the cancel and the start each asked"


async def test_turning_back_is_what_the_capabilities_say(mower: OnBench) -> None:
    await start_mowing(mower)
    await mower.driver.return_to_dock(mower.may_move)
    await mower.seen(lambda state: state.activity in {Activity.RETURNING, Activity.DOCKED})
    if not mower.driver.capabilities.can_resume_while_returning:
        return
    await mower.driver.resume(mower.may_move)
    await mower.seen(lambda state: confirms(Action.RESUME, state))


@each_order
async def test_no_frame_leaves_that_may_not(mower: OnBench, order: Order) -> None:
    async def may_not() -> None:
        raise LeaseLostError

    await start_mowing(mower)
    frames = mower.bench.frames()
    with pytest.raises(LeaseLostError):
        await order(mower.driver, may_not)
    assert mower.bench.frames() == frames


@each_order
async def test_over_a_broken_link_nothing_is_sent_and_nothing_waits(mower: OnBench, order: Order) -> None:
    await start_mowing(mower)
    frames = mower.bench.frames()
    await mower.bench.break_link()
    await mower.available(wanted=False)
    with pytest.raises(UnavailableError):
        await order(mower.driver, mower.may_move)
    # A report that was on its way when the link broke may have come in between.
    await mower.available(wanted=False)
    assert mower.heard.availabilities[-1].reason
    await mower.bench.mend_link()
    await mower.available(wanted=True)
    await mower.driver.refresh()
    assert mower.bench.frames() == frames, "it was not sent later either"


@each_order
async def test_an_answer_that_does_not_come_is_an_unknown_outcome(mower: OnBench, order: Order) -> None:
    await start_mowing(mower)
    await mower.bench.silence()
    with pytest.raises(DeadlineError):
        await order(mower.driver, mower.may_move)


@each_order
async def test_a_refusal_is_told_with_the_vendors_reason(mower: OnBench, order: Order) -> None:
    await start_mowing(mower)
    await mower.bench.refuse()
    with pytest.raises(UnsafeError) as caught:
        await order(mower.driver, mower.may_move)
    assert caught.value.code == "refused_by_mower"
    assert caught.value.values["vendor_reason"]


async def test_what_a_job_cannot_be_told_is_named_and_nothing_leaves(mower: OnBench) -> None:
    start = every_area(mower.driver)
    listed = mower.driver.capabilities.job_settings
    numbers = [setting for setting in listed if setting.maximum is not None]
    wrong: list[tuple[str, object]] = [("no_such_thing", 1), *((one.key, (one.maximum or 0) + 1) for one in numbers)]
    wrong += [(one.key, "no such word") for one in listed if one.allowed is not None]
    for key, value in wrong:
        with pytest.raises(InvalidError) as caught:
            await mower.driver.start_mow(Start(area_ids=start.area_ids, pattern={key: value}), mower.may_move)
        assert caught.value.field == f"pattern.{key}"
    assert mower.bench.frames() == 0


async def test_a_job_is_told_what_the_capabilities_name(mower: OnBench) -> None:
    listed = mower.driver.capabilities.job_settings
    pattern: dict[str, Any] = {one.key: one.minimum for one in listed if one.minimum is not None}
    pattern |= {one.key: one.allowed[0] for one in listed if one.allowed is not None}
    if "grid_first" in pattern:
        pattern["grid_first"] = True
    start = Start(area_ids=every_area(mower.driver).area_ids, pattern=pattern)
    await mower.driver.start_mow(start, mower.may_move)
    await mower.seen(lambda state: state.activity is Activity.MOWING)


async def test_a_refresh_is_a_fresh_state_that_the_listener_hears_too(mower: OnBench) -> None:
    before = datetime.now(UTC)
    state = await mower.driver.refresh()
    assert state.observed_at >= before - timedelta(milliseconds=50)
    assert state in mower.heard.states
    assert mower.driver.state is not None


async def test_a_refresh_over_a_broken_link_is_not_answered_from_memory(mower: OnBench) -> None:
    await mower.bench.break_link()
    await mower.available(wanted=False)
    with pytest.raises(UnavailableError):
        await mower.driver.refresh()


async def test_a_setting_changes_and_is_listed(mower: OnBench) -> None:
    key, value = mower.bench.setting
    await mower.driver.put_setting(key, value)
    await mower.heard.until(
        lambda: any(setting.key == key and setting.value == value for setting in mower.driver.settings),
        seconds=mower.bench.wait_seconds,
    )


async def test_a_setting_that_is_not_there_is_named(mower: OnBench) -> None:
    with pytest.raises(InvalidError) as caught:
        await mower.driver.put_setting("no_such_setting", 1)
    assert caught.value.field == "setting_key"


async def test_a_value_that_is_not_allowed_is_named(mower: OnBench) -> None:
    key, _ = mower.bench.setting
    with pytest.raises(InvalidError) as caught:
        await mower.driver.put_setting(key, "no such value")
    assert caught.value.field == "setting_value"


async def test_after_a_restart_the_mower_is_still_on_its_job(mower: OnBench) -> None:
    job_id = await start_mowing(mower)
    frames = mower.bench.frames()
    await mower.driver.stop()
    heard = len(mower.heard.states)
    await mower.start_anew()
    state = await mower.seen(lambda state: state.job is not None and len(mower.heard.states) > heard)
    assert state.job is not None
    assert state.job.id == job_id
    assert mower.bench.frames() == frames
