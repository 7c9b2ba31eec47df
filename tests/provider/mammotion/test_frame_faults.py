"""Frames of the mower that get lost, come twice, late or in the wrong order, and those of one that just started."""

from dataclasses import fields
from pathlib import Path

from edge_gateway.contracts.mower import Activity
from tests.emulators.mammotion.faults import HttpFault, MowerFaults
from tests.emulators.mammotion.geometry import rectangle
from tests.emulators.mammotion.member import Member
from tests.provider.mammotion.hands import Followed, orders

START, PAUSE, RESUME = 1, 2, 3


async def mow_pause_and_go_on(mower: Followed, member: Member) -> None:
    """Give three orders and see each; every frame that moves the mower left once, and it is one job."""
    job_id = await mower.start_mowing()
    await mower.driver.pause(mower.may_move)
    await mower.is_doing(Activity.PAUSED)
    await mower.driver.resume(mower.may_move)
    state = await mower.is_doing(Activity.MOWING)
    assert orders(member) == [START, PAUSE, RESUME]
    assert state.job is not None
    assert state.job.id == job_id


async def test_drops_the_first_answers_to_an_order_are_lost(mower: Followed, member: Member) -> None:
    member.faults.drop_next = 2
    await mow_pause_and_go_on(mower, member)
    assert member.faults.drop_next == 0


async def test_drops_with_every_second_frame_lost_the_mower_is_followed_all_the_same(
    mower: Followed, member: Member
) -> None:
    await mower.start_mowing()
    member.faults.drop_every = 2
    begin, told = len(mower.heard.states), len(mower.heard.availabilities)
    await mower.until(lambda: len(mower.heard.states) >= begin + 8)
    assert all(state.activity is Activity.MOWING for state in mower.heard.states[begin:])
    assert all(availability.available for availability in mower.heard.availabilities[told:])


async def test_duplicates_each_frame_comes_twice(mower: Followed, member: Member) -> None:
    member.faults.duplicate = True
    await mow_pause_and_go_on(mower, member)


async def test_late_frames_are_waited_for(mower: Followed, member: Member) -> None:
    member.faults.late_seconds = 0.25
    await mow_pause_and_go_on(mower, member)


async def test_reordered_frames_never_take_the_mower_back(mower: Followed, member: Member) -> None:
    member.faults.reorder = True
    await mow_pause_and_go_on(mower, member)
    begin = len(mower.heard.states)
    await mower.until(lambda: len(mower.heard.states) >= begin + 10)
    driven = [(report.latitude, report.longitude) for report in member.conversation.reported]

    def step(latitude: float, longitude: float) -> int:
        return min(range(len(driven)), key=lambda at: abs(driven[at][0] - latitude) + abs(driven[at][1] - longitude))

    told = [state.position for state in mower.heard.states[begin:] if state.position is not None]
    steps = [step(position.latitude, position.longitude) for position in told]
    assert len(steps) >= 10
    assert steps == sorted(steps)


async def test_new_hashes_during_a_job_keep_job_and_areas(mower: Followed, member: Member) -> None:
    before = mower.area_ids("Front lawn")
    job_id = await mower.start_mowing()
    member.mower.garden = member.mower.garden.with_area("Front lawn", rectangle(1.2, 2.0, 8.8, 6.2))
    known = mower.driver.map
    await mower.until(lambda: mower.driver.map is not known and mower.driver.map is not None)
    assert mower.area_ids("Front lawn") == before
    state = await mower.is_doing(Activity.MOWING)
    assert state.job is not None
    assert state.job.id == job_id


async def test_reboot_zeros_are_no_state(mower: Followed, member: Member) -> None:
    job_id = await mower.start_mowing()
    await mower.seen(lambda state: (state.progress_percent or 0) > 0)
    begin, before = len(mower.heard.states), mower.heard.states[-1].progress_percent
    member.reboot()
    await mower.until(lambda: any(state.activity is Activity.UNKNOWN for state in mower.heard.states[begin:]))
    zeros = next(state for state in mower.heard.states[begin:] if state.activity is Activity.UNKNOWN)
    assert (zeros.battery_percent, zeros.on_charger, zeros.charging, zeros.position) == (None, None, None, None)
    state = await mower.is_doing(Activity.MOWING)
    for one in (zeros, state):
        assert one.job is not None
        assert one.job.id == job_id
        assert (one.progress_percent or 0) >= (before or 0)


def test_every_fault_of_the_emulation_has_a_test_that_switches_it_on() -> None:
    texts = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    kinds = {field.name for field in (*fields(MowerFaults), *fields(HttpFault))}
    unused = {kind for kind in kinds if f"{kind}=" not in texts and f"faults.{kind} " not in texts}
    assert unused - {"refuse_orders"} == set(), "the conformance kit refuses orders"
