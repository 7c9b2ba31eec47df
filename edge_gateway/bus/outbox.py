"""The outbox: events that derive from a change in the database leave with it, or not at all.

`put` writes the event in the transaction of the change. The relay, one per schema, publishes what was committed, in
the order of the table, and deletes it when the stream has it. Killed in between, it publishes again with the same id.
Events of one thing stay in order because their transactions hold its row; events of different things have none.
"""

import asyncio
import re
from collections.abc import Sequence

import asyncpg
import msgspec
import structlog

from edge_gateway.bus import metrics
from edge_gateway.bus.events import encode_event
from edge_gateway.bus.protocol import EventBus
from edge_gateway.bus.routing import stream_to_publish
from edge_gateway.bus.waiting import wait_at_most
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import InvalidError, MowDeckError

_log = structlog.get_logger(__name__)

_LOCK = 0x6F75_7462
"""The class of the relays' advisory locks ("outb" in ASCII); the key is a hash of the schema's name."""
_AT_ONCE = 100
_LOOK_SECONDS = 10.0
"""A commit wakes the relay; it also looks by itself this often."""
_OTHER_RELAY_SECONDS = 1.0
"""How often a relay asks whether the other replica's is gone."""
_FIRST_RETRY_SECONDS = 0.2
_LONGEST_RETRY_SECONDS = 5.0
_STOP_SECONDS = 5.0
_AWAY = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, MowDeckError)
"""Bus or database cannot be used; asyncpg raises its internal error for a backend that was killed in mid-operation."""
_SCHEMA = re.compile(r"[a-z][a-z0-9_]*")

type Connection = asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]
"""As `database.pools` names it: bus and database know nothing of each other."""


async def put(connection: Connection, schema: str, subject: str, envelope: Envelope) -> None:
    """Write an event into a schema's outbox, in the caller's transaction; its commit wakes the relay.

    Raises `ValueError` for a subject that no stream keeps and `InvalidError` (`event_too_large`): what is in the
    outbox can be published.
    """
    stream_to_publish(subject)
    await connection.execute(
        # One statement, one round trip. The schema is one of ours, and checked.
        f"WITH event AS (INSERT INTO {_checked(schema)}.outbox (event_id, subject, envelope)"  # noqa: S608
        " VALUES ($1, $2, $3) RETURNING sequence)"
        " SELECT pg_notify($4, '') FROM event",
        envelope.id,
        subject,
        encode_event(envelope),
        _channel(schema),
    )


async def put_all(connection: Connection, schema: str, events: Sequence[tuple[str, Envelope]]) -> None:
    """Write events (each with its subject) in this order, as `put` writes one, in one statement."""
    if not events:
        return
    for subject, _ in events:
        stream_to_publish(subject)
    await connection.execute(
        # Numbers are given in the order of the arrays. The schema is one of ours, and checked.
        f"WITH event AS (INSERT INTO {_checked(schema)}.outbox (event_id, subject, envelope)"  # noqa: S608
        " SELECT id, subject, envelope FROM unnest($1::text[], $2::text[], $3::bytea[])"
        " WITH ORDINALITY AS event (id, subject, envelope, place) ORDER BY place RETURNING sequence)"
        " SELECT pg_notify($4, '') FROM (SELECT FROM event LIMIT 1) AS first",
        [envelope.id for _, envelope in events],
        [subject for subject, _ in events],
        [encode_event(envelope) for _, envelope in events],
        _channel(schema),
    )


