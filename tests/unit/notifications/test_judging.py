"""What is told, when the next thing turns by itself, and what a clock that was wrong leaves behind."""

from datetime import timedelta

import pytest

from edge_gateway.contracts.commands import CommandKind
from edge_gateway.contracts.mower import Activity, MowerState, Position
from edge_gateway.contracts.notifications import MowerFinding, Notification, NotificationCode, Phase, Severity
from edge_gateway.notifications.judging import event_id, findings, next_due_at
from edge_gateway.notifications.watch import BladeReport, Watch
from tests.unit.notifications.reports import (
    BEGIN,
    HOME,
    JOB,
    LIFTED,
    STREET,
    STUCK,
    THRESHOLDS,
    Judge,
    at,
    order,
    reach,
    short,
    state,
)

HOURS_AHEAD = 5 * 3600


def worn(seconds: float, *, is_worn: bool = True, account_id: str = "home") -> BladeReport:
    values = {"blade_seconds": 1.0} if is_worn else {}
    return BladeReport(mower_id="m1", account_id=account_id, at=at(seconds), worn=is_worn, values=values)


def test_an_event_and_a_finding_say_the_same() -> None:
    judge = Judge()
    # What is only about to begin, sorted before it, is no finding yet.
    [told] = judge.take(state(0, Activity.ERROR, problem=STUCK, position=STREET))
    [finding] = findings(judge.watches["m1"])
    values = {"source": "reported"}
    assert told == Notification(
        finding_id=finding.id,
        account_id="home",
        mower_id="m1",
        code=NotificationCode.STUCK,
        severity=Severity.WARNING,
        phase=Phase.BEGAN,
        at=BEGIN,
        began_at=BEGIN,
        values=values,
    )
    assert finding == MowerFinding(
        id=finding.id,
        account_id="home",
        mower_id="m1",
        code=NotificationCode.STUCK,
        severity=Severity.WARNING,
        began_at=BEGIN,
        values=values,
    )
    assert finding.id.startswith("stuck:m1:")
    assert event_id(told).endswith(f":began:{finding.id}")


def test_the_next_turn_is_the_first_of_those_that_come_by_themselves() -> None:
    judge = Judge()
    assert next_due_at(Watch(mower_id="m1", account_id="home"), THRESHOLDS) is None
    judge.take(state(0, Activity.ERROR, problem=LIFTED))
    assert next_due_at(judge.watches["m1"], THRESHOLDS) is None, "it lasts"
    judge.take(reach(0, available=False, reason="silent"))
    assert next_due_at(judge.watches["m1"], THRESHOLDS) == at(300)
    judge.take(state(10))
    assert next_due_at(judge.watches["m1"], THRESHOLDS) == at(40)


def test_of_all_that_turns_in_one_tick_all_is_told() -> None:
    judge = Judge()
    judge.take(state(0, Activity.ERROR, problem=LIFTED), state(1, Activity.IDLE, battery_percent=5), state(10))
    assert short(judge.wait(at(100))) == [("battery_low", "ended", 10), ("error", "ended", 1)]


def test_blades_are_worn_by_one_report_and_changed_by_a_newer_one() -> None:
    judge = Judge()
    [told] = judge.take(worn(0))
    assert (told.values, told.severity) == ({"blade_seconds": 1.0}, Severity.INFO)
    assert judge.take(worn(0, is_worn=False), worn(5, is_worn=False, account_id="elsewhere")) == []
    assert short(judge.take(worn(10, is_worn=False))) == [("blade_worn", "ended", 10)]


@pytest.mark.parametrize("seconds", [10, 5])
@pytest.mark.parametrize("now", [10, -50])
def test_reach_that_is_not_newer_changes_nothing(seconds: float, now: float) -> None:
    judge = Judge(now=at(now))
    judge.take(reach(10, available=False, reason="silent"), reach(seconds, available=True))
    assert short(judge.wait(at(310))) == [("offline", "began", 10)]


def test_reach_in_another_account_or_of_a_clock_that_is_ahead_is_not_judged() -> None:
    judge = Judge(now=at(0))
    foreign = reach(0, available=False, reason="silent")
    foreign = type(foreign)(
        mower_id="m1", account_id="elsewhere", available=False, reason="silent", changed_at=foreign.changed_at
    )
    judge.take(foreign, reach(61, available=False, reason="silent"))
    assert judge.wait(at(1000)) == []
    judge.take(reach(60, available=False, reason="silent"))
    assert short(judge.wait(at(1000))) == [("offline", "began", 60)]


def test_reach_of_a_clock_that_was_ahead_yields() -> None:
    judge = Judge(now=at(HOURS_AHEAD))
    judge.take(reach(HOURS_AHEAD, available=True))
    judge.now = at(20)
    judge.take(reach(20, available=False, reason="silent"))
    assert short(judge.wait(at(320))) == [("offline", "began", 20)]


