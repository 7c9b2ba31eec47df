"""Orders from the bus to the mower and back: what is sent, what is told, what is refused."""

import asyncio
from datetime import timedelta

import msgspec
import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.commands import CommandKind, CommandStatus, StartMode
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.mower import Activity, Problem
from tests.service.device_gateway.outside import MOWER_ID
from tests.service.device_gateway.yard import ALL_STATUSES, Yard


async def test_a_start_is_told_step_by_step_and_its_job_names_the_command(yard: Yard) -> None:
    await yard.life()
    command_id = await yard.order(CommandKind.START_MOW)
    await yard.final(command_id)
    assert yard.statuses(command_id) == ALL_STATUSES
    assert yard.mower.frames == ["start"]
    await yard.until(lambda: yard.states[-1].activity is Activity.MOWING)
    job = yard.states[-1].job
    assert job is not None
    assert (job.id, job.command_id) == ("job-1", command_id)
    assert all(state.job is None or state.job.command_id == command_id for state in yard.states)


async def test_the_job_names_its_command_after_a_restart(yard: Yard) -> None:
    life = await yard.life()
    command_id = await yard.order(CommandKind.START_MOW)
    await yard.final(command_id)
    await life.stop()
    before = len(yard.states)
    yard.mower.become(Activity.MOWING)
    await yard.life()
    await yard.until(lambda: len(yard.states) > before)
    job = yard.states[-1].job
    assert job is not None
    assert job.command_id == command_id


async def test_a_foreign_job_names_no_command(yard: Yard) -> None:
    life = await yard.life()
    yard.mower.become(Activity.MOWING, job=yard.mower.open_job())
    await life.driver.report()
    await yard.until(lambda: yard.states[-1].activity is Activity.MOWING)
    assert yard.states[-1].job is not None
    assert yard.states[-1].job.command_id is None


async def test_our_open_job_is_gone_on_with_and_a_foreign_one_is_ended_first(yard: Yard) -> None:
    life = await yard.life()
    first = await yard.order(CommandKind.START_MOW)
    await yard.final(first)
    yard.mower.become(Activity.DOCKED)
    await life.driver.report()
    again = await yard.order(CommandKind.START_MOW)
    await yard.final(again)
    assert yard.mower.frames == ["start", "resume"]
    yard.mower.become(Activity.DOCKED, job=yard.mower.open_job())
    await life.driver.report()
    new = await yard.order(CommandKind.START_MOW)
    assert (await yard.final(new)).status is CommandStatus.CONFIRMED
    assert yard.mower.frames == ["start", "resume", "cancel", "start"]


async def test_idempotent_orders_succeed_and_send_nothing(yard: Yard) -> None:
    life = await yard.life()
    outcome = await yard.final(await yard.order(CommandKind.RETURN_TO_DOCK))
    assert (outcome.status, outcome.reason) == (CommandStatus.CONFIRMED, "already_docked")
    outcome = await yard.final(await yard.order(CommandKind.CANCEL_JOB))
    assert (outcome.status, outcome.reason) == (CommandStatus.CONFIRMED, "no_open_job")
    for activity, kind, reason in (
        (Activity.RETURNING, CommandKind.RETURN_TO_DOCK, "already_returning"),
        (Activity.PAUSED, CommandKind.PAUSE, "already_paused"),
        (Activity.MOWING, CommandKind.START_MOW, "already_mowing"),
    ):
        yard.mower.become(activity)
        await life.driver.report()
        command_id = await yard.order(kind)
        outcome = await yard.final(command_id)
        assert (outcome.status, outcome.reason) == (CommandStatus.CONFIRMED, reason)
        assert yard.statuses(command_id) == ["accepted", "confirmed"]
    assert yard.mower.frames == []


async def test_a_stale_docked_is_asked_again_before_it_makes_an_order_needless(yard: Yard) -> None:
    await yard.life()
    # It left the dock and the report of it was lost.
    yard.mower.state = msgspec.structs.replace(
        yard.mower.state, observed_at=yard.clock.now() - timedelta(minutes=10), activity=Activity.IDLE, on_charger=False
    )
    outcome = await yard.final(await yard.order(CommandKind.RETURN_TO_DOCK))
    assert outcome.status is CommandStatus.CONFIRMED
    assert yard.mower.frames == ["return_to_dock"]


