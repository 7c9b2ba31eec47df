"""The page says what is known, what is wrong and what to do, and takes nobody's words for its own."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.ingress.gathering import Backup, Gathered
from edge_gateway.ingress.page import render

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
EMPTY = Gathered(now=NOW, version="1.2.3")
EVIL = "<script>alert(1)</script>"

MOWER = {
    "id": "m1",
    "name": EVIL,
    "provider": "mammotion",
    "model": None,
    "available": False,
    "unavailable_reason": "link_lost",
    "activity": "unknown",
    "battery_percent": None,
    "links": [{"kind": "bridge", "connected": True, "signal_dbm": -71, "current": True}],
}
RUN = {
    "schedule_id": "s1",
    "mower_id": "m1",
    "outcome": "skipped_rain",
    "reason": "rain_expected",
    "sentence": "skipped, because rain is expected",
    "occurrence_at": (NOW - timedelta(hours=3)).isoformat(),
}
ACCOUNT = {
    "username": "owner@example.com",
    "provider": "mammotion",
    "status": "rejected",
    "detail": None,
    "usage": {
        "window_seconds": 86400,
        "requests": 40,
        "used": 90,
        "limit": 100,
        "backing_off": True,
        "reason": "rate_limited",
        "retry_in_seconds": 600,
    },
}
BRIDGE = {
    "name": "Shed",
    "host": "192.0.2.7",
    "status": "connected",
    "esphome_version": "2026.10.0",
    "slots": 3,
    "free_slots": 2,
    "wifi_dbm": -60.0,
}
WEATHER = {
    "hold": True,
    "reason": "rain_expected",
    "age_seconds": 1800,
    "pause_until": (NOW + timedelta(hours=2)).isoformat(),
    "attribution": "Weather data by Open-Meteo.com",
}
FINDING = {"severity": "error", "detail": "It is stuck.", "remedy": "Free it."}


def page(**known: Any) -> str:  # noqa: ANN401  # the fields of what was gathered
    return render(msgspec.structs.replace(EMPTY, **known))


def test_all_that_is_known_is_shown() -> None:
    shown = page(
        services={"fleet": True, "telemetry": False},
        lists={
            "findings": [FINDING],
            "mowers": [MOWER],
            "accounts": [ACCOUNT],
            "bridges": [BRIDGE],
            "runs": [RUN],
            "schedules": [{"id": "s1", "name": "Mornings"}],
        },
        weather={"m1": WEATHER},
        backup=Backup(made_at=NOW - timedelta(days=1), rows=12, bytes=2_000_000, failure="the disk was full"),
        log=("first line", "second line"),
        memory_bytes=200 * 1024**2,
    )
    for words in (
        "It is stuck.",
        "Free it.",
        "not reached",
        "bridge -71 dBm (in use)",
        "90 of 100 messages in 1 d",
        "held back: rate limited, again in 10 min",
        "Log in again",
        "2 of 3 connections free",
        "skipped, because rain is expected",
        "3 h ago",
        "Mornings",
        "rain expected",
        "in 2 h",
        "Weather data by Open-Meteo.com",
        "12 rows, 1.9 MB",
        "The last backup failed: the disk was full",
        "second line\nfirst line",
        "200 MB",
    ):
        assert words in shown, words
    assert "All is well" not in shown


def test_nothing_that_was_given_becomes_a_part_of_the_page() -> None:
    assert EVIL not in page(
        lists={"mowers": [MOWER], "runs": [RUN | {"sentence": EVIL}]}, weather={"m1": WEATHER}, log=(EVIL,)
    )


def test_nothing_comes_from_elsewhere_or_runs() -> None:
    shown = page(lists={"mowers": [MOWER], "runs": [RUN]})
    assert "<script" not in shown
    assert "http://" not in shown
    assert "https://" not in shown


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({}, "All is well."),
        ({"silence": "The gateway is starting."}, "The gateway is starting."),
        ({}, "There is no backup yet."),
        ({"lists": {"bridges": None}}, "There are no mowers yet."),
        ({"lists": {"runs": [RUN | {"outcome": None, "mower_id": None}]}}, "pending"),
    ],
)
def test_what_is_not_known_is_said(known: dict[str, Any], words: str) -> None:
    assert words in page(**known)


def test_bridges_are_left_out_where_there_are_none() -> None:
    assert "bridges" not in page(lists={"bridges": []})