class OutboxRelay:
    """Publishes the outbox of one schema, through restarts of the bus and of the database.

    It keeps one connection of the pool. Of several replicas' relays one works (an advisory lock), the others wait.
    """

    def __init__(self, bus: EventBus, pool: asyncpg.Pool[asyncpg.Record], schema: str) -> None:
        """Prepare the relay of a schema."""
        self._bus = bus
        self._pool = pool
        self._schema = _checked(schema)
        self._woken = asyncio.Event()
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to relay; the database need not be there yet."""
        self._task = asyncio.create_task(self._run(), name=f"outbox relay {self._schema}")

    async def stop(self) -> None:
        """Finish the event in hand and end; the rest stays in the outbox."""
        if self._task is None:
            return
        self._stopping.set()
        self._woken.set()
        _, unfinished = await asyncio.wait({self._task}, timeout=_STOP_SECONDS)
        if unfinished:
            self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._task = None

    async def _run(self) -> None:
        retry_seconds = _FIRST_RETRY_SECONDS
        while not self._stopping.is_set():
            try:
                async with self._pool.acquire() as connection:
                    await self._relay(connection)
                retry_seconds = _FIRST_RETRY_SECONDS
                continue
            except _AWAY as error:
                _log.warning("outbox waits", schema=self._schema, reason=str(error) or type(error).__name__)
            except Exception:  # noqa: BLE001  # whatever fails here must not end the relay; it is logged
                _log.exception("outbox relay failed, beginning again", schema=self._schema)
            metrics.OUTBOX_FAILURES.labels(self._schema).inc()
            await wait_at_most(self._stopping, retry_seconds)
            retry_seconds = min(2 * retry_seconds, _LONGEST_RETRY_SECONDS)

    async def _relay(self, connection: asyncpg.pool.PoolConnectionProxy[asyncpg.Record]) -> None:
        """Relay until told to stop; raises when the database or the bus is gone.

        Lock and subscription are the session's, and a pool hands sessions on as they are: what cannot be given back in
        order goes with the connection.
        """
        try:
            await self._relay_under_lock(connection)
        except BaseException:
            connection.terminate()
            raise

    async def _relay_under_lock(self, connection: asyncpg.pool.PoolConnectionProxy[asyncpg.Record]) -> None:
        while not await connection.fetchval("SELECT pg_try_advisory_lock($1, hashtext($2))", _LOCK, self._schema):
            await wait_at_most(self._stopping, _OTHER_RELAY_SECONDS)
            if self._stopping.is_set():
                return
        connection.add_termination_listener(self._wake)
        await connection.add_listener(_channel(self._schema), self._wake)
        while not self._stopping.is_set():
            self._woken.clear()
            if await self._publish_some(connection) < _AT_ONCE:
                await wait_at_most(self._woken, _LOOK_SECONDS)
        connection.remove_termination_listener(self._wake)
        await connection.remove_listener(_channel(self._schema), self._wake)
        await connection.execute("SELECT pg_advisory_unlock($1, hashtext($2))", _LOCK, self._schema)

    async def _publish_some(self, connection: asyncpg.pool.PoolConnectionProxy[asyncpg.Record]) -> int:
        """Publish the oldest events and delete those that the stream has; return how many were there."""
        rows = await connection.fetch(
            f"SELECT sequence, subject, envelope FROM {self._schema}.outbox ORDER BY sequence LIMIT {_AT_ONCE}"  # noqa: S608  # checked
        )
        published: list[int] = []
        try:
            for row in rows:
                if self._stopping.is_set():
                    break
                await self._publish(row["subject"], row["envelope"])
                published.append(row["sequence"])
        finally:
            if published and not connection.is_closed():
                await connection.execute(
                    f"DELETE FROM {self._schema}.outbox WHERE sequence = ANY($1::bigint[])",  # noqa: S608  # checked
                    published,
                )
        return len(rows)

    async def _publish(self, subject: str, data: bytes) -> None:
        try:
            await self._bus.publish(subject, msgspec.json.decode(data, type=Envelope))
        except (InvalidError, ValueError, msgspec.DecodeError) as error:
            # `put` lets nothing in that cannot be published; what another version wrote must not block the rest.
            _log.exception("outbox event dropped", schema=self._schema, subject=subject, reason=str(error))
            metrics.DROPS.labels(f"outbox {self._schema}", "unpublishable").inc()
        else:
            metrics.OUTBOX_PUBLISHED.labels(self._schema).inc()

    def _wake(self, *_: object) -> None:
        self._woken.set()


def _checked(schema: str) -> str:
    if _SCHEMA.fullmatch(schema) is None:
        message = f"{schema!r} is not the name of a schema"
        raise ValueError(message)
    return schema


def _channel(schema: str) -> str:
    return f"{schema}_outbox"
