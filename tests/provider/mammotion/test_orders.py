"""Each order: exactly the right frames reach the mower, and each step is seen before the next."""

from dataclasses import replace

import pytest
from pymammotion.utility.constant.device_enums import BreakPointReason

from edge_gateway.contracts.errors import ConflictError, InvalidError
from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.confirmation import confirms
from edge_gateway.device_gateway.decisions import Action
from edge_gateway.device_gateway.provider import Start
from tests.emulators.mammotion.control import start_from_app
from tests.emulators.mammotion.geometry import rectangle
from tests.emulators.mammotion.member import Member
from tests.provider.mammotion.hands import Followed, orders, told

START, PAUSE, RESUME, CANCEL, RETURN, CANCEL_RETURN = 1, 2, 3, 4, 5, 12


async def test_a_start_plans_the_route_and_starts_once(mower: Followed, member: Member) -> None:
    job_id = await mower.start_mowing("Back lawn")
    (route,) = [message.fields for message in told(member, "bidire_reqconver_path") if message.fields["sub_cmd"] == 0]
    (area,) = [area for area in member.mower.garden.areas if area.name == "Back lawn"]
    assert [int(zone) for zone in route["zone_hashs"]] == [area.hash]
    assert orders(member) == [START]
    assert mower.asked == 1
    state = await mower.seen(lambda state: state.progress_percent is not None)
    assert state.job is not None
    assert (state.job.id, state.job.area_ids) == (job_id, mower.area_ids("Back lawn"))


async def test_what_the_user_did_not_name_stays_the_mower_s_own(mower: Followed, member: Member) -> None:
    await mower.start_mowing()
    (route,) = [message.fields for message in told(member, "bidire_reqconver_path") if message.fields["sub_cmd"] == 0]
    assert route["knife_height"] == 45
    assert route["speed"] == pytest.approx(0.4)
    assert (route["channel_width"], route["toward"]) == (25, 15)
    assert route["edge_mode"] == 1
    assert member.mower.status.knife_height_mm == 45


async def test_what_the_user_named_goes_with_the_job(mower: Followed, member: Member) -> None:
    pattern = {"angle": 90, "speed": 0.6, "blade_height": 60, "path_spacing": 30, "border_laps": 2}
    await mower.driver.start_mow(Start(area_ids=mower.area_ids(), pattern=pattern), mower.may_move)
    (route,) = [message.fields for message in told(member, "bidire_reqconver_path") if message.fields["sub_cmd"] == 0]
    assert (route["toward"], route["toward_mode"], route["edge_mode"]) == (90, 1, 2)
    assert (route["knife_height"], route["channel_width"]) == (60, 30)
    assert route["speed"] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("pattern", "field"),
    [
        ({"blade_height": 0}, "pattern.blade_height"),
        ({"blade_height": 71}, "pattern.blade_height"),
        ({"speed": 5}, "pattern.speed"),
        ({"colour": "green"}, "pattern.colour"),
    ],
)
async def test_a_setting_out_of_its_limits_is_named_and_nothing_leaves(
    mower: Followed, member: Member, pattern: dict[str, object], field: str
) -> None:
    await mower.until(lambda: any(setting.key == "blade_height" for setting in mower.driver.settings))
    with pytest.raises(InvalidError) as caught:
        await mower.driver.start_mow(Start(area_ids=mower.area_ids(), pattern=pattern), mower.may_move)
    assert caught.value.field == field
    assert orders(member) == []


async def test_a_new_job_ends_the_paused_one_first(mower: Followed, member: Member) -> None:
    await mower.start_mowing("Front lawn")
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    await mower.start_mowing("Back lawn")
    assert orders(member) == [START, PAUSE, CANCEL, START]
    assert member.mower.job is not None
    assert len(member.mower.job.route.zone_hashs) == 1


async def test_a_new_job_while_mowing_stops_and_ends_the_old_one(mower: Followed, member: Member) -> None:
    before = await mower.start_mowing("Front lawn")
    after = await mower.start_mowing("Back lawn")
    assert orders(member) == [START, PAUSE, CANCEL, START]
    assert before != after


