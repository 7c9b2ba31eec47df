"""Running jobs: home for rain, home at the window's end, out again when it is dry, and whose hand ended them."""

from datetime import timedelta
from typing import Any

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.commands import Command, CommandKind, CommandStatus, StartMode
from edge_gateway.contracts.errors import UnavailableError, UnsafeError
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.contracts.schedules import RainSettings, Run, Schedule
from edge_gateway.scheduler.progress import CLOSED_AFTER
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
OTHER = "user:other"


class Garden:
    """A Scheduler with one mower that mows for a schedule."""

    def __init__(self, house: SchedulerHouse) -> None:
        """Begin with a mower that stays where it was sent."""
        self.house = house
        house.fleet.change_mower(MOWER, provider="simulator")

    async def mow(self, **changes: Any) -> Schedule:  # noqa: ANN401  # any field
        """Start a run in dry weather and see it moving."""
        self.made = await self.house.create(**{"duration_minutes": 240} | changes)
        await self.house.tick_at(NINE)
        await self.report(Activity.MOWING, 1)
        await self.tick(2)
        return self.made

    async def report(self, activity: Activity, minute: int, *, resumable: bool = True, progress: float = 40.0) -> None:
        """Have the mower report, on the run's own job."""
        job = Job(id="job", command_id=self.house.fleet.starts[0].id, resumable=resumable)
        await self.house.report(activity, NINE + minute * MINUTE, job=job, progress_percent=progress)

    async def tick(self, minute: float) -> None:
        """Do what is due so many minutes after nine."""
        await self.house.tick_at(NINE + minute * MINUTE)

    async def rain(self, weather: str = "rain") -> None:
        """Let it rain from now on, or be dry."""
        await self.house.restart(static_weather=weather)

    async def go_home(self, minute: int) -> None:
        """Let the return that was ordered be confirmed, and the mower reach its dock a minute later."""
        self.house.fleet.end_command(CommandStatus.CONFIRMED)
        await self.tick(minute)
        await self.report(Activity.DOCKED, minute + 1)
        await self.tick(minute + 1)

    @property
    def orders(self) -> list[tuple[str, str]]:
        """Return the orders that followed the start: kind, and key without the run."""
        return [(order.body.kind, order.key.partition(":")[2]) for order in self.house.fleet.follow_ups]

    @property
    def last(self) -> Command:
        """Return the newest of them."""
        return self.house.fleet.follow_ups[-1]

    async def run(self) -> Run:
        """Return the first run."""
        return (await self.house.runs(self.made.id))[0]


@pytest.fixture
def garden(house: SchedulerHouse) -> Garden:
    """Return a garden in which nothing mows yet."""
    return Garden(house)


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


async def test_an_order_that_failed_is_given_again_with_back_off(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    await garden.tick(10)
    garden.house.fleet.end_command(CommandStatus.EXPIRED, "expired")
    await garden.tick(10.01)
    assert len(garden.orders) == 1
    await garden.tick(11)
    assert garden.orders == [("return_to_dock", "rain:1"), ("return_to_dock", "rain:2")]


async def test_an_order_that_fleet_could_not_take_keeps_its_key(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    garden.house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
    await garden.tick(10)
    await garden.tick(10.01)
    assert len(garden.house.fleet.asked) == 2
    await garden.tick(11)
    garden.house.fleet.refusal = None
    await garden.tick(13)
    assert garden.orders == [("return_to_dock", "rain:1")]
    assert {question.key.partition(":")[2] for question in garden.house.fleet.asked[1:]} == {"rain:1"}


async def test_an_order_that_is_refused_for_good_is_tried_again_under_another_key(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    garden.house.fleet.refusal = UnsafeError("unsafe", "Not now.")
    await garden.tick(10)
    garden.house.fleet.refusal = None
    await garden.tick(11)
    assert garden.orders == [("return_to_dock", "rain:2")]


async def test_when_the_owner_lost_the_right_the_account_s_owner_sends_it_home(garden: Garden) -> None:
    garden.house.fleet.known.add(OTHER)
    garden.made = await garden.house.create(principal=OTHER, duration_minutes=240)
    await garden.tick(0)
    await garden.report(Activity.MOWING, 1)
    await garden.tick(2)
    garden.house.fleet.denied = {(OTHER, Relation.CAN_CONTROL)}
    await garden.rain()
    await garden.tick(10)
    assert [(order.issued_by, order.key.partition(":")[2]) for order in garden.house.fleet.follow_ups] == [
        (OWNER, "rain:1")
    ]
    await garden.tick(12)
    assert len(garden.orders) == 1


async def test_a_silent_fleet_is_asked_again(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    await garden.house.fleet.stop()
    await garden.tick(10)
    await garden.house.fleet.start(garden.house.bus)
    await garden.tick(12)
    assert garden.orders == [("return_to_dock", "rain:1")]


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
