"""How runs go on: revisions, final, back-off."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import runs
from edge_gateway.scheduler.records import RunRecord
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


# Each step changes what it names and nothing else: a run that has been through much, every column filled.

WORN = run(
    outcome=RunOutcome.STARTED,
    reason="before",
    numbers={"kept": 1, "told_again": 1},
    revision=3,
    final=False,
    look_again_at=NINE,
    refusals=2,
    waiting_for="unavailable",
    asked_at=NINE,
    attempt=2,
    followed=True,
    command_id="command-0",
    decided_at=NINE,
)
MORE = {"told_again": 2, "new": 3}
ALL = {"kept": 1, "told_again": 2, "new": 3}
ENDS = {"look_again_at": None, "waiting_for": None}
TOLD = {"revision": 4}
UNASKED = {"asked_at": None, "followed": False}


@pytest.mark.parametrize(
    ("step", "changes"),
    [
        (
            lambda worn: runs.ended(worn, End(RunOutcome.FAILED, "areas_gone", MORE), LATER),
            {
                **TOLD,
                **ENDS,
                "outcome": "failed",
                "reason": "areas_gone",
                "numbers": ALL,
                "final": True,
                "followed": False,
                "decided_at": LATER,
            },
        ),
        (
            lambda worn: runs.waiting(worn, Wait("fleet_silent", numbers=MORE), LATER, tick=TICK),
            {
                **UNASKED,
                "waiting_for": "fleet_silent",
                "numbers": ALL,
                "refusals": 3,
                "look_again_at": LATER + timedelta(seconds=20),
            },
        ),
        (
            lambda worn: runs.waiting(worn, Wait("rain", LATER + 2 * TICK, each_tick=True), LATER, tick=TICK),
            {**UNASKED, "waiting_for": "rain", "look_again_at": LATER + TICK},
        ),
        (runs.not_asked, UNASKED),
        (
            lambda worn: runs.unresolved(worn, LATER),
            {"waiting_for": "fleet_silent", "refusals": 3, "look_again_at": LATER + timedelta(seconds=20)},
        ),
        (
            lambda worn: runs.asking(msgspec.structs.replace(worn, **UNASKED), Start(MORE, rain_exempt=True), LATER),
            {"numbers": ALL, "rain_exempt": True, "asked_at": LATER, "look_again_at": LATER + timedelta(seconds=60)},
        ),
        (
            lambda worn: runs.started(worn, "command-1", LATER),
            {**TOLD, **ENDS, "reason": None, "command_id": "command-1", "decided_at": LATER},
        ),
        (
            lambda worn: runs.outcome_unknown(worn, LATER),
            {**TOLD, **ENDS, "outcome": "failed", "reason": "outcome_unknown", "decided_at": LATER},
        ),
        (
            lambda worn: runs.taken_after_all(msgspec.structs.replace(worn, outcome=RunOutcome.FAILED), "command-1"),
            {
                **TOLD,
                "reason": None,
                "numbers": {"kept": 1, "told_again": 1, "note": "before"},
                "command_id": "command-1",
            },
        ),
        (
            lambda worn: runs.not_started(worn, "refused_by_mower", MORE),
            {**TOLD, "outcome": "failed", "reason": "refused_by_mower", "numbers": ALL},
        ),
        (
            lambda worn: runs.tried_again(worn, "lease_lost", LATER),
            {
                **TOLD,
                **UNASKED,
                "outcome": None,
                "reason": None,
                "waiting_for": "lease_lost",
                "refusals": 3,
                "look_again_at": LATER + timedelta(seconds=20),
                "attempt": 3,
                "command_id": None,
                "decided_at": None,
            },
        ),
        (
            lambda worn: runs.confirmed(msgspec.structs.replace(worn, outcome=RunOutcome.FAILED), LATER),
            {
                **TOLD,
                "reason": None,
                "numbers": {"kept": 1, "told_again": 1, "note": "before"},
                "final": True,
                "confirmed_at": LATER,
            },
        ),
        (
            lambda worn: runs.closed(worn, "completed", LATER),
            {**TOLD, "final": True, "followed": False, "ended_at": LATER, "end_reason": "completed"},
        ),
    ],
)
def test_a_step_changes_what_it_names_and_nothing_else(
    step: Callable[[RunRecord], RunRecord], changes: dict[str, Any]
) -> None:
    assert step(WORN) == msgspec.structs.replace(WORN, **changes)


@pytest.mark.parametrize(
    ("changes", "until"),
    [
        ({}, NINE + timedelta(minutes=60)),
        ({"run_now": True}, NINE + timedelta(seconds=30)),
        ({"run_now": True, "window_ends_at": NINE + timedelta(seconds=10)}, NINE + timedelta(seconds=10)),
    ],
)
def test_a_run_now_starts_at_once_or_not_at_all(changes: dict[str, Any], until: datetime) -> None:
    assert runs.start_before(run(**changes)) == until


def test_the_back_off_doubles_up_to_a_minute() -> None:
    assert [runs.retry_after(refusals).total_seconds() for refusals in range(1, 7)] == [5, 10, 20, 40, 60, 60]
