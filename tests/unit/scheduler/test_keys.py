"""Order keys."""

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from edge_gateway.scheduler.keys import attempt_key, missed_key, occurrence_key, run_now_key
from tests.unit.scheduler.factories import NINE


def test_keys_are_the_design_s() -> None:
    assert occurrence_key("s", NINE, "m") == "s:2026-05-04T07:00:00Z:m"
    assert run_now_key("s", "k", "m") == "s:now:k:m"


def test_an_instant_is_the_same_key_in_every_zone() -> None:
    local = datetime(2026, 5, 4, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    assert occurrence_key("s", local, "m") == occurrence_key("s", NINE, "m")


def test_the_process_s_own_zone_is_in_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "Pacific/Kiritimati")
        time.tzset()
        key = occurrence_key("s", NINE, "m")
    time.tzset()
    assert key == "s:2026-05-04T07:00:00Z:m"


def test_what_was_passed_over_takes_no_occurrence_s_key() -> None:
    assert missed_key("s", NINE, "m") == "s:missed:2026-05-04T07:00:00Z:m"


def test_the_first_attempt_has_the_plain_key() -> None:
    assert [attempt_key("k", number) for number in (1, 2, 3)] == ["k", "k:2", "k:3"]
