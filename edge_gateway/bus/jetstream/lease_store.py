"""The key-value entries behind leases: compare and set, expiry at the server, fencing numbers that only rise."""

import msgspec
from nats.js import JetStreamContext
from nats.js.errors import APIError, NotFoundError

from edge_gateway.bus.jetstream.connection import Connection
from edge_gateway.bus.jetstream.streams import FENCES, LEASES, Streams
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.contracts.clock import Clock

_EXPECTED = "Nats-Expected-Last-Subject-Sequence"
_OPERATION = "KV-Operation"
_DELETED = "DEL"
_WRONG_SEQUENCE = frozenset({10071, 10164})
"""The server's error codes for an entry that changed meanwhile."""


class LeaseRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds a lease."""

    holder: str
    taking: str
    """Tells one taking of a lease from the next of the same holder."""


class LeaseEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A lease as the server has it."""

    revision: int
    """0 when there is no entry."""
    record: LeaseRecord | None
    """Null when it is free."""


class LeaseStore:
    """Reads and writes the entries; every method raises `UnavailableError` when the server cannot be reached."""

    def __init__(self, connection: Connection, streams: Streams, clock: Clock, *, timeout_seconds: float) -> None:
        """Prepare; the clock gives fencing numbers their start."""
        self._connection = connection
        self._streams = streams
        self._clock = clock
        self._timeout_seconds = timeout_seconds

    async def read(self, name: str) -> LeaseEntry:
        """Return the present entry of a lease."""
        await self._streams.ensure()
        revision, value = await self._read(LEASES, name)
        record = msgspec.json.decode(value, type=LeaseRecord) if value else None
        return LeaseEntry(revision=revision, record=record)

    async def write(self, name: str, record: LeaseRecord, *, expected_revision: int) -> int | None:
        """Write an entry, its time to live begins anew; return its revision, null when it changed meanwhile."""
        return await self._write(LEASES, name, msgspec.json.encode(record), {_EXPECTED: str(expected_revision)})

    async def delete(self, name: str, *, expected_revision: int) -> None:
        """Free a lease unless its entry changed meanwhile."""
        await self._write(LEASES, name, b"", {_EXPECTED: str(expected_revision), _OPERATION: _DELETED})

    async def next_fence(self, name: str) -> int:
        """Return a fencing number higher than every one before.

        The last one is kept for ever; should the store be lost (a backup without it), the milliseconds since 1970 keep
        a new one above those that the database has seen.
        """
        while True:
            revision, value = await self._read(FENCES, name)
            milliseconds = int(self._clock.now().timestamp() * 1000)
            fence = max(int(value or 0) + 1, milliseconds)
            if await self._write(FENCES, name, str(fence).encode(), {_EXPECTED: str(revision)}) is not None:
                return fence

    async def _read(self, bucket: str, name: str) -> tuple[int, bytes]:
        context = await self._context()
        with unavailable_when(f"the lease {name} cannot be read"):
            try:
                message = await context.get_last_msg(bucket, _subject(bucket, name))
            except NotFoundError:
                return 0, b""
        return message.seq or 0, message.data or b""

    async def _write(self, bucket: str, name: str, value: bytes, headers: dict[str, str]) -> int | None:
        context = await self._context()
        with unavailable_when(f"the lease {name} cannot be written"):
            try:
                written = await context.publish(_subject(bucket, name), value, headers=headers)
            except APIError as error:
                if error.err_code in _WRONG_SEQUENCE:
                    return None
                raise
        return written.seq

    async def _context(self) -> JetStreamContext:
        client = await self._connection.client(seconds=self._timeout_seconds)
        return client.jetstream(timeout=self._timeout_seconds)


def _subject(bucket: str, name: str) -> str:
    return f"$KV.{bucket.removeprefix('KV_')}.{name}"
