"""Rows as the pure rules read them, with what a test does not care about filled in."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from edge_gateway.contracts.commands import Command, CommandBody, CommandKind, CommandStatus
from edge_gateway.contracts.principals import OWNER, Origin
from edge_gateway.contracts.schedules import ScheduleDraft, Target, WeeklyRecurrence
from edge_gateway.scheduler.records import MowerRecord, RunRecord, ScheduleRecord

NINE = datetime(2026, 5, 4, 7, tzinfo=UTC)
"""Monday, 09:00 in Berlin."""
MONDAY = date(2026, 5, 4)


def draft(**changes: Any) -> ScheduleDraft:  # noqa: ANN401  # any field of a draft
    values: dict[str, Any] = {
        "name": "Front lawn",
        "target": Target(mower_id="mower-1"),
        "recurrence": WeeklyRecurrence(days=("mon", "thu"), at="09:00"),
        "duration_minutes": 60,
    }
    return ScheduleDraft(**values | changes)


def schedule(**changes: Any) -> ScheduleRecord:  # noqa: ANN401  # any field of a record
    values: dict[str, Any] = {
        "id": "schedule-1",
        "account_id": "home",
        "owner": OWNER,
        "draft": draft(),
        "effective_time_zone": "Europe/Berlin",
        "next_run_at": NINE,
        "next_run_on": MONDAY,
        "computed_at": NINE - timedelta(days=1),
        "created_by": OWNER,
        "created_at": NINE - timedelta(days=1),
        "changed_at": NINE - timedelta(days=1),
    }
    return ScheduleRecord(**values | changes)


def run(**changes: Any) -> RunRecord:  # noqa: ANN401  # any field of a record
    values: dict[str, Any] = {
        "id": "run-1",
        "account_id": "home",
        "schedule_id": "schedule-1",
        "mower_id": "mower-1",
        "order_key": "schedule-1:2026-05-04T07:00:00Z:mower-1",
        "occurrence_at": NINE,
        "occurrence_on": MONDAY,
        "window_ends_at": NINE + timedelta(minutes=60),
        "owner": OWNER,
        "look_again_at": NINE,
        "created_at": NINE,
    }
    return RunRecord(**values | changes)


def mower(**changes: Any) -> MowerRecord:  # noqa: ANN401  # any field of a record
    values: dict[str, Any] = {"id": "mower-1", "account_id": "home", "available": True}
    return MowerRecord(**values | changes)


def command(status: CommandStatus, reason: str | None = None) -> Command:
    return Command(
        id="command-1",
        account_id="home",
        mower_id="mower-1",
        body=CommandBody(kind=CommandKind.START_MOW),
        key="key",
        issued_by=OWNER,
        origin=Origin.SCHEDULER,
        issued_at=NINE,
        status=status,
        reason=reason,
        changed_at=NINE + timedelta(seconds=20),
    )
