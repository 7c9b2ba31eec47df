"""What a group may be. Pure."""

from collections.abc import Sequence

from edge_gateway.contracts.errors import ConflictError, InvalidError
from edge_gateway.contracts.schedules import NamedSchedule

MAXIMUM_MOWERS = 100
_NAMED = 5
"""So many schedules are named in a sentence; the values hold all."""


def check_mower_ids(mower_ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ids in their order; raises `InvalidError` for none, too many, or one that comes twice."""
    if not 1 <= len(mower_ids) <= MAXIMUM_MOWERS:
        raise InvalidError("invalid", f"A group has 1 to {MAXIMUM_MOWERS} mowers.", field="mower_ids")
    if len(set(mower_ids)) != len(mower_ids):
        raise InvalidError("invalid", "mower_ids names a mower twice.", field="mower_ids")
    return tuple(sorted(mower_ids))


def check_max_concurrent(max_concurrent: int | None) -> int | None:
    """Return the number; raises `InvalidError` unless it is null or at least 1."""
    if max_concurrent is not None and not 1 <= max_concurrent <= MAXIMUM_MOWERS:
        raise InvalidError(
            "invalid",
            f"max_concurrent must be 1 to {MAXIMUM_MOWERS}, or null for all at once.",
            field="max_concurrent",
            values={"minimum": 1, "maximum": MAXIMUM_MOWERS},
        )
    return max_concurrent


def check_unused(schedules: Sequence[NamedSchedule]) -> None:
    """Raise `ConflictError` (`group_in_use`) naming the schedules that plan with a group."""
    if not schedules:
        return
    named = ", ".join(f"\u201c{schedule.name}\u201d" for schedule in schedules[:_NAMED])
    more = f" and {len(schedules) - _NAMED} more" if len(schedules) > _NAMED else ""
    what = "a schedule plans" if len(schedules) == 1 else f"{len(schedules)} schedules plan"
    raise ConflictError(
        "group_in_use",
        f"The group cannot be deleted: {what} with it ({named}{more}).",
        field="group_id",
        values={"schedules": [{"id": schedule.id, "name": schedule.name} for schedule in schedules]},
        remedy="Delete these schedules, or give them another mower or group first.",
    )
