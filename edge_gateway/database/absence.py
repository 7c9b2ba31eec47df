"""A database that is away, or has no room, is an error that callers understand and try again, not one of ours."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from edge_gateway.contracts.errors import UnavailableError

NO_ROOM = (asyncpg.DiskFullError, asyncpg.PostgresIOError)
"""What asyncpg raises when the server cannot write to its disk: what it was told is not stored."""

ABSENT = (
    OSError,
    asyncpg.InterfaceError,
    # Raised for a backend that was killed in the middle of a statement.
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
    *NO_ROOM,
)
"""What asyncpg raises when the server is away, goes away or cannot write; a held connection raises `InterfaceError`."""


def unavailable(error: Exception) -> UnavailableError:
    """Return the error that stands for one of `ABSENT`: `database_full` or `database_unavailable`."""
    if isinstance(error, NO_ROOM):
        return UnavailableError(
            "database_full",
            "The database cannot write to its disk, which is probably full; nothing was stored.",
            remedy="Make room on the disk that holds the data folder.",
        )
    return UnavailableError(
        "database_unavailable",
        f"The database cannot be reached now ({type(error).__name__}).",
        remedy="Try again in a few seconds.",
    )


@contextmanager
def explained() -> Iterator[None]:
    """Raise `UnavailableError` (`database_unavailable`, `database_full`) in place of a database that is away."""
    try:
        yield
    except ABSENT as error:
        raise unavailable(error) from error
