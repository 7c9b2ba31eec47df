"""The log has a partition for this month and the next ones, whatever zone a moment is written in."""

import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from edge_gateway.telemetry.months import Month, month_of, month_of_table, months_needed, months_to_purge


def test_a_month_is_taken_in_utc() -> None:
    moment = datetime(2026, 12, 1, 0, 30, tzinfo=ZoneInfo("Europe/Berlin"))

    assert month_of(moment) == Month(2026, 11)


def test_the_process_s_own_zone_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "Pacific/Kiritimati")
        time.tzset()
        found = month_of(datetime(2026, 11, 30, 23, tzinfo=UTC))
    time.tzset()

    assert found == Month(2026, 11)


def test_december_is_followed_by_january() -> None:
    assert Month(2026, 12).next() == Month(2027, 1)
    assert Month(2026, 12).next().begins_at == datetime(2027, 1, 1, tzinfo=UTC)


def test_this_month_and_the_next_two_are_needed() -> None:
    assert months_needed(datetime(2026, 11, 30, tzinfo=UTC)) == (Month(2026, 11), Month(2026, 12), Month(2027, 1))


def test_a_partition_is_named_by_its_month() -> None:
    assert Month(2026, 5).table == "log_2026_05"


def test_a_months_table_is_read_back() -> None:
    assert month_of_table(Month(2026, 5).table) == Month(2026, 5)
    assert month_of_table("log_default") is None


def test_only_months_that_are_wholly_past_are_purged() -> None:
    months = [Month(2026, 6), Month(2026, 4), Month(2026, 5)]
    assert months_to_purge(months, datetime(2026, 6, 1, tzinfo=UTC)) == (Month(2026, 4), Month(2026, 5))
    assert months_to_purge(months, datetime(2026, 5, 31, 23, 59, tzinfo=UTC)) == (Month(2026, 4),)
