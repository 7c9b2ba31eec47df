"""`/events`: one WebSocket connection, from its request to its close."""

import asyncio
from collections.abc import Callable

import msgspec
import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from edge_gateway.api.asking import Services
from edge_gateway.api.authentication import Caller, check_given_once, check_token, check_version, read_caller
from edge_gateway.api.decoding import decode_query
from edge_gateway.api.errors import BadRequestError
from edge_gateway.api.events.hub import EventHub
from edge_gateway.api.events.readers import Reader
from edge_gateway.api.pages import Cursor
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ForbiddenError
from edge_gateway.contracts.principals import PermissionCheckRequest, Relation
from edge_gateway.contracts.views import Hello, Info

_log = structlog.get_logger(__name__)

_CLOSE_SECONDS = 2.0
"""A reader that is dropped has so long to say goodbye; then its connection is cut."""

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
        check_given_once(request.headers)
        check_token(request.headers, self._token)
        check_version(request.headers)
        await self._check_rights(read_caller(request.headers))
        query = decode_query(request.query.items(), EventsQuery)
        self._hub.check_room()
        socket = web.WebSocketResponse(
            heartbeat=self._heartbeat_seconds,
            timeout=_CLOSE_SECONDS,
            compress=False,
            max_msg_size=_LONGEST_MESSAGE_BYTES,
        )
        if not socket.can_prepare(request):
            raise BadRequestError(
                "websocket_needed", "This path is a WebSocket: the request must ask for an upgrade.", field="Upgrade"
            )
        await socket.prepare(request)
        joined = self._hub.join(query.cursor)
        try:
            hello = msgspec.json.encode(Hello(info=self._info(), resumed=joined.resumed))
            await self._serve(socket, joined.reader, hello)
        finally:
            self._hub.leave(joined.reader)
            _cut(request.transport)
        return socket

    async def _check_rights(self, caller: Caller) -> None:
        question = PermissionCheckRequest(
            principal=caller.principal, relation=Relation.CAN_VIEW, account_id=caller.account_id
        )
        reply = await self._services.ask(routes.PERMISSIONS_CHECK, question)
        if not reply.allowed.get(caller.account_id, False):
            raise ForbiddenError("forbidden", "This person may not see the mowers of this gateway.")

    async def _serve(self, socket: web.WebSocketResponse, reader: Reader, hello: bytes) -> None:
        sender = _Sender(socket, reader)
        tasks = {
            asyncio.create_task(sender.run(hello), name="api reader send"),
            asyncio.create_task(_listen(socket, reader), name="api reader listen"),
            asyncio.create_task(reader.wait_dropped(), name="api reader dropped"),
        }
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