async def test_pause_and_resume_keep_the_job(mower: Followed, member: Member) -> None:
    job_id = await mower.start_mowing()
    await mower.driver.pause(mower.may_move)
    paused = await mower.is_doing(Activity.PAUSED)
    assert paused.job is not None
    assert paused.job.resumable
    await mower.driver.pause(mower.may_move)
    await mower.driver.resume(mower.may_move)
    resumed = await mower.is_doing(Activity.MOWING)
    assert resumed.job is not None
    assert resumed.job.id == paused.job.id == job_id
    assert orders(member) == [START, PAUSE, RESUME]


async def test_going_home_pauses_first_and_is_sent_once(mower: Followed, member: Member) -> None:
    await mower.start_mowing()
    await mower.driver.return_to_dock(mower.may_move)
    assert orders(member) == [START, PAUSE, RETURN]
    await mower.driver.return_to_dock(mower.may_move)
    await mower.is_doing(Activity.DOCKED)
    await mower.driver.return_to_dock(mower.may_move)
    assert orders(member) == [START, PAUSE, RETURN], "the order again would have called it back"


async def test_a_job_is_gone_on_with_from_the_dock(mower: Followed, member: Member) -> None:
    job_id = await mower.start_mowing()
    await mower.driver.return_to_dock(mower.may_move)
    docked = await mower.is_doing(Activity.DOCKED)
    assert docked.job is not None
    assert docked.job.resumable
    await mower.driver.resume(mower.may_move)
    state = await mower.is_doing(Activity.MOWING)
    assert state.job is not None
    assert state.job.id == job_id
    assert orders(member) == [START, PAUSE, RETURN, START], "with a breakpoint open a start goes on with the old job"


async def test_on_its_way_home_it_turns_back(mower: Followed, member: Member) -> None:
    await mower.start_mowing()
    member.mower.garden = replace(member.mower.garden, dock=(300.0, 300.0))
    await mower.driver.return_to_dock(mower.may_move)
    await mower.is_doing(Activity.RETURNING)
    await mower.driver.resume(mower.may_move)
    await mower.is_doing(Activity.MOWING)
    assert orders(member) == [START, PAUSE, RETURN, CANCEL_RETURN, RESUME]


async def test_pausing_on_its_way_home_stops_it(mower: Followed, member: Member) -> None:
    await mower.start_mowing()
    member.mower.garden = replace(member.mower.garden, dock=(300.0, 300.0))
    await mower.driver.return_to_dock(mower.may_move)
    await mower.is_doing(Activity.RETURNING)
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    assert orders(member)[-1] == CANCEL_RETURN


async def test_a_cancelled_job_is_stopped_ended_and_gone(mower: Followed, member: Member) -> None:
    await mower.start_mowing()
    await mower.driver.cancel_job(mower.may_move)
    state = await mower.seen(lambda state: state.job is None)
    assert state.activity is Activity.IDLE
    assert state.progress_percent is None
    assert orders(member) == [START, PAUSE, CANCEL]
    assert member.mower.job is None


async def test_a_job_cancelled_on_the_way_home_lets_it_go_on_home(mower: Followed, member: Member) -> None:
    await mower.start_mowing()
    member.mower.garden = replace(member.mower.garden, dock=(300.0, 300.0))
    await mower.driver.return_to_dock(mower.may_move)
    await mower.is_doing(Activity.RETURNING)
    await mower.driver.cancel_job(mower.may_move)
    assert orders(member) == [START, PAUSE, RETURN, CANCEL_RETURN, CANCEL, RETURN]
    state = await mower.seen(lambda state: state.job is None and state.activity is Activity.RETURNING)
    assert state.progress_percent is None
    # And a pause on that way is one, though there is no job that it could hold.
    await mower.driver.pause(mower.may_move)
    assert orders(member)[-1] == CANCEL_RETURN
    assert confirms(Action.PAUSE, await mower.is_doing(Activity.IDLE))


