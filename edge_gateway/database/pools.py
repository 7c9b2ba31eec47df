"""Pools of connections to PostgreSQL."""

import asyncio

import asyncpg
import structlog

from edge_gateway.contracts.errors import ConfigurationError, UnavailableError

_log = structlog.get_logger(__name__)

_CONNECT_SECONDS = 10.0
_COMMAND_SECONDS = 60.0
"""A statement that takes longer hangs: none of ours is meant to."""
_RETRY_SECONDS = 1.0

type Pool = asyncpg.Pool[asyncpg.Record]
type Connection = asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]
"""One of a pool, or one of its own; both work alike."""


async def open_pool(url: str, *, application_name: str, minimum: int = 1, maximum: int = 5) -> Pool:
    """Open a pool; its connections see UTC and are named in the server's list of sessions.

    A connection that is given back is not reset by a round trip of its own (that was a quarter of all statements):
    nothing of ours is left in a session. Whoever takes a lock of the session or listens gives both back, or ends the
    connection (`bus.outbox`); settings are changed with SET LOCAL. An open transaction is rolled back all the same.

    Raises `UnavailableError` (`database_unavailable`), `ConfigurationError` (`database_refused`); see `connect`.
    """
    try:
        return await asyncpg.create_pool(
            url,
            min_size=minimum,
            max_size=maximum,
            timeout=_CONNECT_SECONDS,
            command_timeout=_COMMAND_SECONDS,
            server_settings={"application_name": application_name, "timezone": "UTC"},
            reset=_leave_as_it_is,
        )
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise _explained(error) from error


async def _leave_as_it_is(_connection: asyncpg.Connection[asyncpg.Record]) -> None:
    """Send nothing."""


async def connect(url: str, *, application_name: str, wait_seconds: float = 0.0) -> asyncpg.Connection[asyncpg.Record]:
    """Open one connection, patient with a server that is just starting.

    Raises `UnavailableError` (`database_unavailable`) when no server answers in `wait_seconds`, at once
    `ConfigurationError` (`database_refused`) when it answers and refuses the name, the password or the database.
    """
    deadline = asyncio.get_running_loop().time() + wait_seconds
    while True:
        try:
            return await asyncpg.connect(
                url,
                timeout=_CONNECT_SECONDS,
                command_timeout=_COMMAND_SECONDS,
                server_settings={"application_name": application_name, "timezone": "UTC"},
            )
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            explained = _explained(error)
            if isinstance(explained, ConfigurationError) or asyncio.get_running_loop().time() >= deadline:
                raise explained from error
            _log.info("waiting for the database", reason=explained.detail)
        await asyncio.sleep(_RETRY_SECONDS)


def _explained(error: Exception) -> ConfigurationError | UnavailableError:
    refusals = (
        asyncpg.InvalidAuthorizationSpecificationError,
        asyncpg.InvalidCatalogNameError,
        asyncpg.InsufficientPrivilegeError,
        asyncpg.ClientConfigurationError,
    )
    if isinstance(error, refusals):
        return ConfigurationError(
            code="database_refused",
            detail=f"The database refuses the connection: {error}",
            field="MOWDECK_DATABASE_URL",
            remedy="Correct MOWDECK_DATABASE_URL: name, password and database.",
        )
    return UnavailableError(
        code="database_unavailable",
        detail=f"The database cannot be reached: {str(error) or type(error).__name__}",
        remedy="Is the server running, and is MOWDECK_DATABASE_URL right?",
    )
