"""What an owner may hand on when something is wrong: only what is listed here, nothing that names or places anybody."""

from typing import Any

from homeassistant.core import HomeAssistant

from .client.bridge import Bridge
from .client.mower import Mower
from .client.schedule import Schedule
from .hub import MowDeckConfigEntry


async def async_get_config_entry_diagnostics(_hass: HomeAssistant, entry: MowDeckConfigEntry) -> dict[str, Any]:
    """Return the state of a gateway, its mowers and schedules without names, places, serial numbers and tokens."""
    hub = entry.runtime_data
    return {
        "gateway": {
            "version": hub.info.version,
            "api": {"min": hub.info.api_lowest, "max": hub.info.api_highest},
            "services": dict(hub.info.services),
            "connected": hub.connected,
        },
        "sites": [
            {"time_zone_chosen": site.time_zone_chosen, "has_coordinates": site.latitude is not None}
            for site in hub.sites.values()
        ],
        "mowers": [_mower(mower) for mower in hub.mowers.views.values()],
        "schedules": [_schedule(schedule) for schedule in hub.schedules.views.values()],
        "logins": [
            {"provider": account.provider, "status": account.status, "runs_here": account.usage is not None}
            for account in hub.accounts.views.values()
        ],
        "bridges": [_bridge(bridge) for bridge in hub.bridges.views.values()],
        **{name: tell() for name, tell in hub.diagnostics.items()},
    }


def _bridge(bridge: Bridge) -> dict[str, Any]:
    return {
        "status": bridge.status.value,
        "esphome_version": bridge.esphome_version,
        "encrypted": bridge.encrypted,
        "slots": bridge.slots,
        "free_slots": bridge.free_slots,
        "wifi_dbm": bridge.wifi_dbm,
    }


def _mower(mower: Mower) -> dict[str, Any]:
    return {
        "id": mower.id,
        "provider": mower.provider,
        "model": mower.model,
        "firmware_version": mower.firmware_version,
        "newest_firmware_version": mower.newest_firmware_version,
        "available": mower.available,
        "unavailable_reason": mower.unavailable_reason,
        "activity": mower.activity.value,
        "battery_percent": mower.battery_percent,
        "charging": mower.charging,
        "progress_percent": mower.progress_percent,
        "has_position": mower.position is not None,
        "area_count": len(mower.areas),
        "obey_rain": mower.obey_rain,
        "job": None if mower.job is None else {"resumable": mower.job.resumable},
        "problem": None
        if mower.problem is None
        else {"code": mower.problem.code, "vendor_code": mower.problem.vendor_code},
        "links": [
            {"kind": link.kind, "connected": link.connected, "signal_dbm": link.signal_dbm} for link in mower.links
        ],
        "observed_at": None if mower.observed_at is None else mower.observed_at.isoformat(),
    }


def _schedule(schedule: Schedule) -> dict[str, Any]:
    run = schedule.last_run
    return {
        "id": schedule.id,
        "mower_id": schedule.target.mower_id,
        "recurrence": None if schedule.recurrence is None else schedule.recurrence.json(),
        "duration_minutes": schedule.duration_minutes,
        "enabled": schedule.enabled,
        "disabled_reason": schedule.disabled_reason,
        "rain_enabled": schedule.rain_enabled,
        "next_run_at": None if schedule.next_run_at is None else schedule.next_run_at.isoformat(),
        "next_run_skipped": schedule.next_run_skipped,
        "last_run": None
        if run is None
        else {
            "occurrence_at": run.occurrence_at.isoformat(),
            "outcome": run.outcome.value,
            "reason": run.reason,
            "final": run.final,
            "end_reason": run.end_reason,
        },
    }
