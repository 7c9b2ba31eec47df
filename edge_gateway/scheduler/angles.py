"""The angles of a schedule, which take turns for each of its mowers. Pure."""

from typing import Any

from edge_gateway.contracts.schedules import ScheduleDraft


def angle_of(draft: ScheduleDraft, number: int) -> float | None:
    """Return the angle (degrees) of the nth start of a mower, from 0; None for a schedule without angles."""
    return draft.angles[number % len(draft.angles)] if draft.angles else None


def pattern_of(draft: ScheduleDraft, number: int) -> dict[str, Any] | None:
    """Return the pattern of the nth start of a mower: the schedule's own, at the angle whose turn it is."""
    angle = angle_of(draft, number)
    return draft.pattern if angle is None else {**(draft.pattern or {}), "angle": angle}


def numbers_of(draft: ScheduleDraft, number: int) -> dict[str, Any]:
    """Return what a record says of its angle; empty for a schedule without angles."""
    angle = angle_of(draft, number)
    return {} if angle is None else {"angle": angle, "angle_number": number}
