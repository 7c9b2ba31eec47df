"""A garden in which everything can be seen, and much is not well."""

from datetime import UTC, datetime, timedelta
from typing import Any

from edge_gateway.ingress.gathering import Backup, Gathered

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
EMPTY = Gathered(now=NOW, version="1.2.3")
EVIL = "<script>alert(1)</script>"

MOWER: dict[str, Any] = {
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
RUN: dict[str, Any] = {
    "schedule_id": "s1",
    "mower_id": "m1",
    "outcome": "skipped_rain",
    "reason": "rain_expected",
    "sentence": "skipped, because rain is expected",
    "occurrence_at": (NOW - timedelta(hours=3)).isoformat(),
}
ACCOUNT: dict[str, Any] = {
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
BRIDGE: dict[str, Any] = {
    "name": "Shed",
    "host": "192.0.2.7",
    "status": "connected",
    "esphome_version": "2026.10.0",
    "slots": 3,
    "free_slots": 2,
    "wifi_dbm": -60.0,
}
WEATHER: dict[str, Any] = {
    "hold": True,
    "reason": "rain_expected",
    "age_seconds": 1800,
    "pause_until": (NOW + timedelta(hours=2)).isoformat(),
    "attribution": "Weather data by Open-Meteo.com",
}
FINDING: dict[str, Any] = {
    "code": "of_a_later_gateway",
    "severity": "warning",
    "detail": "It is stuck.",
    "remedy": "Free it.",
}
THEFT: dict[str, Any] = {
    "code": "left_geofence",
    "severity": "alarm",
    "detail": "The mower is 31 m outside its garden and did not drive there itself.",
    "remedy": "Look for it.",
    "mower_id": "m1",
    "values": {"latitude": 52.5, "longitude": 13.4, "metres_outside": 31.4},
}


EVERYTHING: dict[str, Any] = {
    "services": {"fleet": True, "telemetry": False},
    "lists": {
        "findings": [FINDING, THEFT],
        "mowers": [MOWER],
        "accounts": [ACCOUNT],
        "bridges": [BRIDGE],
        "runs": [RUN],
        "schedules": [{"id": "s1", "name": "Mornings"}],
        "sites": [{"id": "home", "time_zone": "Europe/Berlin"}],
    },
    "weather": {"m1": WEATHER},
    "backup": Backup(made_at=NOW - timedelta(days=1), rows=12, bytes=2_000_000, failure="the disk was full"),
    "log": ("first line", "second    line"),
    "memory_bytes": 200 * 1024**2,
}

LONG_NAME = "Rasenmähroboter-hinter-dem-Gewächshaus"


def crowd(findings: list[str]) -> dict[str, Any]:
    """Return all of it several times over, under long names, with a finding of each of these codes."""
    values = {"problem_code": "bumper_disconnected", "reason": "vendor_offline", "battery_percent": 9} | THEFT["values"]
    values |= {"blade_seconds": 360_000.0, "version": "2026.5.0", "wifi_dbm": -86.0}
    known = EVERYTHING["lists"]
    mower = MOWER | {"name": LONG_NAME, "model": "Luba 3 AWD 5000HX"}
    lists = known | {
        "findings": [
            {"code": code, "severity": "warning", "detail": code, "remedy": code, "values": values, "mower_id": "m1"}
            for code in findings
        ],
        "mowers": [mower | {"links": MOWER["links"] * 2}, mower | {"available": True, "activity": "returning"}],
        "accounts": [ACCOUNT | {"username": f"{LONG_NAME}@example.com"}],
        "bridges": [BRIDGE | {"name": LONG_NAME, "status": "connecting", "host": f"{LONG_NAME}.local"}],
        "runs": [RUN, RUN | {"outcome": "skipped_mower_busy", "reason": "other_run"}, RUN | {"outcome": "started"}],
        "schedules": [{"id": "s1", "name": f"Mähen {LONG_NAME}"}],
    }
    services = dict.fromkeys(("fleet", "scheduler", "telemetry", "notifications", "device_gateway"), True)
    line = f"2026-12-01T04:04:03.883550Z [warning  ] mower followed   [edge_gateway.actor] mower={'01M8QWC8DDJ92' * 3}"
    return EVERYTHING | {"lists": lists, "services": services, "log": (line,) * 20}
