"""Which carrier a mower is reached over: the one with the best signal, and not another one for a little more. Pure."""

from collections.abc import Sequence

from edge_gateway.device_gateway.bluetooth import Path

HYSTERESIS_DB = 8
"""So much better another carrier has to be before a mower changes over: hopping costs each time a connection."""
STALE_SECONDS = 60.0
"""A mower that was not heard for so long over a carrier is not reached over it."""
WEAKEST_DBM = -92


def best_path(paths: Sequence[Path], *, pinned: str | None) -> Path | None:
    """Return the path to use; `pinned` is the carrier that was used last. Null when none can make a connection."""
    usable = [path for path in paths if is_usable(path)]
    if not usable:
        return None
    best = max(usable, key=_strength)
    current = next((path for path in usable if path.carrier_id == pinned), None)
    if current is not None and _strength(best) - _strength(current) < HYSTERESIS_DB:
        return current
    return best


def is_usable(path: Path) -> bool:
    """Tell whether a connection can be tried over it: heard lately and well enough, with a slot free."""
    return _is_near(path) and path.free_slots != 0


def lacks_slots(paths: Sequence[Path]) -> bool:
    """Tell whether all that is missing is a free slot."""
    near = [path for path in paths if _is_near(path)]
    return bool(near) and all(path.free_slots == 0 for path in near)


def _is_near(path: Path) -> bool:
    """Tell whether the mower was heard over it lately and well enough."""
    return path.age_seconds <= STALE_SECONDS and _strength(path) >= WEAKEST_DBM


def _strength(path: Path) -> int:
    # One that does not tell its signal is heard, at least.
    return WEAKEST_DBM if path.signal_dbm is None else path.signal_dbm
