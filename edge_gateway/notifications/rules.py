"""What a report says about each condition: true, false, or null where it does not tell. Pure.

Missing is never "no": a report without a battery does not end a low one, an unknown activity ends no error.
"""

from datetime import timedelta
from typing import Any

import msgspec

from edge_gateway.contracts.commands import CommandKind
from edge_gateway.contracts.mower import Activity, MowerState
from edge_gateway.contracts.notifications import NotificationCode, Severity
from edge_gateway.notifications.geofence import Geofence, metres_between
from edge_gateway.notifications.hysteresis import Holds, Sight
from edge_gateway.notifications.watch import Spot, Watch

STUCK_PROBLEM = "stuck"
UNSPECIFIED_PROBLEM = "unspecified"
"""An error without a code."""
_ERROR_PREFIX = f"{NotificationCode.ERROR}/"
_BATTERY_RECOVERY_PERCENT = 5
"""A low battery is over this much above the threshold."""
_SPOT_METRES = 2.0
"""A mower that stays within this distance has not moved."""
_SPOT_GAP = timedelta(minutes=2)
"""After a longer silence nobody knows whether it moved."""
_CARRIED_METRES = 5.0
"""A mower that stands further from where it last drove was carried."""
STANDING = frozenset({Activity.DOCKED, Activity.PAUSED, Activity.IDLE})
DRIVING = frozenset({Activity.MOWING, Activity.RETURNING})
STOPPING_ORDERS = frozenset({CommandKind.PAUSE, CommandKind.RETURN_TO_DOCK})

SEVERITIES = {
    NotificationCode.ERROR: Severity.WARNING,
    NotificationCode.STUCK: Severity.WARNING,
    NotificationCode.OFFLINE: Severity.WARNING,
    NotificationCode.BATTERY_LOW: Severity.WARNING,
    NotificationCode.LEFT_GEOFENCE: Severity.ALARM,
    NotificationCode.BLADE_WORN: Severity.INFO,
    NotificationCode.RESUMED_BY_ITSELF: Severity.WARNING,
}


class Thresholds(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules go by (settings)."""

    low_battery_percent: int = 10
    standstill: timedelta = timedelta(minutes=10)
    holds: dict[NotificationCode, Holds] = {}

    def holds_of(self, key: str) -> Holds:
        """Return how long a condition must be seen."""
        return self.holds.get(code_of(key), Holds())


def code_of(key: str) -> NotificationCode:
    """Return the code of a condition's key."""
    return NotificationCode(key.partition("/")[0])


def is_on_dock(state: MowerState) -> bool | None:
    """Tell whether a mower stands on its charger; the contact overrules the mode."""
    if state.on_charger is not None:
        return state.on_charger
    if state.charging:
        return True
    return None if state.activity is Activity.UNKNOWN else state.activity is Activity.DOCKED


def errors(state: MowerState, watch: Watch) -> dict[str, Sight]:
    """Judge the problem that is reported now, and those that were before.

    A mower tells one problem at a time: another one says nothing about those before it.
    """
    problem = None if state.problem is None else state.problem.code
    if problem is None and state.activity is Activity.ERROR:
        problem = UNSPECIFIED_PROBLEM
    healthy = problem is None and state.activity is not Activity.UNKNOWN
    sights = {key: Sight(seen=False if healthy else None) for key in watch.conditions if key.startswith(_ERROR_PREFIX)}
    if problem is not None and problem != STUCK_PROBLEM:
        values: dict[str, Any] = {"problem_code": problem}
        if state.problem is not None and state.problem.vendor_code is not None:
            values["vendor_code"] = state.problem.vendor_code
        sights[f"{_ERROR_PREFIX}{problem}"] = Sight(seen=True, values=values)
    return sights


def follow_spot(state: MowerState, spot: Spot | None) -> Spot | None:
    """Return the spot on which a mowing mower stays; null while it is not mowing or its place is not known."""
    if state.activity is not Activity.MOWING or state.position is None:
        return None
    fresh = Spot(
        position=state.position,
        since=state.observed_at,
        seen_at=state.observed_at,
        progress_percent=state.progress_percent,
    )
    if spot is None or state.observed_at - spot.seen_at > _SPOT_GAP:
        return fresh
    if state.progress_percent != spot.progress_percent or metres_between(spot.position, state.position) > _SPOT_METRES:
        return fresh
    return msgspec.structs.replace(spot, seen_at=state.observed_at)


def stuck(state: MowerState, spot: Spot | None, thresholds: Thresholds) -> Sight:
    """Judge whether it is stuck; `spot` is the one that it stays on, this state included."""
    if state.problem is not None and state.problem.code == STUCK_PROBLEM:
        return Sight(seen=True, values={"source": "reported"})
    if spot is not None and spot.seen_at - spot.since >= thresholds.standstill:
        seconds = round((spot.seen_at - spot.since).total_seconds())
        return Sight(seen=True, values={"source": "standstill", "seconds": seconds})
    if state.problem is not None or state.activity in {Activity.UNKNOWN, Activity.ERROR}:
        return Sight(seen=None)
    return Sight(seen=False)


def low_battery(state: MowerState, thresholds: Thresholds) -> Sight:
    """Judge the battery of a mower that is not on its dock."""
    on_dock, percent = is_on_dock(state), state.battery_percent
    if on_dock:
        return Sight(seen=False)
    if on_dock is None or percent is None:
        return Sight(seen=None)
    if percent <= thresholds.low_battery_percent:
        return Sight(seen=True, values={"battery_percent": percent})
    return Sight(seen=False if percent >= thresholds.low_battery_percent + _BATTERY_RECOVERY_PERCENT else None)


def left_geofence(state: MowerState, watch: Watch, geofence: Geofence | None) -> Sight:
    """Judge whether it is outside without having driven there itself.

    Mowing and returning it drives itself, and may: paths between areas lie outside. Whatever else it does, it stands.
    """
    if geofence is None or state.position is None:
        return Sight(seen=None)
    metres = geofence.metres_outside(state.position)
    if metres <= 0:
        return Sight(seen=False)
    if state.activity in DRIVING:
        return Sight(seen=None)
    if watch.driven_to is not None and metres_between(watch.driven_to, state.position) <= _CARRIED_METRES:
        return Sight(seen=None)
    values = {
        "latitude": state.position.latitude,
        "longitude": state.position.longitude,
        "metres_outside": round(metres, 1),
    }
    return Sight(seen=True, values=values)


def resumed_by_itself(state: MowerState, watch: Watch) -> Sight:
    """Judge whether it goes on with the job that it was told to stop, without a newer order."""
    order, stood = watch.order, watch.stood
    if state.activity in STANDING:
        return Sight(seen=False)
    if state.activity is not Activity.MOWING or order is None or stood is None:
        return Sight(seen=None)
    if order.kind not in STOPPING_ORDERS or order.command_id == watch.defied or stood.observed_at <= order.issued_at:
        return Sight(seen=None)
    if stood.job_id != (None if state.job is None else state.job.id):
        return Sight(seen=None)
    return Sight(seen=True, values={"command_id": order.command_id, "kind": order.kind.value})
