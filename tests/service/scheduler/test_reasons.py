"""Every outcome and every reason code, each reached on real servers; a new code without its case fails here."""

from datetime import timedelta

import pytest

from edge_gateway.contracts.commands import CommandStatus
from edge_gateway.contracts.errors import DeadlineError, InvalidError, NotFoundError, UnavailableError, UnsafeError
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import Relation
from edge_gateway.contracts.quiet_hours import QuietHours, QuietTime
from edge_gateway.contracts.schedules import RainSettings, Run, RunOutcome, Target
from edge_gateway.contracts.weather import PushedHour, RainSensor
from edge_gateway.scheduler.progress import NEVER_MOVED, TRANSIENT
from edge_gateway.scheduler.rain import RainReason
from edge_gateway.scheduler.sentences import is_known
from edge_gateway.scheduler.verdicts import Reason
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse
from tests.service.scheduler.reason_cases import CASES, case
from tests.service.scheduler.sky import Sky

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
END = NINE + 60 * MINUTE
OTHER = "user:other"

OF_NO_RUN = {Reason.NOT_UNDERSTOOD, Reason.FORECAST, Reason.RAIN, Reason.NO_LOCATION}
"""Codes that end no run: of a schedule's disabling, waited for, or in the numbers of a start."""
HOLDING = {RainReason.RAIN_EXPECTED, RainReason.RAIN_RECENT, RainReason.UNKNOWN}
OF_FLEET = {"forbidden", "not_found", "unknown_principal", "invalid", "unsafe", "refused_by_mower"}
"""Refusals that are passed on as they are; there may be more."""


@case("started", None)
async def _started_case(house: SchedulerHouse) -> None:
    await house.create()
    await house.tick_at(NINE)


@case("skipped_manual", "skipped")
async def _skipped_case(house: SchedulerHouse) -> None:
    await house.skip((await house.create()).id)
    await house.tick_at(NINE)


async def _waiting(house: SchedulerHouse) -> str:
    """Let a firing wait for a mower that cannot be reached."""
    made = await house.create()
    house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
    await house.tick_at(NINE)
    return made.id


@case("skipped_manual", "disabled")
async def _disabled_case(house: SchedulerHouse) -> None:
    await house.update(await _waiting(house), enabled=False)


@case("skipped_manual", "edited")
async def _edited_case(house: SchedulerHouse) -> None:
    await house.update(await _waiting(house), recurrence={"at": "10:00"})


@case("skipped_manual", "deleted")
async def _deleted_case(house: SchedulerHouse) -> None:
    await house.delete(await _waiting(house))


@case("skipped_manual", "held_by_user")
async def _held_by_user_case(house: SchedulerHouse) -> None:
    await Sky(house).hold(NINE + HOUR)
    await house.create()
    await house.tick_at(NINE)


@case("failed", "target_gone")
async def _target_gone_case(house: SchedulerHouse) -> None:
    await house.create()
    house.fleet.mowers.clear()
    await house.tick_at(NINE)


@case("skipped_window", "window_closed")
async def _window_closed_case(house: SchedulerHouse) -> None:
    await house.create()
    await house.tick_at(END)


