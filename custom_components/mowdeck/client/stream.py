"""The event stream: one WebSocket for everything, resumed by cursor, connected again for as long as it takes."""

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Literal, Protocol

import aiohttp
import orjson
from aiohttp.http import WSMessageTextBytes

from .back_off import REJECTED_SECONDS, SETTLED_SECONDS, delay_seconds
from .caller import SELF
from .client import Client
from .errors import AuthenticationError, ClientError, MalformedError, UnreachableError
from .messages import Change, Hello, Message, MessageReader, Snapshot
from .turns import Turns

LOGGER = logging.getLogger(__name__)

HANDSHAKE_SECONDS = 10.0
"""For the connection and again for its first message."""

HEARTBEAT_SECONDS = 10.0
"""A ping this often; a pong that takes longer than half of it ends the connection: a dead link is noticed in 15 s."""

LARGEST_MESSAGE_BYTES = 16 * 1024 * 1024
"""A snapshot of hundreds of mowers is below one of these megabytes."""


class Listener(Protocol):
    """Who is told what the stream says, in order; the next message waits until it is done with one.

    A `ClientError` that it raises ends the connection like one of the network.
    """

    async def on_hello(self, hello: Hello) -> None:
        """Hear that a connection begins."""

    async def on_snapshot(self, snapshot: Snapshot) -> None:
        """Hear how everything is: it replaces what was known."""

    def on_change(self, change: Change) -> None:
        """Hear that one thing changed."""

    def on_lost(self, error: ClientError) -> None:
        """Hear that the connection is lost, or that an attempt failed."""


class EventStream:
    """Runs the connection; `run` ends only by being cancelled."""

    def __init__(self, client: Client, listener: Listener, jitter: Callable[[], float] = random.random) -> None:
        """Read the events of a client's gateway; `jitter` answers 0 to 1."""
        self._client = client
        self._listener = listener
        self._jitter = jitter
        self._cursor: str | None = None
        self._reader = MessageReader()

    async def run(self) -> None:
        """Connect, read, and connect again."""
        loop = asyncio.get_running_loop()
        attempt = 0
        while True:
            begun = loop.time()
            rejected = False
            try:
                await self._connect_and_read()
            except ClientError as error:
                rejected = isinstance(error, AuthenticationError)
                if isinstance(error, MalformedError):
                    self._forget()
                self._listener.on_lost(error)
            except Exception as error:
                # A defect of ours must not end the stream for good; a fresh snapshot leads past what caused it.
                LOGGER.exception("A message of the event stream could not be handled")
                self._forget()
                self._listener.on_lost(ClientError(f"{type(error).__name__} while a message was handled"))
            if loop.time() - begun > SETTLED_SECONDS:
                attempt = 0
            await asyncio.sleep(REJECTED_SECONDS if rejected else delay_seconds(attempt, self._jitter()))
            attempt += 1

    def _forget(self) -> None:
        """Ask for a snapshot next time: going on from the cursor would meet the same message again."""
        self._cursor = None

    async def _connect_and_read(self) -> None:
        """Read one connection until it ends, which is always a `ClientError`."""
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                socket = await self._client.session.ws_connect(
                    self._client.base / "events",
                    params={} if self._cursor is None else {"cursor": self._cursor},
                    headers=self._client.headers(SELF),
                    heartbeat=HEARTBEAT_SECONDS,
                    max_msg_size=LARGEST_MESSAGE_BYTES,
                    decode_text=False,
                )
        except aiohttp.WSServerHandshakeError as error:
            # The refusal has no body here; the same refusal of a request says why.
            await self._client.get_info()
            raise UnreachableError(f"The event stream answers {error.status}") from error
        except (aiohttp.ClientError, TimeoutError) as error:
            raise UnreachableError.because_of(error) from error
        async with socket:
            await self._read(socket)

    async def _read(self, socket: aiohttp.ClientWebSocketResponse[Literal[False]]) -> None:
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                hello = await self._message(await socket.receive())
        except TimeoutError as error:
            raise UnreachableError("The event stream says nothing") from error
        if not isinstance(hello, Hello):
            raise MalformedError("The event stream does not begin with hello")
        hello.info.check_version()
        await self._listener.on_hello(hello)
        turns = Turns()
        while True:
            # Many may have come at once: those that are there already are read without waiting.
            await turns.give()
            await self._tell(await self._message(await socket.receive()))

    async def _tell(self, message: Message | None) -> None:
        """Hand a message on; the cursor moves only past what the listener is done with."""
        match message:
            case Snapshot():
                await self._listener.on_snapshot(message)
                self._cursor = message.cursor
            case Change():
                self._listener.on_change(message)
                self._cursor = message.cursor
            case Hello() | None:
                pass

    async def _message(self, frame: aiohttp.WSMessage | WSMessageTextBytes) -> Message | None:
        """Read a frame; the end of the connection is an `UnreachableError`."""
        if frame.type is not aiohttp.WSMsgType.TEXT:
            raise UnreachableError("The event stream ended")
        try:
            # A snapshot of a hundred mowers takes a millisecond; in a thread it would hold the loop up all the same.
            value = orjson.loads(frame.data)
        except ValueError as error:
            raise MalformedError("The event stream sends something that is not JSON") from error
        return await self._reader.read(value)
