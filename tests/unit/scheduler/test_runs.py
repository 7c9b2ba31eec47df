"""How runs go on: revisions, final, back-off."""

from datetime import timedelta

import pytest

from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import runs
from edge_gateway.scheduler.verdicts import End, Start, Wait
from tests.unit.scheduler.factories import NINE, run

LATER = NINE + timedelta(seconds=10)
TICK = timedelta(seconds=30)


def test_a_skip_is_final_at_once() -> None:
    after = runs.ended(run(), End(RunOutcome.SKIPPED_RAIN, "rain_expected", {"hour": 9}), LATER)
    assert (after.outcome, after.reason, after.final, after.revision) == ("skipped_rain", "rain_expected", True, 1)
    assert (after.look_again_at, after.decided_at, after.followed) == (None, LATER, False)
    assert after.numbers == {"hour": 9}


def test_a_start_is_final_when_it_is_confirmed() -> None:
    asked = runs.asking(run(), Start({"wet": False}), LATER)
    assert (asked.asked_at, asked.followed, asked.revision, asked.outcome) == (LATER, True, 0, None)
    assert asked.look_again_at == LATER + timedelta(seconds=60)
    begun = runs.started(asked, "command-1", LATER)
    assert (begun.outcome, begun.final, begun.revision, begun.command_id) == ("started", False, 1, "command-1")
    seen = runs.confirmed(begun, LATER)
    assert (seen.final, seen.revision, seen.confirmed_at, seen.numbers) == (True, 2, LATER, {"wet": False})
    over = runs.closed(seen, "completed", LATER)
    assert (over.final, over.revision, over.ended_at, over.end_reason) == (True, 3, LATER, "completed")
    assert not over.followed


def test_a_start_that_is_not_confirmed_is_final_when_it_is_confirmed_after_all_or_closed() -> None:
    late = runs.not_started(runs.started(runs.asking(run(), Start(), NINE), "c", NINE), "start_not_confirmed", {})
    assert (late.outcome, late.final, late.followed) == ("failed", False, True)
    seen = runs.confirmed(late, LATER)
    assert (seen.outcome, seen.reason, seen.final, seen.numbers) == (
        "started",
        None,
        True,
        {"note": "start_not_confirmed"},
    )
    assert runs.closed(late, "unknown", LATER).final
    assert runs.closed(late, "unknown", LATER).outcome == "failed"


def test_waiting_tells_nobody_and_backs_off() -> None:
    waiting = run()
    waits = []
    for _ in range(7):
        waiting = runs.waiting(waiting, Wait("unavailable"), LATER, tick=TICK)
        assert waiting.look_again_at is not None
        waits.append((waiting.look_again_at - LATER).total_seconds())
    assert waits == [5, 10, 20, 40, 60, 60, 60]
    assert (waiting.revision, waiting.waiting_for, waiting.outcome) == (0, "unavailable", None)


def test_what_only_time_changes_is_looked_at_each_tick_and_says_by_what_it_waits() -> None:
    wait = Wait("rain", numbers={"probability_percent": 72}, each_tick=True)
    waiting = run()
    for _ in range(5):
        waiting = runs.waiting(waiting, wait, LATER, tick=TICK)
        assert (waiting.look_again_at, waiting.refusals) == (LATER + TICK, 0)
    assert (waiting.revision, waiting.waiting_for, waiting.numbers) == (0, "rain", {"probability_percent": 72})
    soon = LATER + timedelta(seconds=2)
    assert runs.waiting(waiting, Wait("forecast", soon), LATER, tick=TICK).look_again_at == soon


def test_a_run_that_starts_although_the_rule_holds_is_not_sent_home_for_rain() -> None:
    assert not runs.asking(run(), Start(), NINE).rain_exempt
    assert runs.asking(run(), Start(rain_exempt=True), NINE).rain_exempt
    assert runs.asking(run(run_now=True), Start(), NINE).rain_exempt


@pytest.mark.parametrize("refusals", [1, 5, 1000, 10**9])
def test_the_back_off_has_an_end(refusals: int) -> None:
    assert timedelta(seconds=5) <= runs.retry_after(refusals) <= timedelta(seconds=60)


def test_a_refused_start_leaves_its_key_free_and_an_accepted_one_does_not() -> None:
    asked = runs.asking(run(), Start(), NINE)
    refused = runs.waiting(asked, Wait("unavailable"), LATER, tick=TICK)
    assert (refused.attempt, refused.asked_at, refused.followed) == (1, None, False)
    again = runs.tried_again(runs.started(asked, "command-1", NINE), "in_transition", LATER)
    assert (again.attempt, again.asked_at, again.command_id, again.outcome) == (2, None, None, None)
    assert (again.revision, again.waiting_for, again.followed) == (2, "in_transition", False)


def test_an_unanswered_question_stays_asked() -> None:
    asked = runs.asking(run(), Start(), NINE)
    silent = runs.unresolved(asked, LATER)
    assert (silent.asked_at, silent.followed, silent.look_again_at) == (NINE, True, LATER + timedelta(seconds=5))
    unknown = runs.outcome_unknown(silent, LATER)
    assert (unknown.outcome, unknown.reason, unknown.final, unknown.followed) == (
        "failed",
        "outcome_unknown",
        False,
        True,
    )
