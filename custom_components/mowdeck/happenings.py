"""What happens at the gateway, as opposed to how something is: runs, notices, finished jobs, crossed zones."""

from collections.abc import Mapping
from typing import Any

from .client.run import Run

type Happening = Run | Mapping[str, Any]
"""A run's new revision, or another event: its `type`, `subject_id` and `payload`."""

NOTIFICATION = "notifications.event"
JOB_FINISHED = "telemetry.job.finished"
BLADE_THRESHOLD = "telemetry.blade.threshold"
ZONE_ENTERED = "telemetry.zone.entered"
GRANTS_CHANGED = "identity.grants.changed"
ZONE_LEFT = "telemetry.zone.left"
WEATHER_CHANGED = "scheduler.weather.changed"
SCHEDULE_DISABLED = "scheduler.schedule.disabled"
MAP_CHANGED = "device.map"
BRIDGE_CHANGED = "device.bridge.changed"
VENDOR_ACCOUNT_CHANGED = "device.vendor_account.changed"


def mower_of(happening: Happening) -> str | None:
    """Return the mower that it is about, None where it is about none."""
    if isinstance(happening, Run):
        return happening.mower_id
    mower_id = payload_of(happening).get("mower_id")
    return mower_id if isinstance(mower_id, str) else None


def payload_of(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what an event carries; one without is empty."""
    payload = event.get("payload")
    return payload if isinstance(payload, Mapping) else {}
