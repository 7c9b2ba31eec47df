"""What is wrong with a Mammotion mower now, and why it would not start. Pure."""

from edge_gateway.contracts.mower import Problem
from edge_gateway.device_gateway.lexicon import mammotion_codes
from edge_gateway.device_gateway.mammotion.modes import Breakpoint, Mode, breakpoint_of, mode_of
from edge_gateway.device_gateway.mammotion.reading import Reading

_MODES = {
    Mode.LOCK: "locked",
    Mode.LOCATION_ERROR: "position_lost",
    Mode.BOUNDARY_JUMP: "outside_area",
}
_INTERRUPTIONS = {
    Breakpoint.BLADE_FAULT: "blade_blocked",
    Breakpoint.STUCK: "stuck",
    Breakpoint.OUTSIDE_BOUNDARY: "outside_area",
    Breakpoint.NEEDS_POSITIONING: "position_lost",
    Breakpoint.BUMPER_DISCONNECTED: "bumper_disconnected",
}
"""Interruptions that wait for a person; rain, charge and time are no problem."""
_BUSY_MODES = {
    "updating": frozenset({Mode.UPDATING, Mode.UPDATE_SUCCESS, Mode.OTA_UPGRADE_FAIL, Mode.BACKING_UP, Mode.RECOVERY}),
    "map_edited": frozenset(
        {
            Mode.JOB_DRAW,
            Mode.OBSTACLE_DRAW,
            Mode.CHANNEL_DRAW,
            Mode.ERASER_DRAW,
            Mode.AUTO_ERASER_DRAW,
            Mode.EDIT_BOUNDARY,
            Mode.CORRIDOR_DRAW,
        }
    ),
    "driven_by_hand": frozenset({Mode.MANUAL_MOWING}),
    "starting_up": frozenset({Mode.INITIALIZATION, Mode.ONLINE, Mode.UNCONNECTED}),
    "switched_off": frozenset({Mode.NOT_ACTIVE, Mode.POWER_OFF, Mode.DISABLE, Mode.OFFLINE}),
}
"""Why a mower takes no order, by what it does."""
_SELF_CHECKS = {20: "rain", 23: "non_work_hours", 34: "rain_protection"}


def problem_of(reading: Reading) -> Problem | None:
    """Return what is wrong now; null when nothing is known to be."""
    mode = mode_of(reading.mode)
    if mode is Mode.SYSTEM_ERROR:
        return _newest_error(reading) or Problem(code="system_error")
    if mode in _MODES:
        return Problem(code=_MODES[mode], vendor_code=_vendor_code(reading))
    reason = breakpoint_of(reading.breakpoint)
    if mode in {Mode.PAUSE, Mode.READY} and reason in _INTERRUPTIONS:
        return Problem(code=_INTERRUPTIONS[reason], vendor_code=f"breakpoint_{reading.breakpoint}")
    return None


def start_blocker(reading: Reading) -> str | None:
    """Return why the mower would refuse a start (`rain`, `rain_protection`, `non_work_hours`); null when it may not."""
    return None if reading.self_check is None else _SELF_CHECKS.get(reading.self_check)


def busy_with(reading: Reading) -> str:
    """Return what a mower that takes no order is busy with (a code); `not_ready` when its mode does not tell."""
    mode = mode_of(reading.mode)
    return next((code for code, modes in _BUSY_MODES.items() if mode in modes), "not_ready")


def error_word(code: int) -> str:
    """Return our word for a code of the vendor, which comes negative from the mower."""
    return mammotion_codes().get(abs(code), f"vendor_{abs(code)}")


def _newest_error(reading: Reading) -> Problem | None:
    if not reading.error_codes:
        return None
    code = reading.error_codes[0]
    return Problem(code=error_word(code), vendor_code=str(abs(code)))


def _vendor_code(reading: Reading) -> str:
    return f"mode_{reading.mode}"
