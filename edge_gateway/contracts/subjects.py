"""Streams and subjects (fixed)."""

from datetime import timedelta

import msgspec


class Stream(msgspec.Struct, frozen=True, kw_only=True):
    """A JetStream stream."""

    name: str
    subjects: tuple[str, ...]
    max_bytes: int
    max_age: timedelta | None = None
    """Null keeps for ever (within max_bytes)."""
    last_per_subject: bool = False
    """Keep only the newest message of each subject."""


_MEBIBYTE = 1024 * 1024

ALL_STATES = "telemetry.mower.*"
ALL_MAPS = "device.mower.*.map"
ALL_AVAILABILITIES = "device.mower.*.availability"
ALL_OUTCOMES = "device.mower.*.command.*"
ALL_ORDERS = "commands.mower.*"

RUN_RECORDED = "scheduler.run.recorded"
SCHEDULE_CHANGED = "scheduler.schedule.changed"
SCHEDULE_DISABLED = "scheduler.schedule.disabled"
WEATHER_CHANGED = "scheduler.weather.changed"
MOWER_CHANGED = "fleet.mower.changed"
SITE_CHANGED = "fleet.site.changed"
GROUP_CHANGED = "fleet.group.changed"
GRANTS_CHANGED = "identity.grants.changed"
BRIDGE_CHANGED = "device.bridge.changed"
VENDOR_ACCOUNT_CHANGED = "device.vendor_account.changed"

BLADE_THRESHOLD = "telemetry.blade.threshold"
ZONE_ENTERED = "telemetry.zone.entered"
ZONE_LEFT = "telemetry.zone.left"
JOB_FINISHED = "telemetry.job.finished"
NOTIFICATION = "notifications.event"

TELEMETRY = Stream(name="TELEMETRY", subjects=(ALL_STATES,), max_bytes=512 * _MEBIBYTE, max_age=timedelta(days=7))
DEVICE = Stream(
    name="DEVICE",
    subjects=(ALL_MAPS, ALL_AVAILABILITIES),
    max_bytes=256 * _MEBIBYTE,
    last_per_subject=True,
)
OUTCOMES = Stream(
    name="OUTCOMES",
    subjects=(ALL_OUTCOMES,),
    max_bytes=64 * _MEBIBYTE,
    max_age=timedelta(days=1),
    last_per_subject=True,
)
COMMANDS = Stream(name="COMMANDS", subjects=(ALL_ORDERS,), max_bytes=16 * _MEBIBYTE, max_age=timedelta(seconds=30))
EVENTS = Stream(
    name="EVENTS",
    subjects=(
        RUN_RECORDED,
        SCHEDULE_CHANGED,
        SCHEDULE_DISABLED,
        WEATHER_CHANGED,
        GRANTS_CHANGED,
        MOWER_CHANGED,
        SITE_CHANGED,
        GROUP_CHANGED,
        BRIDGE_CHANGED,
        VENDOR_ACCOUNT_CHANGED,
        BLADE_THRESHOLD,
        ZONE_ENTERED,
        ZONE_LEFT,
        JOB_FINISHED,
        NOTIFICATION,
    ),
    max_bytes=128 * _MEBIBYTE,
    max_age=timedelta(days=7),
)
STREAMS = (TELEMETRY, DEVICE, OUTCOMES, COMMANDS, EVENTS)
"""What is always there."""

TELEMETRY_PARTITIONS = Stream(
    name="TELEMETRY_PARTITIONS",
    subjects=("telemetry.partition.*.*",),
    max_bytes=512 * _MEBIBYTE,
    max_age=timedelta(days=7),
)
"""The states once more, divided by mower: made when there is more than one partition, filled by the server itself."""

STATE_TYPE = "telemetry.mower"
MAP_TYPE = "device.map"
AVAILABILITY_TYPE = "device.availability"
OUTCOME_TYPE = "device.command"
ORDER_TYPE = "commands.mower"


def state_subject(mower_id: str) -> str:
    """Return the subject of a mower's states."""
    return f"telemetry.mower.{mower_id}"


def partition_subject(number: int) -> str:
    """Return the subject of all states of one partition (of several)."""
    return f"telemetry.partition.{number}.*"


def map_subject(mower_id: str) -> str:
    """Return the subject of a mower's map."""
    return f"device.mower.{mower_id}.map"


def availability_subject(mower_id: str) -> str:
    """Return the subject of a mower's availability."""
    return f"device.mower.{mower_id}.availability"


def outcome_subject(mower_id: str, command_id: str) -> str:
    """Return the subject of a command's outcome."""
    return f"device.mower.{mower_id}.command.{command_id}"


def order_subject(mower_id: str) -> str:
    """Return the subject of a mower's orders."""
    return f"commands.mower.{mower_id}"
