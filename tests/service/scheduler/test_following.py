"""Running jobs: home for rain, home at the window's end, out again when it is dry, and whose hand ended them."""

from datetime import timedelta

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.commands import CommandKind, CommandStatus, StartMode
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.schedules import RainSettings, Run
from edge_gateway.scheduler.progress import CLOSED_AFTER
from tests.service.scheduler.garden import Garden
from tests.service.scheduler.house import MOWER, NINE

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
OTHER = "user:other"


async def test_rain_sends_a_mowing_mower_home_once(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    for second in (0, 30, 60, 90):
        await garden.tick(10 + second / 60)
    assert garden.orders == [("return_to_dock", "rain:1")]
    run = await garden.run()
    assert (run.numbers["sent_home"]["cause"], run.numbers["sent_home"]["rain_reason"]) == ("rain", "rain_expected")
    assert garden.last.issued_by == OWNER
    await garden.go_home(12)
    await garden.tick(30)
    assert garden.orders == [("return_to_dock", "rain:1")]
    await garden.report(Activity.DOCKED, 13, resumable=False)
    await garden.report(Activity.DOCKED, 40, resumable=False)
    await garden.tick(41)
    run = await garden.run()
    assert (run.outcome, run.end_reason, run.final) == ("started", "rain", True)


@pytest.mark.parametrize(
    ("rain", "obeys"),
    [
        (RainSettings(pause_running_jobs_on_rain=False), True),
        (RainSettings(enabled=False), True),
        (RainSettings(), False),
    ],
)
async def test_rain_leaves_alone_who_is_not_to_obey_it(garden: Garden, rain: RainSettings, obeys: bool) -> None:  # noqa: FBT001
    garden.house.fleet.change_mower(MOWER, obey_rain=obeys)
    await garden.mow(rain=rain)
    await garden.rain()
    await garden.tick(10)
    assert garden.orders == []


async def test_a_run_that_a_person_asked_for_is_not_sent_home_for_rain(garden: Garden) -> None:
    garden.made = await garden.house.create()
    await garden.house.run_now(garden.made.id)
    garden.house.clock.moment = NINE
    await garden.report(Activity.MOWING, 1)
    await garden.tick(2)
    await garden.rain()
    await garden.tick(10)
    assert garden.orders == []


async def test_one_whose_vendor_cannot_park_it_has_its_job_cancelled(garden: Garden) -> None:
    garden.house.fleet.change_mower(MOWER, provider="somebody")
    await garden.mow()
    await garden.rain()
    await garden.tick(10)
    await garden.go_home(12)
    await garden.tick(14)
    assert garden.orders == [("return_to_dock", "rain:1"), ("cancel_job", "cancel:1")]
    await garden.report(Activity.DOCKED, 15, resumable=False)
    await garden.tick(16)
    assert (await garden.run()).end_reason == "rain"


async def test_one_that_leaves_anyway_is_sent_back_once_and_an_event_says_so(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    await garden.tick(10)
    await garden.go_home(12)
    await garden.report(Activity.MOWING, 20)
    await garden.tick(21)
    assert garden.orders[1:] == [("return_to_dock", "left:1")]
    run = await garden.run()
    told = await garden.house.until_told(subjects.RUN_RECORDED, run.revision)
    assert "left_by_itself_at" in told[-1].decode(Run).numbers
    await garden.go_home(23)
    await garden.tick(25)
    assert garden.orders[2:] == [("cancel_job", "cancel:1")]
    garden.house.fleet.end_command(CommandStatus.FAILED, "refused_by_mower")
    await garden.report(Activity.MOWING, 30)
    await garden.tick(31)
    await garden.tick(40)
    assert garden.orders[3:] == []


async def test_it_goes_on_when_it_is_dry_and_comes_home_again_with_the_next_rain(garden: Garden) -> None:
    await garden.mow(rain=RainSettings(resume_when_dry=True))
    await garden.rain()
    await garden.tick(10)
    await garden.go_home(12)
    await garden.tick(20)
    assert len(garden.orders) == 1
    await garden.rain("dry")
    await garden.tick(30)
    assert garden.orders[1:] == [("start_mow", "resume:1")]
    assert garden.last.body.mode is StartMode.RESUME
    garden.house.fleet.end_command(CommandStatus.CONFIRMED)
    await garden.report(Activity.MOWING, 31)
    await garden.tick(32)
    run = await garden.run()
    assert ("resumed_at" in run.numbers, run.ended_at) == (True, None)
    await garden.rain()
    await garden.tick(40)
    assert garden.orders[2:] == [("return_to_dock", "rain:2")]


async def test_after_its_window_it_does_not_go_on(garden: Garden) -> None:
    await garden.mow(duration_minutes=60, rain=RainSettings(resume_when_dry=True))
    await garden.rain()
    await garden.tick(10)
    await garden.go_home(12)
    await garden.rain("dry")
    await garden.tick(60)
    assert len(garden.orders) == 1


@pytest.mark.parametrize(("sends", "orders"), [(True, [("return_to_dock", "window_end:1")]), (False, [])])
async def test_the_window_s_end_sends_home_where_the_plan_says_so(
    garden: Garden,
    sends: bool,  # noqa: FBT001
    orders: list[tuple[str, str]],
) -> None:
    await garden.mow(duration_minutes=60, return_to_dock_at_window_end=sends)
    await garden.tick(59)
    assert garden.orders == []
    await garden.tick(60)
    assert garden.orders == orders
    if orders:
        await garden.go_home(61)
        await garden.report(Activity.DOCKED, 179)
        await garden.house.tick_at(NINE + 60 * MINUTE + CLOSED_AFTER)
        assert (await garden.run()).end_reason == "window_end"


async def test_a_job_of_somebody_else_is_left_alone(garden: Garden) -> None:
    await garden.mow()
    job = Job(id="other", command_id=None, resumable=True)
    await garden.house.report(Activity.MOWING, NINE + 5 * MINUTE, job=job)
    await garden.rain()
    await garden.tick(10)
    assert garden.orders == []


@pytest.mark.parametrize("kind", [CommandKind.RETURN_TO_DOCK, CommandKind.CANCEL_JOB])
async def test_a_person_who_sends_it_home_ends_the_run(garden: Garden, kind: CommandKind) -> None:
    await garden.mow()
    garden.house.clock.moment = NINE + 5 * MINUTE
    garden.house.fleet.order_by_person(kind, MOWER)
    await garden.report(Activity.DOCKED, 10, resumable=kind is CommandKind.RETURN_TO_DOCK)
    await garden.tick(11)
    run = await garden.run()
    assert (run.end_reason, run.sentence) == ("user", "started, a person ended it")


async def test_a_person_who_starts_another_job_ends_the_run(garden: Garden) -> None:
    await garden.mow()
    garden.house.clock.moment = NINE + 5 * MINUTE
    command = garden.house.fleet.order_by_person(CommandKind.START_MOW, MOWER)
    job = Job(id="another", command_id=command.id, resumable=True)
    await garden.house.report(Activity.MOWING, NINE + 6 * MINUTE, job=job)
    await garden.tick(7)
    assert (await garden.run()).end_reason == "user"


async def test_a_pause_of_a_person_ends_nothing(garden: Garden) -> None:
    await garden.mow()
    garden.house.clock.moment = NINE + 5 * MINUTE
    garden.house.fleet.order_by_person(CommandKind.PAUSE, MOWER)
    await garden.report(Activity.PAUSED, 6)
    await garden.tick(7)
    assert (await garden.run()).ended_at is None
    await garden.report(Activity.DOCKED, 20, resumable=False, progress=100.0)
    await garden.tick(21)
    assert (await garden.run()).end_reason == "completed"


async def test_a_schedule_that_is_deleted_leaves_its_running_job_under_the_site_s_rule(garden: Garden) -> None:
    await garden.mow()
    await garden.house.delete(garden.made.id)
    await garden.rain()
    await garden.tick(10)
    assert garden.orders == [("return_to_dock", "rain:1")]


async def test_two_replicas_give_one_order(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    other = garden.house.make_service(static_weather="rain")
    garden.house.clock.moment = NINE + 10 * MINUTE
    await other.tick()
    await garden.house.service.tick()
    assert garden.orders == [("return_to_dock", "rain:1")]
    assert len(garden.house.fleet.asked) == 2
