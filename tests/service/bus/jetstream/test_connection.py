"""The connection itself: what comes after a break, and after nats-py gave up."""

import asyncio
import errno
import gc
import os
from collections.abc import AsyncIterator

import pytest

from edge_gateway.bus.jetstream.connection import Connection
from edge_gateway.contracts.errors import ConfigurationError, UnavailableError
from tests.eventually import eventually

_INFO = b'INFO {"server_id":"s","version":"%s","max_payload":1048576,"headers":true,"proto":1}\r\n'


class RefusingServer:
    """Speaks enough of the protocol to be connected to, and misbehaves as it is told."""

    def __init__(self) -> None:
        """Start in good health."""
        self.version = b"2.15.1"
        self.breaks_in_handshake = 0
        """So many of the next connections are closed before they are set up."""
        self.silences_in_handshake = 0
        """So many of the next connections never hear a word."""
        self.accepted = 0
        self.received: list[bytes] = []
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> str:
        """Listen; return the address."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return f"nats://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """End."""
        assert self._server is not None
        self._server.close()
        self.cut()
        await self._server.wait_closed()

    async def count_of_connections(self, wanted: int) -> bool:
        """Tell whether so many are open."""
        return len(self._writers) == wanted

    def cut(self) -> None:
        """Close all connections."""
        for writer in tuple(self._writers):
            writer.close()

    def say(self, line: bytes) -> None:
        """Send a line to everyone."""
        for writer in self._writers:
            writer.write(line + b"\r\n")

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        self._writers.add(writer)
        try:
            if self.silences_in_handshake:
                self.silences_in_handshake -= 1
                await reader.read()
                return
            writer.write(_INFO % self.version)
            if self.breaks_in_handshake:
                self.breaks_in_handshake -= 1
                await reader.readline()
                return
            while line := await reader.readline():
                self.received.append(line.strip())
                if line.startswith(b"PING"):
                    writer.write(b"PONG\r\n")
        except ConnectionError:
            return
        finally:
            self._writers.discard(writer)
            writer.close()


@pytest.fixture
async def server() -> AsyncIterator[RefusingServer]:
    server = RefusingServer()
    yield server
    await server.stop()


@pytest.fixture
async def connection(server: RefusingServer) -> AsyncIterator[Connection]:
    connection = Connection(await server.start(), "test")
    yield connection
    await connection.close()


async def connected_again(connection: Connection, generation: int) -> None:
    async def again() -> bool:
        return connection.generation > generation and connection.is_connected

    await eventually(again)


async def test_breaks_during_the_handshake_are_survived(server: RefusingServer, connection: Connection) -> None:
    await connection.connect(seconds=5)
    server.breaks_in_handshake = 3
    server.cut()
    await connected_again(connection, 0)
    assert server.accepted == 5


async def test_silence_during_the_handshake_leaves_no_open_connection(
    server: RefusingServer, connection: Connection
) -> None:
    await connection.connect(seconds=5)
    server.silences_in_handshake = 1
    server.cut()
    await connected_again(connection, 0)
    gc.collect()  # tells of what was forgotten and not closed
    assert server.accepted == 3
    await eventually(lambda: server.count_of_connections(1))


async def test_client_that_closed_itself_is_replaced_with_its_subscriptions(
    server: RefusingServer, connection: Connection
) -> None:
    """nats-py closes for good on errors that it does not know."""

    async def handle(_: object) -> None:
        return

    await connection.connect(seconds=5)
    await connection.add("garden.questions", handle, queue="garden", seconds=5)
    await connection.confirm(seconds=5)
    server.received.clear()
    server.say(b"-ERR 'Maximum Account Active Connections Exceeded'")
    await connected_again(connection, 0)
    await connection.confirm(seconds=5)
    assert any(line.startswith(b"SUB garden.questions garden ") for line in server.received)


async def test_what_was_not_sent_is_not_sent_later(server: RefusingServer, connection: Connection) -> None:
    await connection.connect(seconds=5)
    client = await connection.client(seconds=1)
    await client.force_reconnect()
    await client.publish("garden.orders", b"mow")  # kept by nats-py, to be sent to the next connection
    await connected_again(connection, 0)
    await connection.confirm(seconds=5)
    broken = max(index for index, line in enumerate(server.received) if line.startswith(b"CONNECT"))
    assert not any(line.startswith(b"PUB garden.orders") for line in server.received[broken:])


async def test_exchange_ends_when_the_connection_breaks(server: RefusingServer, connection: Connection) -> None:
    await connection.connect(seconds=5)
    entered = asyncio.Event()

    async def exchange() -> None:
        async with connection.unbroken(seconds=60):
            entered.set()
            await asyncio.Event().wait()

    exchanging = asyncio.create_task(exchange())
    await entered.wait()
    server.cut()
    async with asyncio.timeout(5):
        with pytest.raises(TimeoutError):
            await exchanging


async def test_old_server_is_refused(server: RefusingServer, connection: Connection) -> None:
    server.version = b"2.10.27"
    with pytest.raises(ConfigurationError, match=r"version 2\.10; 2\.14 or later") as caught:
        await connection.connect(seconds=5)
    assert caught.value.code == "nats_too_old"


async def test_closed_connection_does_not_wait(connection: Connection) -> None:
    await connection.connect(seconds=5)
    await connection.close()
    async with asyncio.timeout(1):
        with pytest.raises(UnavailableError):
            await connection.client(seconds=60)


async def test_closing_a_connection_that_was_reset_ends_it(
    server: RefusingServer, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was left to be sent cannot be: the client hears of the reset from its own last write."""

    async def reset() -> None:
        raise ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))

    await connection.connect(seconds=5)
    client = await connection.client(seconds=1)
    monkeypatch.setattr(client._transport, "drain", reset)  # noqa: SLF001 - its last write is to fail
    await client.publish("garden.orders", b"mow")
    await connection.close()
    assert client.is_closed
    await eventually(lambda: server.count_of_connections(0))