async def test_an_error_is_refused_with_the_remedy(yard: Yard) -> None:
    life = await yard.life()
    yard.mower.become(Activity.ERROR, problem=Problem(code="lifted"))
    await life.driver.report()
    outcome = await yard.final(await yard.order(CommandKind.START_MOW))
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "mower_in_error")
    assert outcome.values == {"remedy": "clear_problem", "problem": "lifted"}
    assert yard.mower.frames == []


async def test_an_order_that_is_too_old_is_never_sent(yard: Yard) -> None:
    await yard.life()
    outcome = await yard.final(await yard.order(CommandKind.START_MOW, issued_ago_seconds=30))
    assert (outcome.status, outcome.reason) == (CommandStatus.EXPIRED, "expired")
    assert yard.mower.frames == []


async def test_over_a_broken_link_nothing_waits(yard: Yard) -> None:
    life = await yard.life()
    yard.mower.link_broken = True
    await life.driver.report_link()
    for kind in (CommandKind.START_MOW, CommandKind.PAUSE, CommandKind.RETURN_TO_DOCK):
        yard.mower.become(Activity.PAUSED if kind is CommandKind.START_MOW else Activity.MOWING)
        outcome = await yard.final(await yard.order(kind))
        assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "unavailable")
        assert outcome.values["code"] == "link_lost"
    yard.mower.link_broken = False
    await life.driver.report_link()
    await life.driver.refresh()
    outcome = await yard.final(await yard.order(CommandKind.RETURN_TO_DOCK))
    assert outcome.status is CommandStatus.CONFIRMED
    assert yard.mower.frames == ["return_to_dock"], "nothing of before was sent later"


async def test_an_order_that_expires_on_its_way_to_the_first_frame_is_not_sent(yard: Yard) -> None:
    life = await yard.life()

    async def half_a_minute_passes(_frame: str) -> None:
        yard.clock.offset += timedelta(seconds=30)

    life.driver.before_frame = half_a_minute_passes
    command_id = await yard.order(CommandKind.START_MOW)
    outcome = await yard.final(command_id)
    assert (outcome.status, outcome.reason) == (CommandStatus.EXPIRED, "expired")
    assert yard.mower.frames == []
    assert "sent" not in yard.statuses(command_id)


async def test_with_its_first_frame_out_an_order_has_two_minutes(yard: Yard) -> None:
    life = await yard.life()
    yard.mower.become(Activity.DOCKED, job=yard.mower.open_job())
    await life.driver.report()
    seconds = {"cancel": 0, "start": 110}

    async def time_passes(frame: str) -> None:
        yard.clock.offset += timedelta(seconds=seconds[frame])

    life.driver.before_frame = time_passes
    assert (await yard.final(await yard.order(CommandKind.START_MOW))).status is CommandStatus.CONFIRMED
    yard.mower.become(Activity.DOCKED, job=yard.mower.open_job())
    await life.driver.report()
    seconds["start"] = 121
    outcome = await yard.final(await yard.order(CommandKind.START_MOW))
    assert (outcome.status, outcome.reason) == (CommandStatus.EXPIRED, "expired_midway")
    assert yard.mower.frames == ["cancel", "start", "cancel"]


async def test_the_same_order_twice_is_carried_out_once(yard: Yard) -> None:
    await yard.life()
    command_id = await yard.order(CommandKind.START_MOW)
    await yard.final(command_id)
    yard.mower.become(Activity.DOCKED, job=None)
    await yard.order(CommandKind.START_MOW, command_id=command_id)
    later = await yard.order(CommandKind.REFRESH)
    assert (await yard.final(later)).status is CommandStatus.CONFIRMED
    assert yard.mower.frames == ["start"]


