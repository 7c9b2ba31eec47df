"""Refusals, the count of missing rights, what is worth a write of the mower's row, what an edit means."""

from datetime import date, timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.errors import (
    ConflictError,
    DeadlineError,
    ForbiddenError,
    InvalidError,
    MowDeckError,
    NotFoundError,
    UnavailableError,
    UnsafeError,
)
from edge_gateway.contracts.mower import Activity, Job, MowerState, Position
from edge_gateway.contracts.schedules import RunOutcome, Target, WeeklyRecurrence
from edge_gateway.scheduler import edits
from edge_gateway.scheduler.consequences import after
from edge_gateway.scheduler.mower_row import is_worth_writing
from edge_gateway.scheduler.refusals import refusal_of
from edge_gateway.scheduler.verdicts import End, Reason, Wait
from tests.unit.scheduler.factories import MONDAY, NINE, draft, run, schedule

THURSDAY = date(2026, 5, 7)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (UnavailableError("unavailable", ""), Wait("unavailable")),
        (ConflictError("in_transition", ""), Wait("in_transition")),
        (UnavailableError("no_responder", ""), Wait("fleet_silent")),
        (UnavailableError("bus_unavailable", ""), Wait("fleet_silent")),
        (UnavailableError("database_unavailable", ""), None),
        (DeadlineError("no_answer", ""), None),
        (MowDeckError("internal", ""), None),
        (ForbiddenError("forbidden", ""), End(RunOutcome.SKIPPED_PERMISSION, "forbidden")),
        (ForbiddenError("unknown_principal", ""), End(RunOutcome.SKIPPED_PERMISSION, "unknown_principal")),
        (NotFoundError("not_found", ""), End(RunOutcome.SKIPPED_PERMISSION, "not_found")),
        (InvalidError("invalid", ""), End(RunOutcome.FAILED, "invalid")),
        (UnsafeError("mower_in_error", ""), End(RunOutcome.FAILED, "mower_in_error")),
        (ConflictError("key_reused", ""), End(RunOutcome.FAILED, "key_reused")),
    ],
)
def test_refusals(error: MowDeckError, expected: End | Wait | None) -> None:
    assert refusal_of(error) == expected


def test_three_firings_without_rights_disable() -> None:
    record = schedule()
    no_right = End(RunOutcome.SKIPPED_PERMISSION, "forbidden")
    twice = after(after(record, run(), no_right, 3), run(), no_right, 3)
    assert (twice.permission_skips, twice.draft.enabled) == (2, True)
    disabled = after(twice, run(), no_right, 3)
    assert (disabled.draft.enabled, disabled.disabled_reason) == (False, "permission")


@pytest.mark.parametrize(
    ("end", "count"),
    [
        (End(RunOutcome.STARTED, ""), 0),
        (End(RunOutcome.SKIPPED_RAIN, "rain_expected"), 0),
        (End(RunOutcome.SKIPPED_MOWER_BUSY, "mower_busy"), 0),
        (End(RunOutcome.FAILED, "unavailable"), 0),
        (End(RunOutcome.SKIPPED_MANUAL, "skipped"), 2),
        (End(RunOutcome.SKIPPED_WINDOW, "window_closed"), 2),
        (End(RunOutcome.FAILED, "fleet_silent"), 2),
    ],
)
def test_the_count_begins_anew_when_the_right_was_there(end: End, count: int) -> None:
    assert after(schedule(permission_skips=2), run(), end, 3).permission_skips == count


def test_a_target_that_is_gone_disables_at_once() -> None:
    record = schedule(skips=frozenset({THURSDAY}))
    gone = End(RunOutcome.FAILED, Reason.TARGET_GONE)
    disabled = msgspec.structs.replace(
        record,
        draft=draft(enabled=False),
        disabled_reason="target_gone",
        next_run_at=None,
        next_run_on=None,
        skips=frozenset(),
    )
    assert after(record, run(), gone, 3) == disabled
    assert after(record, run(group_id="group-1", mower_id=None), gone, 3) == disabled
    assert after(record, run(group_id="group-1"), gone, 3) == record, "one mower that left its group leaves the others"


def test_a_group_s_firing_counts_and_consumes_once_all_of_it_is_decided() -> None:
    record = schedule(skips=frozenset({MONDAY}), permission_skips=1)
    no_right = End(RunOutcome.SKIPPED_PERMISSION, "forbidden")
    one, waits = RunOutcome.SKIPPED_PERMISSION, None
    decided = msgspec.structs.replace(record, skips=frozenset())
    assert after(record, run(), no_right, 3, others=(one, waits)) == record
    assert after(record, run(), no_right, 3, others=(one, RunOutcome.STARTED)) == decided
    assert after(record, run(), no_right, 3, others=(one, one)).permission_skips == 2


def test_a_skip_is_consumed_once_and_a_run_now_consumes_none() -> None:
    record = schedule(skips=frozenset({MONDAY, THURSDAY}))
    skipped = End(RunOutcome.SKIPPED_MANUAL, "skipped")
    assert after(record, run(), skipped, 3).skips == {THURSDAY}
    assert after(record, run(run_now=True, occurrence_on=None), skipped, 3) == record


