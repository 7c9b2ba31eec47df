"""`/events`: one WebSocket connection, from its request to its close."""

import asyncio
import contextlib
from collections.abc import Callable

import msgspec
import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from edge_gateway.api.asking import Services
from edge_gateway.api.authentication import Caller
from edge_gateway.api.decoding import decode_query
from edge_gateway.api.events.hub import EventHub
from edge_gateway.api.events.readers import RIGHTS_LOST, Reader
from edge_gateway.api.events.sight import read_sight
from edge_gateway.api.pages import Cursor
from edge_gateway.api.websocket_door import check_upgrade, read_door
from edge_gateway.contracts.errors import DeadlineError, ForbiddenError, UnavailableError
from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.views import Hello, Info

_log = structlog.get_logger(__name__)

_CLOSE_SECONDS = 2.0
"""A reader that is dropped has so long to say goodbye; then its connection is cut."""

_RIGHTS_SECONDS = 30.0
"""What a reader sees is asked anew at least this often (design: caches expire); a change that is told, at once."""

_LONGEST_MESSAGE_BYTES = 1024
"""Readers have nothing to say."""


class EventsQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where to go on."""

    cursor: Cursor | None = None


class EventsSocket:
    """The handler of `/events`."""

    def __init__(
        self,
        hub: EventHub,
        services: Services,
        info: Callable[[], Info],
        *,
        token: str,
        heartbeat_seconds: float,
    ) -> None:
        """Serve readers of `hub` that know `token`; `info` is what the gateway says of itself."""
        self._hub = hub
        self._services = services
        self._info = info
        self._token = token
        self._heartbeat_seconds = heartbeat_seconds

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Check the caller, upgrade, and serve until one side ends it."""
        caller = read_door(request, token=self._token)
        sight = await read_sight(self._services, caller)
        query = decode_query(request.query.items(), EventsQuery)
        self._hub.check_room()
        socket = web.WebSocketResponse(
            heartbeat=self._heartbeat_seconds,
            timeout=_CLOSE_SECONDS,
            compress=False,
            max_msg_size=_LONGEST_MESSAGE_BYTES,
        )
        check_upgrade(socket, request)
        await socket.prepare(request)
        joined = self._hub.join(query.cursor, sight)
        try:
            hello = msgspec.json.encode(Hello(info=self._info(), resumed=joined.resumed))
            await self._serve(socket, joined.reader, hello, caller)
        finally:
            self._hub.leave(joined.reader)
            _cut(request.transport)
        return socket

    async def _follow_rights(self, reader: Reader, caller: Caller) -> None:
        """Let the reader see what its principal sees now, as long as that is anything."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_RIGHTS_SECONDS):
                    await reader.rights_may_differ.wait()
            reader.rights_may_differ.clear()
            try:
                sight = await read_sight(self._services, caller)
            except ForbiddenError:
                reader.drop(WSCloseCode.POLICY_VIOLATION, RIGHTS_LOST)
                return
            except UnavailableError, DeadlineError:
                # Nobody can change a right now either.
                continue
            if sight != reader.sight:
                self._hub.show_anew(reader, sight)

    async def _serve(self, socket: web.WebSocketResponse, reader: Reader, hello: bytes, caller: Caller) -> None:
        sender = _Sender(socket, reader)
        tasks = {
            asyncio.create_task(sender.run(hello), name="api reader send"),
            asyncio.create_task(_listen(socket, reader), name="api reader listen"),
            asyncio.create_task(reader.wait_dropped(), name="api reader dropped"),
        }
        if caller.principal != OWNER:
            tasks.add(asyncio.create_task(self._follow_rights(reader, caller), name="api reader rights"))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(result, Exception) and not isinstance(result, ConnectionError):
                    _log.error("reader of events failed", error=repr(result))
        if not socket.closed:
            try:
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await socket.close(code=reader.close_code, message=reader.close_reason.encode())
            except TimeoutError, ConnectionError:
                _log.debug("reader of events cut")
        await sender.settle()


class _Sender:
    """Sends what waits for a reader.

    Its wait for a slow reader must not be cancelled: aiohttp shares it with the close frame, which would be lost.
    """

    def __init__(self, socket: web.WebSocketResponse, reader: Reader) -> None:
        self._socket = socket
        self._reader = reader
        self._sending: asyncio.Task[None] | None = None

    async def run(self, hello: bytes) -> None:
        """Send until cancelled; what is on its way then stays on its way until `settle`."""
        message = hello
        while True:
            self._sending = asyncio.create_task(self._socket.send_frame(message, WSMsgType.TEXT))
            await asyncio.wait({self._sending})
            self._sending.result()
            message = await self._reader.next()

    async def settle(self) -> None:
        """Give up what is still on its way."""
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.gather(self._sending, return_exceptions=True)


def _cut(transport: asyncio.Transport | None) -> None:
    """Let go of what a reader did not take: a polite close would wait for it as long as the reader likes."""
    if transport is not None and transport.get_write_buffer_size():
        transport.abort()


async def _listen(socket: web.WebSocketResponse, reader: Reader) -> None:
    """Return when the connection ends, or when the reader says something (aiohttp answers pings itself)."""
    message = await socket.receive()
    if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
        reader.drop(WSCloseCode.POLICY_VIOLATION, "readers_say_nothing")