@pytest.mark.parametrize("seconds", [60, 61])
def test_a_state_at_most_a_minute_ahead_is_judged(seconds: float) -> None:
    judge = Judge(now=at(0))
    assert bool(judge.take(state(seconds, Activity.ERROR, problem=LIFTED))) is (seconds == 60)


def test_a_state_a_minute_ahead_is_no_wrong_clock_s() -> None:
    judge = Judge(now=at(0))
    judge.take(state(60))
    assert judge.take(state(30, Activity.ERROR, problem=LIFTED)) == []


def test_where_it_drove_to_is_where_it_was_last_seen_driving() -> None:
    judge = Judge()

    def driven_to(*reports: MowerState) -> Position | None:
        judge.take(*reports)
        return judge.watches["m1"].driven_to

    assert driven_to(state(0, Activity.DOCKED)) is None
    assert driven_to(state(10)) == HOME
    assert driven_to(state(20, position=None), state(30, Activity.IDLE, position=STREET)) == HOME
    assert driven_to(state(40, Activity.RETURNING, position=STREET)) == STREET


def set_back(judge: Judge, seconds: float) -> None:
    judge.now = at(seconds)


def ahead() -> Judge:
    return Judge(now=at(HOURS_AHEAD) + timedelta(minutes=30))


def test_after_a_clock_was_set_back_an_outage_lasts_on() -> None:
    judge = ahead()
    judge.take(reach(0, available=False, reason="silent"))
    assert short(judge.wait(at(300))) == [("offline", "began", 0)]
    judge.take(state(HOURS_AHEAD))
    set_back(judge, 400)
    judge.take(state(400))
    assert judge.wait(at(1000)) == []
    assert judge.wrong == [NotificationCode.OFFLINE]


def test_after_a_clock_was_set_back_an_outage_that_was_about_to_begin_counts_from_then() -> None:
    judge = ahead()
    judge.take(reach(HOURS_AHEAD, available=False, reason="silent"), state(HOURS_AHEAD))
    set_back(judge, 10)
    judge.take(state(10))
    assert short(judge.wait(at(310))) == [("offline", "began", 10)]


def test_after_a_clock_was_set_back_a_standstill_is_measured_anew() -> None:
    judge = ahead()
    judge.take(state(HOURS_AHEAD, progress_percent=40.0))
    set_back(judge, 1000)
    judge.take(*(state(second, progress_percent=40.0) for second in range(10, 620, 30)))
    assert short(judge.told) == [("stuck", "began", 610)]


def test_after_a_clock_was_set_back_nobody_knows_when_it_stood() -> None:
    judge = ahead()
    judge.take(state(HOURS_AHEAD, Activity.PAUSED, job=JOB))
    set_back(judge, 100)
    judge.take(state(10, job=JOB), order(20, CommandKind.PAUSE))
    judge.take(*(state(second, job=JOB, progress_percent=second / 100) for second in range(30, 90, 5)))
    assert judge.told == []


def test_an_order_of_another_account_or_an_older_one_is_not_the_newest() -> None:
    judge = Judge()
    pause = order(5, CommandKind.PAUSE)
    older = order(4, CommandKind.RESUME)
    foreign = type(pause)(
        command_id="c9", mower_id="m1", account_id="elsewhere", kind=CommandKind.RESUME, issued_at=at(9)
    )
    judge.take(pause, older, foreign, order(5, CommandKind.RESUME))
    assert judge.watches["m1"].order == pause


def test_a_new_order_ends_that_it_resumed_by_itself() -> None:
    judge = Judge()
    judge.take(order(5, CommandKind.PAUSE), state(10, Activity.PAUSED, job=JOB))
    judge.take(*(state(second, job=JOB, progress_percent=second / 100) for second in range(100, 130, 5)))
    assert judge.watches["m1"].defied == "c5"
    [ended] = judge.take(order(200, CommandKind.RESUME))
    assert short([ended]) == [("resumed_by_itself", "ended", 200)]
    assert ended.values == {"command_id": "c5", "kind": "pause"}
    assert judge.wrong == []
    assert judge.watches["m1"].defied == "c5"


def test_what_had_begun_by_then_and_was_not_told_is_told_with_its_end() -> None:
    judge = Judge()
    judge.take(order(5, CommandKind.PAUSE), state(10, Activity.PAUSED, job=JOB), state(100, job=JOB))
    told = judge.take(order(120, CommandKind.RESUME))
    assert short(told) == [("resumed_by_itself", "began", 100), ("resumed_by_itself", "ended", 120)]


def test_an_order_that_became_known_late_ends_it_where_it_began() -> None:
    judge = Judge()
    judge.take(order(5, CommandKind.PAUSE), state(10, Activity.PAUSED, job=JOB))
    judge.take(*(state(second, job=JOB, progress_percent=second / 100) for second in range(100, 130, 5)))
    assert short(judge.take(order(99, CommandKind.RESUME))) == [("resumed_by_itself", "ended", 100)]
