"""The words of Mammotion mowers for what they do, why a job stopped and where they stand.

Numbers of the vendor (pymammotion's `WorkMode`, `BreakPointReason`, `PosType`; a test compares them), kept here so
that the rules of this room need no library. A number that is not here is unknown.
"""

from enum import IntEnum


class Mode(IntEnum):
    """What the mower does (`sys_status`)."""

    NOT_ACTIVE = 0
    ONLINE = 1
    OFFLINE = 2
    POWER_OFF = 3
    DISABLE = 8
    INITIALIZATION = 10
    READY = 11
    UNCONNECTED = 12
    WORKING = 13
    RETURNING = 14
    CHARGING = 15
    UPDATING = 16
    LOCK = 17
    SYSTEM_ERROR = 18
    PAUSE = 19
    MANUAL_MOWING = 20
    UPDATE_SUCCESS = 22
    OTA_UPGRADE_FAIL = 23
    JOB_DRAW = 31
    OBSTACLE_DRAW = 32
    CHANNEL_DRAW = 34
    ERASER_DRAW = 35
    EDIT_BOUNDARY = 36
    LOCATION_ERROR = 37
    BOUNDARY_JUMP = 38
    CHARGING_PAUSE = 39
    AUTO_ERASER_DRAW = 43
    CORRIDOR_DRAW = 44
    CORRIDOR_WORKING = 45
    CORRIDOR_PAUSE = 46
    CORRIDOR_RETURNING = 47
    SLEEPING = 48
    RESET_CHARGE = 50
    BACKING_UP = 51
    RECOVERY = 52


class Breakpoint(IntEnum):
    """Why the open job does not go on (`bp_info`); NONE: no job is interrupted."""

    NONE = 0
    PAUSED_MANUALLY = 1
    BLADE_FAULT = 3
    STUCK = 4
    OUTSIDE_BOUNDARY = 5
    NEEDS_POSITIONING = 7
    NEEDS_CHARGE = 8
    BUMPER_DISCONNECTED = 9
    LOW_BATTERY = 10
    RAIN = 11
    POWERED_OFF = 12
    AUTO_POSITIONING = 13
    SCHEDULE_WINDOW_ENDED = 18
    RESUME_PAUSED = 19


BREAKPOINT_SYNONYMS = {
    -1: Breakpoint.NONE,
    2: Breakpoint.NONE,
    6: Breakpoint.NONE,
    14: Breakpoint.LOW_BATTERY,
    15: Breakpoint.PAUSED_MANUALLY,
    16: Breakpoint.AUTO_POSITIONING,
    20: Breakpoint.BLADE_FAULT,
    21: Breakpoint.STUCK,
}
"""Further numbers with the meaning of one above."""


class Place(IntEnum):
    """Where it stands on its map (`pos_type`)."""

    AREA_OUT = 0
    AREA_INSIDE = 1
    OBSTACLE_ON = 2
    CHANNEL_ON = 3
    TURN_AREA_INSIDE = 4
    CHARGE_ON = 5
    AREA_BORDER_ON = 7


def mode_of(number: int | None) -> Mode | None:
    """Return the mode that a number stands for; null when it is missing or new to us."""
    try:
        return None if number is None else Mode(number)
    except ValueError:
        return None


def breakpoint_of(number: int | None) -> Breakpoint | None:
    """Return the reason that a number stands for; null when it is missing or new to us."""
    if number is None:
        return None
    if number in BREAKPOINT_SYNONYMS:
        return BREAKPOINT_SYNONYMS[number]
    try:
        return Breakpoint(number)
    except ValueError:
        return None
