"""What a group may be. Pure."""

from edge_gateway.contracts.errors import InvalidError

MAXIMUM_MOWERS = 100


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