async def test_without_a_job_there_is_nothing_to_resume_or_pause(mower: Followed, member: Member) -> None:
    with pytest.raises(ConflictError):
        await mower.driver.resume(mower.may_move)
    with pytest.raises(ConflictError):
        await mower.driver.pause(mower.may_move)
    await mower.driver.cancel_job(mower.may_move)
    assert orders(member) == []


async def test_a_sleeping_mower_is_woken_first(mower: Followed, member: Member) -> None:
    before = len(mower.heard.states)
    member.fall_asleep()
    await mower.until(lambda: len(mower.heard.states) > before)
    assert mower.driver.availability.available
    assert mower.driver.state is not None
    assert mower.driver.state.activity is Activity.DOCKED
    await mower.start_mowing()
    assert orders(member) == [START]


async def test_an_area_that_was_redrawn_is_mowed_under_its_old_id(mower: Followed, member: Member) -> None:
    before = mower.area_ids("Front lawn")
    member.mower.garden = member.mower.garden.with_area("Front lawn", rectangle(2.0, 2.0, 9.0, 6.0))
    await mower.driver.start_mow(Start(area_ids=before), mower.may_move)
    assert mower.area_ids("Front lawn") == before
    assert member.mower.job is not None
    assert list(member.mower.job.route.zone_hashs) == [member.mower.garden.areas[0].hash]


async def test_an_area_that_was_deleted_is_named(mower: Followed, member: Member) -> None:
    gone = mower.area_ids("Front lawn")
    member.mower.garden = member.mower.garden.without_area("Front lawn")
    with pytest.raises(InvalidError) as caught:
        await mower.driver.start_mow(Start(area_ids=gone), mower.may_move)
    assert (caught.value.code, caught.value.field) == ("areas_gone", "area_ids")
    assert caught.value.values == {"area_ids": list(gone)}
    assert orders(member) == []


async def test_a_low_battery_is_a_break_and_not_a_new_job(mower: Followed, member: Member) -> None:
    job_id = await mower.start_mowing()
    member.mower.status.battery_percent = 20.5
    docked = await mower.is_doing(Activity.DOCKED)
    assert docked.job is not None
    assert docked.job.id == job_id
    assert member.mower.status.breakpoint_reason == BreakPointReason.LOW_BATTERY
    member.mower.status.battery_percent = 79.9
    state = await mower.is_doing(Activity.MOWING)
    assert state.job is not None
    assert state.job.id == job_id


async def test_progress_never_falls_within_a_job_and_ends_with_it(mower: Followed, member: Member) -> None:
    await mower.start_mowing("Back lawn")
    assert member.mower.job is not None
    member.mower.job.mowed_metres = member.mower.job.track.length * 0.9
    await mower.seen(lambda state: (state.progress_percent or 0) >= 90)
    member.mower.status.mow_percent = 0
    await mower.seen(lambda state: state.job is None)
    within = [state.progress_percent for state in mower.heard.states if state.job is not None]
    known = [percent for percent in within if percent is not None]
    assert known == sorted(known)
    assert mower.heard.states[-1].progress_percent is None


async def test_a_job_of_the_vendor_s_app_is_foreign_and_can_be_ended(mower: Followed, member: Member) -> None:
    assert start_from_app(member, ["Front lawn"]) == 0
    state = await mower.is_doing(Activity.MOWING)
    assert state.job is not None
    await mower.driver.cancel_job(mower.may_move)
    await mower.seen(lambda state: state.job is None)


async def test_the_blade_height_can_be_put(mower: Followed, member: Member) -> None:
    await mower.until(lambda: any(setting.key == "blade_height" for setting in mower.driver.settings))
    await mower.driver.put_setting("blade_height", 55)
    assert member.mower.status.knife_height_mm == 55
    with pytest.raises(InvalidError):
        await mower.driver.put_setting("blade_height", 0)
    assert member.mower.status.knife_height_mm == 55