@case("skipped_window", "missed")
async def _missed_case(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.tick_at(NINE + DAY)
    await house.delete(made.id)
    # The row of the day that was passed over is written before that of the day that is due.
    await house.pool.execute("DELETE FROM scheduler.run WHERE reason IS DISTINCT FROM 'missed'")


@case("skipped_window", "quiet_hours")
async def _quiet_hours_case(house: SchedulerHouse) -> None:
    house.fleet.change_site(quiet_hours=QuietHours(begin=QuietTime(at="08:30"), end=QuietTime(at="09:30")))
    await house.create()
    await house.tick_at(NINE)


@case("skipped_window", "no_slot")
async def _no_slot_case(house: SchedulerHouse) -> None:
    house.fleet.add_mower("mower-2")
    house.fleet.add_group("group-1", MOWER, "mower-2", max_concurrent=1)
    await house.report(Activity.MOWING, NINE - MINUTE, mower_id="mower-2")
    await house.tick_at(NINE - MINUTE)
    house.fleet.add_group("group-1", MOWER, "mower-2", max_concurrent=1)
    made = await house.create(target=Target(group_id="group-1"))
    await house.tick_at(NINE)
    await house.tick_at(END)
    await house.pool.execute("DELETE FROM scheduler.run WHERE mower_id <> $1 AND schedule_id = $2", MOWER, made.id)


@case("skipped_permission", "forbidden")
async def _forbidden_case(house: SchedulerHouse) -> None:
    house.fleet.known.add(OTHER)
    await house.create(principal=OTHER)
    house.fleet.denied = {(OTHER, Relation.CAN_CONTROL)}
    await house.tick_at(NINE)


@case("skipped_permission", "unknown_principal")
async def _unknown_principal_case(house: SchedulerHouse) -> None:
    house.fleet.known.add(OTHER)
    await house.create(principal=OTHER)
    house.fleet.known.remove(OTHER)
    await house.tick_at(NINE)


@case("skipped_mower_busy", "mower_busy")
async def _mower_busy_case(house: SchedulerHouse) -> None:
    await house.create()
    await house.report(Activity.MOWING, NINE - MINUTE)
    await house.tick_at(NINE)


@case("skipped_mower_busy", "other_run")
async def _other_run_case(house: SchedulerHouse) -> None:
    first = await house.create()
    await house.tick_at(NINE - MINUTE)
    await house.run_now(first.id)
    await house.tick_at(NINE)


@case("failed", "map_unknown")
async def _map_unknown_case(house: SchedulerHouse) -> None:
    house.fleet.change_mower(MOWER, area_ids=None, enabled_area_ids=None)
    await house.create()
    await house.tick_at(NINE)


@case("failed", "areas_gone")
async def _areas_gone_case(house: SchedulerHouse) -> None:
    await house.create(area_ids=("area-1",))
    house.fleet.change_mower(MOWER, area_ids=("area-2",), enabled_area_ids=("area-2",))
    await house.tick_at(NINE)


@case("failed", "no_area_enabled")
async def _no_area_enabled_case(house: SchedulerHouse) -> None:
    house.fleet.change_mower(MOWER, enabled_area_ids=())
    await house.create()
    await house.tick_at(NINE)


@case("failed", "fleet_silent")
async def _fleet_silent_case(house: SchedulerHouse) -> None:
    await house.create()
    await house.fleet.stop()
    await house.tick_at(NINE)
    await house.tick_at(END)
    await house.fleet.start(house.bus)


@case("failed", "unavailable")
async def _unavailable_case(house: SchedulerHouse) -> None:
    await _waiting(house)
    await house.tick_at(END)


@case("failed", "in_transition")
async def _in_transition_case(house: SchedulerHouse) -> None:
    await house.create()
    house.fleet.refusal = UnavailableError("in_transition", "On its way.")
    await house.tick_at(NINE)
    await house.tick_at(END)


@case("failed", "outcome_unknown")
async def _outcome_unknown_case(house: SchedulerHouse) -> None:
    await house.create()
    house.fleet.refusal = DeadlineError("no_answer", "No answer came.")
    await house.tick_at(NINE)
    await house.fleet.stop()
    await house.tick_at(END)
    await house.fleet.start(house.bus)


@case("failed", "start_not_confirmed")
async def _start_not_confirmed_case(house: SchedulerHouse) -> None:
    await house.create()
    await house.tick_at(NINE)
    await house.tick_at(NINE + 4 * MINUTE)


@case("skipped_rain", "rain_expected")
async def _rain_expected_case(house: SchedulerHouse) -> None:
    await house.restart(static_weather="rain")
    await house.create()
    await house.tick_at(NINE)


@case("skipped_rain", "rain_recent")
async def _rain_recent_case(house: SchedulerHouse) -> None:
    house.fleet.change_site(weather_source="home_assistant")
    hours = tuple(
        PushedHour(starts_at=NINE + number * HOUR, precipitation=0.0, probability_percent=0.0)
        for number in range(-4, 9)
    )
    sky = Sky(house)
    for raining, moment in ((True, NINE - 40 * MINUTE), (False, NINE - 20 * MINUTE)):
        house.clock.moment = moment
        sensor = RainSensor(raining=raining, observed_at=moment)
        await sky.push(precipitation_unit="mm", hours=hours, rain_sensor=sensor)
    await house.create()
    await house.tick_at(NINE)


@case("skipped_rain", "forecast_unknown")
async def _forecast_unknown_case(house: SchedulerHouse) -> None:
    await house.restart(static_weather="unknown")
    await house.create(rain=RainSettings(run_when_unknown=False))
    await house.tick_at(NINE)


async def _refused(house: SchedulerHouse, refusal: UnsafeError | InvalidError | NotFoundError) -> None:
    await house.create()
    house.fleet.refusal = refusal
    await house.tick_at(NINE)


@case("failed", "unsafe")
async def _unsafe_case(house: SchedulerHouse) -> None:
    await _refused(house, UnsafeError("unsafe", "Not safe."))


@case("failed", "invalid")
async def _invalid_case(house: SchedulerHouse) -> None:
    await _refused(house, InvalidError("invalid", "Not valid."))


@case("skipped_permission", "not_found")
async def _not_found_case(house: SchedulerHouse) -> None:
    await _refused(house, NotFoundError("not_found", "Not seen."))


async def _ended(house: SchedulerHouse, reason: str) -> None:
    """Let the order of a run that waits no longer end so."""
    made = await house.create()
    await house.run_now(made.id)
    await house.end_order(CommandStatus.FAILED, reason)
    await house.tick_at(house.clock.moment + timedelta(seconds=1))


def _by_its_order(reason: str) -> None:
    async def ends(house: SchedulerHouse) -> None:
        await _ended(house, reason)

    CASES["failed", reason] = ends


for _reason in (*sorted((TRANSIENT | NEVER_MOVED) - {*Reason, "busy"}), "refused_by_mower"):
    _by_its_order(_reason)


def test_every_code_has_a_case() -> None:
    ours = {str(code) for code in {*Reason, *HOLDING, *TRANSIENT, *NEVER_MOVED} - OF_NO_RUN} | OF_FLEET
    reached = {reason for _, reason in CASES if reason is not None}
    # `busy` is what the mower's actor says; the run says `mower_busy`, as the Scheduler itself does.
    assert reached == ours - {"busy"}
    assert {outcome for outcome, _ in CASES} == {str(outcome) for outcome in RunOutcome}


@pytest.mark.parametrize(("outcome", "reason"), list(CASES))
async def test_it_is_reached(house: SchedulerHouse, outcome: str, reason: str | None) -> None:
    await CASES[outcome, reason](house)
    run: Run = (await house.runs())[-1]
    assert (run.outcome, run.reason) == (outcome, reason)
    assert run.sentence
    assert reason is None or is_known(reason) or reason in run.sentence
