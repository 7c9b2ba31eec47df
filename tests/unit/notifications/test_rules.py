"""Each rule: what begins, what ends, and what says nothing."""

from datetime import timedelta
from typing import Any

import pytest

from edge_gateway.contracts.commands import CommandKind
from edge_gateway.contracts.mower import Activity, Job, MowerState, Problem
from edge_gateway.contracts.notifications import NotificationCode
from edge_gateway.notifications.watch import BladeReport
from tests.unit.notifications.reports import (
    BEGIN,
    JOB,
    LIFTED,
    STUCK,
    Judge,
    at,
    order,
    reach,
    short,
    state,
)


def test_a_hundred_equal_errors_are_one_event() -> None:
    judge = Judge()
    judge.take(*(state(second, Activity.ERROR, problem=LIFTED) for second in range(100)))

    assert short(judge.told) == [("error", "began", 0)]
    assert judge.told[0].values == {"problem_code": "lifted", "vendor_code": "2801"}
    assert judge.wrong == [NotificationCode.ERROR]


def test_an_error_ends_when_it_was_gone_for_a_while() -> None:
    judge = Judge()
    judge.take(state(0, Activity.ERROR, problem=LIFTED), state(10), state(39))
    assert judge.wrong == [NotificationCode.ERROR]

    judge.take(state(40))
    assert short(judge.told) == [("error", "began", 0), ("error", "ended", 10)]
    assert judge.told[0].finding_id == judge.told[1].finding_id
    assert judge.wrong == []


def test_an_error_that_flickers_is_one_error() -> None:
    judge = Judge()
    for second in range(0, 200, 2):
        judge.take(state(second, Activity.ERROR, problem=LIFTED), state(second + 1))

    assert short(judge.told) == [("error", "began", 0)]


@pytest.mark.parametrize(
    "silent",
    [{"activity": Activity.UNKNOWN}, {"activity": Activity.UNKNOWN, "position": None, "battery_percent": None}],
)
def test_unknown_ends_nothing(silent: dict[str, Any]) -> None:
    judge = Judge()
    judge.take(state(0, Activity.ERROR, problem=STUCK), state(1, Activity.IDLE, problem=LIFTED))
    judge.take(state(2, Activity.IDLE, battery_percent=5))
    begun = len(judge.told)
    # A short look at good health, then nobody knows.
    judge.take(state(5, Activity.IDLE))
    judge.take(*(state(second, **silent) for second in range(6, 600)))

    assert len(judge.told) == begun


def test_silence_lets_an_end_come_by_itself() -> None:
    judge = Judge()
    judge.take(state(0, Activity.ERROR, problem=LIFTED), state(10, Activity.DOCKED))

    assert judge.wait(at(39)) == []
    assert short(judge.wait(at(40))) == [("error", "ended", 10)]


def test_an_error_without_a_code_is_one_too() -> None:
    judge = Judge()
    judge.take(state(0, Activity.ERROR))
    assert judge.told[0].values == {"problem_code": "unspecified"}


def test_another_problem_says_nothing_about_the_first() -> None:
    judge = Judge()
    judge.take(state(0, Activity.ERROR, problem=LIFTED), state(1, Activity.ERROR, problem=Problem(code="tilted")))
    judge.take(state(60, Activity.ERROR, problem=Problem(code="tilted")))
    assert short(judge.told) == [("error", "began", 0), ("error", "began", 1)]

    judge.take(state(100), state(130))
    assert short(judge.told[2:]) == [("error", "ended", 100), ("error", "ended", 100)]


def test_stuck_is_an_event_of_its_own() -> None:
    judge = Judge()
    judge.take(state(0, Activity.ERROR, problem=STUCK), state(1, Activity.ERROR, problem=STUCK))
    assert short(judge.told) == [("stuck", "began", 0)]
    assert judge.told[0].values == {"source": "reported"}


def test_mowing_on_one_spot_without_progress_is_stuck() -> None:
    judge = Judge()
    judge.take(*(state(second, progress_percent=40.0) for second in range(0, 600, 30)))
    assert judge.told == []

    judge.take(state(600, progress_percent=40.0))
    assert short(judge.told) == [("stuck", "began", 600)]
    assert judge.told[0].values == {"source": "standstill", "seconds": 600}


@pytest.mark.parametrize("gap", [30, 300])
def test_progress_or_a_long_silence_is_no_standstill(gap: int) -> None:
    judge = Judge()
    judge.take(*(state(second, progress_percent=second / 100 if gap == 30 else None) for second in range(0, 3000, gap)))
    assert judge.told == []


def test_a_mower_without_a_position_is_not_stuck() -> None:
    judge = Judge()
    judge.take(*(state(second, position=None) for second in range(0, 3000, 30)))
    assert judge.told == []


def test_a_low_battery_on_the_dock_is_nothing() -> None:
    judge = Judge()
    judge.take(
        state(0, Activity.DOCKED, battery_percent=3),
        state(1, Activity.IDLE, battery_percent=3, on_charger=True),
        state(2, Activity.IDLE, battery_percent=3, charging=True),
        state(3, Activity.UNKNOWN, battery_percent=3),
        state(4, Activity.MOWING, battery_percent=None),
    )
    assert judge.told == []


def test_the_contact_overrules_a_stale_mode() -> None:
    judge = Judge()
    judge.take(state(0, Activity.DOCKED, battery_percent=3, on_charger=False))
    assert short(judge.told) == [("battery_low", "began", 0)]


