"""A database that cannot be reached is an error that callers understand, not one of ours."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from edge_gateway.contracts.errors import UnavailableError

CONNECTION_LOST = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
)
"""What asyncpg raises when the server is away or goes away (a held connection raises `InterfaceError`)."""


@contextmanager
def explained() -> Iterator[None]:
    """Raise `UnavailableError` (`database_unavailable`) in place of a lost connection."""
    try:
        yield
    except CONNECTION_LOST as error:
        raise UnavailableError(
            "database_unavailable",
            "The database of the fleet cannot be reached now.",
            remedy="Try again in a few seconds.",
        ) from error
