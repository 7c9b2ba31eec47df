"""Says of a start that failed that the disk is full, where it is: the servers' own words seldom do."""

import shutil
from pathlib import Path

from edge_gateway.contracts.errors import MowDeckError, UnavailableError

_ENOUGH_BYTES = 32 * 1024 * 1024
"""With less the servers may not come up: NATS writes its streams, PostgreSQL a log of 16 MB at a time."""


def explained(folder: Path, error: MowDeckError) -> MowDeckError:
    """Return the error of a failed start, as `disk_full` where the data folder's disk has no room."""
    if error.code == "disk_full" or not folder.is_dir():
        return error
    free = shutil.disk_usage(folder).free
    if free >= _ENOUGH_BYTES:
        return error
    return UnavailableError(
        "disk_full",
        f"The disk that holds the data folder {folder} is full ({free // 1024} KiB are free), so the start failed:"
        f" {error.detail}",
        remedy="Make room on that disk: at least 32 MiB to start, more to keep what mowers report.",
        values={"free_bytes": free},
    )
