"""`/events`: one WebSocket connection, from its request to its close."""

import asyncio
from collections.abc import Callable

import msgspec
import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from edge_gateway.api.asking import Services
from edge_gateway.api.authentication import Caller, check_token, check_version, read_caller
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
            if request.transport is not None and not socket.closed:
                request.transport.abort()
        return socket

    async def _check_rights(self, caller: Caller) -> None:
        question = PermissionCheckRequest(
            principal=caller.principal, relation=Relation.CAN_VIEW, account_id=caller.account_id
        )
        reply = await self._services.ask(routes.PERMISSIONS_CHECK, question)
        if not reply.allowed.get(caller.account_id, False):
            raise ForbiddenError("forbidden", "This person may not see the mowers of this gateway.")

    async def _serve(self, socket: web.WebSocketResponse, reader: Reader, hello: bytes) -> None:
        tasks = {
            asyncio.create_task(_send(socket, reader, hello), name="api reader send"),
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


async def _send(socket: web.WebSocketResponse, reader: Reader, hello: bytes) -> None:
    await socket.send_frame(hello, WSMsgType.TEXT)
    while True:
        await socket.send_frame(await reader.next(), WSMsgType.TEXT)


async def _listen(socket: web.WebSocketResponse, reader: Reader) -> None:
    """Return when the connection ends, or when the reader says something (aiohttp answers pings itself)."""
    message = await socket.receive()
    if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
        reader.drop(WSCloseCode.POLICY_VIOLATION, "readers_say_nothing")