def test_a_battery_that_flickers_around_its_threshold_is_low_once() -> None:
    judge = Judge()
    for second in range(0, 300, 2):
        judge.take(
            state(second, Activity.IDLE, battery_percent=10), state(second + 1, Activity.IDLE, battery_percent=11)
        )
    assert short(judge.told) == [("battery_low", "began", 0)]

    judge.take(state(400, Activity.DOCKED, battery_percent=None), state(430, Activity.DOCKED))
    assert short(judge.told[1:]) == [("battery_low", "ended", 400)]


def test_a_short_outage_is_not_told_and_a_long_one_once() -> None:
    judge = Judge()
    judge.take(reach(0, available=True), reach(10, available=False, reason="silent"), reach(300, available=True))
    assert judge.told == []

    judge.take(reach(400, available=False, reason="silent"), reach(500, available=False, reason="link_lost"))
    assert judge.wait(at(699)) == []
    assert short(judge.wait(at(700))) == [("offline", "began", 400)]
    assert judge.told[0].values == {"reason": "silent"}

    judge.take(reach(800, available=True))
    assert short(judge.wait(at(830))) == [("offline", "ended", 800)]


def test_an_outage_that_no_tick_saw_is_told_with_its_end() -> None:
    judge = Judge()
    judge.take(reach(0, available=False, reason="silent"), reach(1000, available=True), reach(2000, available=False))
    assert short(judge.told) == [("offline", "began", 0), ("offline", "ended", 1000)]


def test_a_gateway_that_stops_says_nothing_about_its_mowers() -> None:
    judge = Judge()
    judge.take(reach(0, available=True), reach(10, available=False, reason="gateway_stopped"))
    judge.wait(at(5000))
    assert judge.told == []


@pytest.mark.parametrize("kind", [CommandKind.PAUSE, CommandKind.RETURN_TO_DOCK])
def test_a_mower_that_leaves_although_it_was_sent_home_is_told_once(kind: CommandKind) -> None:
    judge = Judge()
    judge.take(state(0, job=JOB), order(5, kind), state(6, job=JOB), state(10, Activity.DOCKED, job=JOB))
    judge.take(*(state(second, job=JOB, progress_percent=second / 100) for second in range(100, 140, 5)))
    assert short(judge.told) == [("resumed_by_itself", "began", 100)]
    assert judge.told[0].values == {"command_id": "c5", "kind": kind.value}

    # A charging break of the job that it went on with is not told again.
    judge.take(state(200, Activity.DOCKED, job=JOB))
    judge.take(*(state(second, job=JOB, progress_percent=second / 100) for second in range(300, 340, 5)))
    assert short(judge.told[1:]) == [("resumed_by_itself", "ended", 200)]


def test_a_mower_that_was_told_to_go_on_goes_on() -> None:
    judge = Judge()
    judge.take(order(5, CommandKind.PAUSE), state(10, Activity.PAUSED, job=JOB), order(90, CommandKind.RESUME))
    judge.take(*(state(second, job=JOB, progress_percent=second / 100) for second in range(100, 140, 5)))
    assert judge.told == []


def test_an_order_that_is_heard_of_a_little_late_still_counts() -> None:
    judge = Judge()
    judge.take(order(5, CommandKind.PAUSE), state(10, Activity.PAUSED, job=JOB), state(100, job=JOB))
    judge.take(order(99, CommandKind.RESUME), state(140, job=JOB))
    judge.wait(at(300))
    assert judge.told == []


def test_a_charging_break_needs_no_order() -> None:
    judge = Judge()
    judge.take(order(0, CommandKind.START_MOW), state(1, job=JOB), state(10, Activity.DOCKED, job=JOB))
    judge.take(*(state(second, job=JOB, progress_percent=second / 100) for second in range(100, 140, 5)))
    assert judge.told == []


def test_another_job_is_not_the_one_that_was_stopped() -> None:
    judge = Judge()
    other = Job(id="job-2")
    judge.take(order(0, CommandKind.RETURN_TO_DOCK), state(10, Activity.DOCKED, job=JOB))
    judge.take(*(state(second, job=other, progress_percent=second / 100) for second in range(100, 140, 5)))
    assert judge.told == []


def test_worn_blades_are_told_until_they_are_changed() -> None:
    judge = Judge()
    worn = BladeReport(mower_id="m1", account_id="home", at=at(0), worn=True, values={"blade_seconds": 1.0})
    judge.take(worn, worn)
    assert short(judge.told) == [("blade_worn", "began", 0)]

    judge.take(BladeReport(mower_id="m1", account_id="home", at=at(50), worn=False), worn)
    assert short(judge.told[1:]) == [("blade_worn", "ended", 50)]


def _error(seconds: float, **changes: Any) -> MowerState:  # noqa: ANN401  # fields by name
    return state(seconds, Activity.ERROR, problem=LIFTED, **changes)


def test_what_is_late_or_of_the_past_or_of_another_account_is_not_judged() -> None:
    judge = Judge()
    judge.take(state(10), _error(5), _error(10), _error(20, backfill=True), _error(20, account_id="elsewhere"))
    assert judge.told == []


def test_a_clock_that_was_ahead_holds_nothing_up() -> None:
    judge = Judge(now=BEGIN + timedelta(hours=5))
    judge.take(state(5 * 3600, Activity.ERROR, problem=LIFTED), state(5 * 3600 + 1))
    judge.now = BEGIN + timedelta(seconds=10)
    # Reports of the wrong clock that are still on their way are not judged by the right one.
    judge.take(_error(5 * 3600 + 2))
    judge.take(state(10), state(50, Activity.ERROR, problem=STUCK))

    assert [code for code, _, _ in short(judge.told)] == ["error", "error", "stuck"]
