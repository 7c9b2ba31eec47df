"""The JSON that the API shows (edge_gateway/contracts/views.py), complete; tests change what they need."""

from typing import Any

type Json = dict[str, Any]

TOKEN = "the-token-of-the-emulated-gateway"  # noqa: S105  # of an emulator
OTHER_TOKEN = "another-token"  # noqa: S105  # the same
GATEWAY_ID = "01K8GATEWAY000000000000000"
MOWER_ID = "01K8MOWER00000000000000001"
SCHEDULE_ID = "01K8SCHEDULE00000000000001"
RUN_ID = "01K8RUN0000000000000000001"
COMMAND_ID = "01K8COMMAND000000000000001"


def info(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return what the gateway says of itself."""
    return {
        "version": "0.1.0",
        "api": {"min": 1, "max": 1},
        "gateway_id": GATEWAY_ID,
        "name": "MowDeck",
        "services": {"device_gateway": True, "fleet": True, "scheduler": True, "telemetry": True},
    } | changes


def announced(**changes: str) -> dict[str, str]:
    """Return what a gateway announces in the network."""
    return {"gateway_id": GATEWAY_ID, "name": "Garden", "version": "0.1.0", "api_min": "1", "api_max": "1"} | changes


def mower(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return a mower that waits in its dock."""
    return {
        "id": MOWER_ID,
        "name": "Front lawn",
        "provider": "simulator",
        "model": "Sim 500",
        "firmware_version": "1.2.3",
        "newest_firmware_version": "1.2.3",
        "serial_number": "SIM-0001",
        "site_id": "home",
        "available": True,
        "unavailable_reason": None,
        "activity": "docked",
        "battery_percent": 87,
        "charging": True,
        "position": {"latitude": 52.1, "longitude": 4.9, "observed_at": "2026-05-01T06:59:30Z"},
        "area_id": None,
        "areas": [{"id": "front", "name": "Front", "enabled": True, "size_m2": 120.5}],
        "progress_percent": None,
        "job": None,
        "obey_rain": True,
        "problem": None,
        "links": [{"kind": "simulated", "connected": True, "signal_dbm": -61, "heard_at": None, "current": False}],
        "observed_at": "2026-05-01T06:59:58.123456Z",
    } | changes


def schedule(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return a schedule that has not run yet."""
    return {
        "id": SCHEDULE_ID,
        "account_id": "home",
        "owner": "user:owner",
        "name": "Weekday mornings",
        "target": {"mower_id": MOWER_ID},
        "recurrence": {"kind": "weekly", "days": ["mon", "wed", "fri"], "at": "09:00"},
        "duration_minutes": 120,
        "starts_on": None,
        "ends_on": None,
        "time_zone": None,
        "effective_time_zone": "Europe/Amsterdam",
        "area_ids": None,
        "pattern": None,
        "angles": None,
        "enabled": True,
        "disabled_reason": None,
        "when_held": "skip",
        "max_hold_days": None,
        "rain": {
            "enabled": None,
            "probability_percent": None,
            "precipitation_mm": None,
            "lookahead_hours": None,
            "cooldown_hours": None,
            "run_when_unknown": None,
            "pause_running_jobs_on_rain": None,
            "resume_when_dry": None,
        },
        "return_to_dock_at_window_end": False,
        "next_run_at": "2026-05-04T07:00:00Z",
        "next_run_skipped": False,
        "next_effective_run_at": "2026-05-04T07:00:00Z",
        "skips": [],
        "last_run": None,
        "created_at": "2026-05-01T06:00:00Z",
        "changed_at": "2026-05-01T06:00:00Z",
    } | changes


def run(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return a run that was skipped for rain."""
    return {
        "id": RUN_ID,
        "account_id": "home",
        "schedule_id": SCHEDULE_ID,
        "mower_id": MOWER_ID,
        "occurrence_at": "2026-05-01T07:00:00Z",
        "window_ends_at": "2026-05-01T09:00:00Z",
        "run_now": False,
        "outcome": "skipped_rain",
        "reason": "rain_expected",
        "numbers": {"probability_percent": 80, "threshold_percent": 60},
        "revision": 2,
        "final": True,
        "command_id": None,
        "owner": "user:owner",
        "created_at": "2026-05-01T07:00:01Z",
        "decided_at": "2026-05-01T07:00:02Z",
        "confirmed_at": None,
        "ended_at": None,
        "end_reason": None,
        "sentence": None,
    } | changes


def health(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return what the mower did in its life."""
    return {
        "mower_id": MOWER_ID,
        "mowing_seconds": 7200.0,
        "distance_m": 2500.0,
        "area_m2": 480.0,
        "charge_cycles": 7,
        "blade_seconds": 90000.0,
        "blade_life_seconds": 360000.0,
        "blades_reset_at": None,
    } | changes


def weather(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return the rain verdict of a mower that is held back."""
    return {
        "mower_id": MOWER_ID,
        "site_id": "home",
        "obey_rain": True,
        "hold": True,
        "reason": "rain_expected",
        "wet": True,
        "wet_until": "2026-05-01T10:00:00Z",
        "pause_until": "2026-05-01T12:00:00Z",
        "settings": {
            "enabled": True,
            "probability_percent": 60.0,
            "precipitation_mm": 0.5,
            "lookahead_hours": 3,
            "cooldown_hours": 2,
            "run_when_unknown": True,
        },
        "mower_hold": None,
        "rain_override": None,
        "numbers": {"probability_percent": 80},
        "provider": "open_meteo",
        "fetched_at": "2026-05-01T06:30:00Z",
        "age_seconds": 1800,
        "attribution": "Weather data by Open-Meteo.com",
        "hours": [],
    } | changes


def ground(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return a map of one area with a pond."""
    return {
        "mower_id": MOWER_ID,
        "account_id": "home",
        "observed_at": "2026-05-01T06:00:00Z",
        "complete": True,
        "areas": [
            {
                "id": "front",
                "vendor_key": "1",
                "name": "Front",
                "boundary": [[0.0, 0.0], [10.0, 0.0], [10.0, 12.0], [0.0, 12.0]],
                "size_m2": 120.0,
            }
        ],
        "obstacles": [[[4.0, 4.0], [5.0, 4.0], [5.0, 5.0]]],
        "no_go_zones": [],
        "dock": [0.0, 0.0],
        "origin_latitude": None,
        "origin_longitude": None,
    } | changes


def preview(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return the preview of a schedule whose first occurrence will be wet."""
    return {
        "time_zone": "Europe/Amsterdam",
        "enabled": True,
        "items": [
            {
                "occurrence_at": "2026-05-04T07:00:00Z",
                "local_time": "2026-05-04T09:00:00+02:00",
                "day": "2026-05-04",
                "window_ends_at": "2026-05-04T09:00:00Z",
                "skipped": False,
                "mowers": [
                    {
                        "mower_id": MOWER_ID,
                        "known": True,
                        "hold": True,
                        "reason": "rain_expected",
                        "wet": True,
                        "pause_until": "2026-05-04T12:00:00Z",
                        "quiet": False,
                        "quiet_from": None,
                        "quiet_until": None,
                    }
                ],
            }
        ],
        "attribution": ["Weather data by Open-Meteo.com"],
    } | changes


def command(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return a command that was just accepted."""
    return {
        "id": COMMAND_ID,
        "account_id": "home",
        "mower_id": MOWER_ID,
        "body": {"kind": "start_mow"},
        "key": "key-1",
        "issued_by": "user:owner",
        "origin": "dashboard",
        "schedule_id": None,
        "issued_at": "2026-05-01T07:00:00Z",
        "status": "accepted",
        "reason": None,
        "values": {},
        "changed_at": "2026-05-01T07:00:00Z",
    } | changes


def site(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return the default site, on which a time zone was chosen."""
    return {
        "id": "home",
        "account_id": "home",
        "name": "Home",
        "time_zone": "Europe/Amsterdam",
        "time_zone_chosen": True,
        "latitude": 52.1,
        "longitude": 4.9,
        "rain": {
            "enabled": True,
            "probability_percent": 60.0,
            "precipitation_mm": 0.5,
            "lookahead_hours": 3,
            "cooldown_hours": 2,
            "run_when_unknown": True,
            "pause_running_jobs_on_rain": True,
            "resume_when_dry": False,
        },
        "weather_source": None,
        "quiet_hours": None,
    } | changes


def hello(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return the first message of a connection."""
    return {"type": "hello", "info": info(), "resumed": False} | changes


def snapshot(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return everything: one mower with one schedule on one site."""
    return {
        "type": "snapshot",
        "cursor": "c0",
        "mowers": [mower()],
        "schedules": [schedule()],
        "sites": [site()],
        "groups": [],
    } | changes


def change(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return a message about one thing; nothing unless it is named."""
    things = ("mower", "schedule", "site", "group")
    nothing = dict.fromkeys((*things, *(f"{thing}_removed" for thing in things), "run", "command", "event"))
    return {"type": "change", "cursor": "c1", "id": "event-1"} | nothing | changes


def error(code: str, detail: str, **more: Any) -> Json:  # noqa: ANN401  # JSON
    """Return the body of an answer that is an error."""
    return {"error": {"code": code, "detail": detail} | more}
