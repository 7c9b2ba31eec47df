"""What a finding means and what to do about it, for clients that have no words of their own. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from edge_gateway.contracts.notifications import NotificationCode

_PROBLEMS = {
    "lifted": "The mower was lifted.",
    "blade_blocked": "The blade is blocked.",
    "battery_low": "The mower says that its battery is too low.",
    "area_broken": "The mower says that its map is damaged.",
    "start_failed": "The mower could not start.",
    "locked": "The mower is locked.",
    "position_lost": "The mower does not know where it is.",
    "outside_area": "The mower is outside its area.",
    "bumper_disconnected": "The bumper is disconnected.",
}
_REMEDIES = {
    NotificationCode.ERROR: "Look at the mower and at its display, remove the cause, and start it again.",
    NotificationCode.STUCK: "Free the mower, switch its blade off first, and start it again.",
    NotificationCode.OFFLINE: "See whether it has power and a network, and whether the vendor's own app reaches it.",
    NotificationCode.BATTERY_LOW: "Send it home, or carry it to its dock before it is empty.",
    NotificationCode.LEFT_GEOFENCE: "Look for it at the position given; if you carried it, bring it home.",
    NotificationCode.BLADE_WORN: "Change the blades, then reset their time.",
    NotificationCode.RESUMED_BY_ITSELF: "Stop it again, or cancel its job so that it has nothing to go on with.",
}
SERVICE_REMEDY = "It is tried again by itself; when it lasts, look at the program's log and restart it."
OWNER_REMEDY = "Reassign these schedules, by changing them as somebody who may, or disable them."
_MINUTE_SECONDS = 60
_HOUR_SECONDS = 3600


def detail_of(code: NotificationCode, values: Mapping[str, Any]) -> str:
    """Return one sentence for a person."""
    match code:
        case NotificationCode.ERROR:
            problem = str(values.get("problem_code"))
            sentence = _PROBLEMS.get(problem, f"The mower reports a problem ({problem}).")
        case NotificationCode.STUCK if values.get("source") == "standstill":
            minutes = round(values["seconds"] / _MINUTE_SECONDS)
            sentence = f"The mower has been mowing on one spot for {minutes} minutes."
        case NotificationCode.STUCK:
            sentence = "The mower is stuck."
        case NotificationCode.OFFLINE:
            reason = values.get("reason")
            sentence = "The mower is not reached." if reason is None else f"The mower is not reached ({reason})."
        case NotificationCode.BATTERY_LOW:
            sentence = f"The battery is at {values['battery_percent']} % and the mower is not on its dock."
        case NotificationCode.LEFT_GEOFENCE:
            metres = f"{values['metres_outside']:.0f} m"
            sentence = f"The mower is {metres} outside its garden and did not drive there itself."
        case NotificationCode.BLADE_WORN:
            sentence = f"The blades have been used for {values['blade_seconds'] / _HOUR_SECONDS:.0f} hours."
        case NotificationCode.RESUMED_BY_ITSELF:
            sentence = "The mower went on with its job although it was told to stop."
        case _:
            assert_never(code)
    return sentence


def owner_gone_detail(name: str, schedules: Sequence[str]) -> str:
    """Return one sentence about somebody who is gone and left schedules behind."""
    named = ", ".join(schedules)
    return f"{name} is not known any more; what they planned is skipped when it is due: {named}."


def remedy_of(code: NotificationCode) -> str:
    """Return what to do about it."""
    return _REMEDIES[code]