def state(seconds: float, activity: Activity = Activity.MOWING, **changes: Any) -> MowerState:  # noqa: ANN401  # any field
    return MowerState(
        mower_id="mower-1",
        account_id="home",
        observed_at=NINE + timedelta(seconds=seconds),
        activity=activity,
        **changes,
    )


def at(metres: float) -> Position:
    return Position(latitude=52.0 + metres / 111_320, longitude=13.0)


@pytest.mark.parametrize(
    ("written", "new", "expected"),
    [
        (None, state(0), True),
        (None, state(0, backfill=True), False),
        (state(0), state(1), False),
        (state(0), state(29.9), False),
        (state(0), state(30), True),
        (state(0), state(1, Activity.RETURNING), True),
        (state(0, Activity.RETURNING), state(0, Activity.DOCKED), False),
        (state(5, Activity.RETURNING), state(1, Activity.DOCKED), False),
        (state(0, position=at(0)), state(1, position=at(99)), False),
        (state(0, position=at(0)), state(1, position=at(101)), True),
        (state(0, position=at(0)), state(1), False),
        (state(0, job=Job(id="j")), state(1, job=Job(id="j", resumable=True)), True),
        (state(0, job=Job(id="j")), state(1), True),
    ],
)
def test_which_reports_are_worth_a_write(written: MowerState | None, new: MowerState, expected: bool) -> None:  # noqa: FBT001  # the table's column
    assert is_worth_writing(written, new) is expected


NOW = NINE - timedelta(hours=1)


def edit(**changes: Any) -> Any:  # noqa: ANN401  # a record
    before = schedule(skips=frozenset({MONDAY, THURSDAY}), permission_skips=2)
    return edits.edited(before, draft(**changes), owner="user:other", time_zone="Europe/Berlin", now=NOW)


def test_a_name_moves_nothing_and_changes_the_owner() -> None:
    after_edit = edit(name="Other")
    assert (after_edit.next_run_at, after_edit.skips) == (NINE, {MONDAY, THURSDAY})
    assert (after_edit.owner, after_edit.changed_at, after_edit.permission_skips) == ("user:other", NOW, 0)


def test_another_recurrence_moves_the_next_run_and_drops_skips_that_are_no_longer_due() -> None:
    after_edit = edit(recurrence=WeeklyRecurrence(days=("thu",), at="10:00"))
    assert (after_edit.next_run_on, after_edit.skips) == (THURSDAY, {THURSDAY})


def test_bounds_move_the_next_run() -> None:
    assert edit(starts_on=date(2026, 5, 5)).next_run_on == THURSDAY
    ended = edit(ends_on=date(2026, 5, 3))
    assert (ended.next_run_at, ended.skips) == (None, frozenset())


def test_disabling_clears_next_run_and_skips() -> None:
    after_edit = edit(enabled=False)
    assert (after_edit.next_run_at, after_edit.next_run_on, after_edit.skips) == (None, None, frozenset())


def test_enabling_computes_the_next_run_and_forgets_why_it_was_disabled() -> None:
    before = schedule(draft=draft(enabled=False), next_run_at=None, next_run_on=None, disabled_reason="permission")
    after_edit = edits.edited(before, draft(), owner=before.owner, time_zone="Europe/Berlin", now=NOW)
    assert (after_edit.next_run_at, after_edit.disabled_reason) == (NINE, None)


def test_a_new_zone_does_not_fire_a_date_again_and_a_new_plan_may() -> None:
    fired = schedule(fired_on=MONDAY, draft=draft(recurrence=WeeklyRecurrence(days=("mon", "tue"), at="09:00")))
    now = NINE + timedelta(minutes=5)
    moved = edits.in_another_zone(fired, "America/New_York", now)
    assert (moved.next_run_on, moved.effective_time_zone) == (date(2026, 5, 5), "America/New_York")
    later = draft(recurrence=WeeklyRecurrence(days=("mon", "tue"), at="15:00"))
    changed = edits.edited(fired, later, owner=fired.owner, time_zone="Europe/Berlin", now=now)
    assert changed.next_run_on == MONDAY


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": "Other"}, None),
        ({"duration_minutes": 5}, None),
        ({"enabled": False}, "disabled"),
        ({"recurrence": WeeklyRecurrence(days=("mon",), at="10:00")}, "edited"),
        ({"target": Target(mower_id="mower-2")}, "edited"),
        ({"ends_on": date(2026, 5, 3)}, "edited"),
        ({"ends_on": date(2026, 5, 4)}, None),
    ],
)
def test_which_changes_end_a_pending_firing(changes: dict[str, Any], reason: str | None) -> None:
    before = schedule()
    changed = msgspec.structs.replace(before, draft=draft(**changes))
    assert edits.reason_to_end(before, changed, run()) == reason


def test_a_run_now_ends_only_with_its_target() -> None:
    before = schedule()
    disabled = msgspec.structs.replace(before, draft=draft(enabled=False))
    assert edits.reason_to_end(before, disabled, run(run_now=True, occurrence_on=None)) is None
    elsewhere = msgspec.structs.replace(before, draft=draft(target=Target(mower_id="mower-2")))
    assert edits.reason_to_end(before, elsewhere, run(run_now=True, occurrence_on=None)) == "edited"
