"""What a vendor's report means: the mower's activity, charge, place and problem. Pure.

The table is the vendor's, with three rules on top: the charger's contact overrules a stale mode; a number that we do
not know is `unknown` and never `docked`; what was never told is null and never 0.
"""

from collections.abc import Mapping

from edge_gateway.contracts.mower import Activity, Job, Position
from edge_gateway.device_gateway.mammotion.modes import Breakpoint, Mode, Place, breakpoint_of, mode_of
from edge_gateway.device_gateway.mammotion.problems import problem_of
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.provider import DriverState

FULL_PERCENT = 100

_ERROR_MODES = frozenset({Mode.LOCK, Mode.SYSTEM_ERROR, Mode.LOCATION_ERROR, Mode.BOUNDARY_JUMP})
_DOCKED_WITH_CONTACT = frozenset(
    {
        Mode.READY,
        Mode.WORKING,
        Mode.RETURNING,
        Mode.CHARGING,
        Mode.PAUSE,
        Mode.CHARGING_PAUSE,
        Mode.SLEEPING,
    }
)
"""With the contact closed it stands on its dock, whatever it last said that it does."""
_UNDERWAY = {Mode.WORKING: Activity.MOWING, Mode.RETURNING: Activity.RETURNING}
_STANDING = frozenset({Mode.READY, Mode.PAUSE, Mode.CHARGING_PAUSE, Mode.SLEEPING})
"""Off its dock it stands: paused with an open job, else idle."""
_MOWING_PLACES = frozenset({Place.AREA_INSIDE, Place.AREA_BORDER_ON, Place.TURN_AREA_INSIDE})


def activity_of(reading: Reading) -> Activity:
    """Return what the mower is doing."""
    mode = mode_of(reading.mode)
    contact = on_charger(reading)
    if mode in _ERROR_MODES:
        return Activity.ERROR
    if contact:
        return Activity.DOCKED if mode in _DOCKED_WITH_CONTACT else Activity.UNKNOWN
    if mode in _UNDERWAY:
        return _UNDERWAY[mode]
    if contact is None or mode not in _STANDING:
        # On the dock or off it makes the difference, and nobody told; or the number is new to us.
        return Activity.UNKNOWN
    return Activity.PAUSED if job_is_interrupted(reading) else Activity.IDLE


def on_charger(reading: Reading) -> bool | None:
    """Tell whether the charger's contact is closed; null until it was told."""
    return None if reading.charge_state is None else reading.charge_state != 0


def is_charging(reading: Reading) -> bool | None:
    """Tell whether the battery is being charged; null until contact and battery were told."""
    contact = on_charger(reading)
    if not contact:
        return contact
    return None if reading.battery_percent is None else reading.battery_percent < FULL_PERCENT


def job_is_interrupted(reading: Reading) -> bool:
    """Tell whether a job is open that the mower could go on with."""
    if mode_of(reading.mode) in {Mode.PAUSE, Mode.CHARGING_PAUSE}:
        return True
    reason = breakpoint_of(reading.breakpoint)
    if reason is None:
        # A reason that is new to us is one all the same.
        return reading.breakpoint is not None
    return reason is not Breakpoint.NONE


def position_of(reading: Reading) -> Position | None:
    """Return where the mower is; null until it knows where its base station stands."""
    if reading.latitude is None or reading.longitude is None:
        return None
    # How the vendor counts headings is not established, and a wrong one is worse than none.
    return Position(latitude=reading.latitude, longitude=reading.longitude)


def area_of(
    reading: Reading, activity: Activity, *, area_ids: Mapping[int, str], job_area_ids: tuple[str, ...]
) -> str | None:
    """Return the area that is being mowed: not one that is only crossed on the way."""
    if activity is not Activity.MOWING or reading.place not in _MOWING_PLACES or reading.zone_hash is None:
        return None
    area_id = area_ids.get(reading.zone_hash)
    if job_area_ids and area_id not in job_area_ids:
        return None
    return area_id


def driver_state(
    reading: Reading, *, job: Job | None, progress_percent: float | None, area_ids: Mapping[int, str]
) -> DriverState:
    """Return the state that a report means. `area_ids`: ours by the vendor's hashes."""
    activity = activity_of(reading)
    return DriverState(
        observed_at=reading.observed_at,
        activity=activity,
        battery_percent=reading.battery_percent,
        charging=is_charging(reading),
        on_charger=on_charger(reading),
        position=position_of(reading),
        area_id=area_of(reading, activity, area_ids=area_ids, job_area_ids=job.area_ids if job else ()),
        progress_percent=progress_percent,
        job=job,
        problem=problem_of(reading),
    )