async def test_what_is_no_order_does_not_hold_up_those_behind_it(yard: Yard) -> None:
    await yard.life()
    what = wrap(
        Nothing(),
        id=new_id(),
        type=subjects.ORDER_TYPE,
        occurred_at=yard.clock.now(),
        account_id="home",
        subject_id=MOWER_ID,
    )
    await yard.bus.publish(subjects.order_subject(MOWER_ID), what)
    command_id = await yard.order(CommandKind.START_MOW)
    await yard.final(command_id)
    assert yard.statuses(command_id) == ALL_STATUSES


async def test_orders_are_carried_out_one_after_the_other(yard: Yard) -> None:
    life = await yard.life()
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_frame: str) -> None:
        begun.set()
        await go_on.wait()

    life.driver.before_frame = wait
    start = await yard.order(CommandKind.START_MOW)
    pause = await yard.order(CommandKind.PAUSE)
    await begun.wait()
    assert yard.statuses(pause) == []
    go_on.set()
    await yard.final(start)
    assert (await yard.final(pause)).status is CommandStatus.CONFIRMED
    assert yard.mower.frames == ["start", "pause"]


async def test_a_start_soon_after_a_restart_takes_the_areas_from_the_map_that_is_kept(yard: Yard) -> None:
    yard.mower.has_told_map = False
    life = await yard.life()
    assert (await yard.final(await yard.order(CommandKind.START_MOW))).reason == "map_unknown"
    await life.stop()
    yard.mower.has_told_map = True
    life = await yard.life()
    await yard.until(lambda: bool(yard.maps))
    await life.stop()
    yard.mower.has_told_map = False
    await yard.life()
    outcome = await yard.final(await yard.order(CommandKind.START_MOW))
    assert outcome.status is CommandStatus.CONFIRMED
    assert yard.mower.state.job is not None
    assert yard.mower.state.job.area_ids == ("area-a", "area-b")


async def test_the_job_that_a_start_ends_to_begin_another_is_named(yard: Yard) -> None:
    await yard.life()
    for kind in (CommandKind.START_MOW, CommandKind.PAUSE):
        await yard.final(await yard.order(kind))
    await yard.final(await yard.order(CommandKind.START_MOW, mode=StartMode.NEW))
    await yard.final(await yard.order(CommandKind.CANCEL_JOB))
    told = [(state.job.id if state.job else None, state.replaced_job_id) for state in yard.states]
    seen = [each for number, each in enumerate(told) if number == 0 or each != told[number - 1]]
    assert seen[1:] == [("job-1", None), (None, "job-1"), ("job-2", None), (None, None)]


async def test_named_areas_are_checked_against_the_map(yard: Yard) -> None:
    await yard.life()
    outcome = await yard.final(await yard.order(CommandKind.START_MOW, area_ids=("area-a", "area-x")))
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "areas_gone")
    assert outcome.values["area_ids"] == ["area-x"]
    await yard.final(await yard.order(CommandKind.START_MOW, area_ids=("area-b",)))
    assert yard.mower.state.job is not None
    assert yard.mower.state.job.area_ids == ("area-b",)


@pytest.mark.parametrize(
    ("known", "enabled", "mown"),
    [
        (None, None, ("area-a", "area-b")),
        (("area-a", "area-b"), ("area-b",), ("area-b",)),
        (("area-a",), (), ("area-b",)),
    ],
)
async def test_without_named_areas_every_enabled_one_is_mown(
    yard: Yard, known: tuple[str, ...] | None, enabled: tuple[str, ...] | None, mown: tuple[str, ...]
) -> None:
    yard.fleet.known_areas, yard.fleet.enabled = known, enabled
    await yard.life()
    await yard.final(await yard.order(CommandKind.START_MOW, mode=StartMode.NEW))
    assert yard.mower.state.job is not None
    assert yard.mower.state.job.area_ids == mown


async def test_with_every_area_disabled_nothing_is_mown(yard: Yard) -> None:
    yard.fleet.known_areas, yard.fleet.enabled = ("area-a", "area-b"), ()
    await yard.life()
    outcome = await yard.final(await yard.order(CommandKind.START_MOW))
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "no_area_enabled")
