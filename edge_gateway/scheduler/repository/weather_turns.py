"""The rows of turns at a weather service, and of places that it was asked for in vain."""

from datetime import datetime, timedelta

from edge_gateway.scheduler.repository.transactions import Connection
from edge_gateway.scheduler.weather.places import Place


async def take(
    connection: Connection, provider: str, holder: str, now: datetime, *, until: datetime, longest_pause: timedelta
) -> bool:
    """Take the turn; false while another one has it or the service is left alone.

    A turn that ends more than a minute later than any can was said by a clock that was ahead: it does not count.
    """
    taken = await connection.fetchval(
        """
        INSERT INTO scheduler.weather_turn AS turn (provider, taken_by, until) VALUES ($1, $2, $4)
        ON CONFLICT (provider) DO UPDATE SET taken_by = excluded.taken_by, until = excluded.until
        WHERE turn.until <= $3 OR turn.taken_by = $2
            OR turn.until > interval '1 minute' + CASE WHEN turn.taken_by IS NULL THEN $3 + $5::interval ELSE $4 END
        RETURNING provider
        """,
        provider,
        holder,
        now,
        until,
        longest_pause,
    )
    return taken is not None


async def is_taken(connection: Connection, provider: str) -> bool:
    """Tell whether somebody asks at this moment; false while the service is left alone."""
    taken: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT FROM scheduler.weather_turn WHERE provider = $1 AND taken_by IS NOT NULL)", provider
    )
    return taken


async def give_back(connection: Connection, provider: str, holder: str, *, until: datetime) -> None:
    """Let others have their turn, from a moment on."""
    await connection.execute(
        "UPDATE scheduler.weather_turn SET taken_by = NULL, until = $3 WHERE provider = $1 AND taken_by = $2",
        provider,
        holder,
        until,
    )


async def failed_at(connection: Connection, provider: str, place: Place) -> datetime | None:
    """Return when a place was last asked for in vain; null when its last answer was one."""
    found: datetime | None = await connection.fetchval(
        "SELECT failed_at FROM scheduler.weather_failure WHERE provider = $1 AND latitude = $2 AND longitude = $3",
        provider,
        *place,
    )
    return found


async def put_failure(connection: Connection, provider: str, place: Place, at: datetime) -> None:
    """Record that a place was asked for in vain."""
    await connection.execute(
        """
        INSERT INTO scheduler.weather_failure (provider, latitude, longitude, failed_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (provider, latitude, longitude) DO UPDATE SET failed_at = excluded.failed_at
        """,
        provider,
        *place,
        at,
    )


async def forget_failure(connection: Connection, provider: str, place: Place) -> None:
    """Record that a place was answered for."""
    await connection.execute(
        "DELETE FROM scheduler.weather_failure WHERE provider = $1 AND latitude = $2 AND longitude = $3",
        provider,
        *place,
    )
