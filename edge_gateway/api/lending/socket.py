"""`/bluetooth`: one WebSocket of a Home Assistant that lends its Bluetooth, from its request to its close."""

import asyncio
import socket as sockets

import msgspec
import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from edge_gateway.api.asking import Services
from edge_gateway.api.decoding import decode_message
from edge_gateway.api.lending.relay import LendingEndedError, Relay
from edge_gateway.api.websocket_door import admit, check_upgrade
from edge_gateway.contracts.bluetooth_lending import Hello, Refused, Said, Told
from edge_gateway.contracts.errors import InvalidError, MowDeckError
from edge_gateway.contracts.principals import Relation

_log = structlog.get_logger(__name__)

_HEARTBEAT_SECONDS = 10.0
"""Home Assistant is asked so often whether it is there; half of it later it is not."""
_HELLO_SECONDS = 10.0
_SEND_SECONDS = 2.0
"""What Home Assistant does not take in so long would reach the mower late."""
_LATE_MILLISECONDS = 4000
"""What it has not acknowledged after this time is dropped with the connection."""
_CLOSE_SECONDS = 2.0
_LONGEST_MESSAGE_BYTES = 128 * 1024
_LONGEST_REASON_BYTES = 120
"""Of a close frame."""
_STOPPING = "stopping"


class _Ending(msgspec.Struct, frozen=True):
    """How a connection is ended."""

    code: WSCloseCode
    reason: str


class LendingSocket:
    """The handler of `/bluetooth`."""

    def __init__(self, services: Services, *, token: str) -> None:
        """Let in who knows `token` and may manage the mowers."""
        self._services = services
        self._token = token
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Let every Home Assistant go."""
        self._stopping.set()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Check the caller, upgrade, and serve until one side ends it."""
        await admit(
            request,
            self._services,
            token=self._token,
            relation=Relation.CAN_MANAGE_MOWERS,
            refusal="This person may not manage the mowers of this gateway.",
        )
        socket = web.WebSocketResponse(
            heartbeat=_HEARTBEAT_SECONDS, timeout=_CLOSE_SECONDS, compress=False, max_msg_size=_LONGEST_MESSAGE_BYTES
        )
        check_upgrade(socket, request)
        await socket.prepare(request)
        _forbid_late_arrival(request)
        ending = await self._serve(socket)
        _log.info("lending of bluetooth ended", reason=ending.reason)
        if not socket.closed:
            try:
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await socket.close(code=ending.code, message=ending.reason.encode()[:_LONGEST_REASON_BYTES])
            except TimeoutError, ConnectionError:
                _log.debug("lender of bluetooth cut")
        if request.transport is not None and request.transport.get_write_buffer_size():
            request.transport.abort()
        return socket

    async def _serve(self, socket: web.WebSocketResponse) -> _Ending:
        relay = Relay(self._services)
        try:
            hello = await _first(socket)
            if hello is None:
                return _Ending(WSCloseCode.OK, "gone")
            await relay.open(hello)
            try:
                return await self._hand_on(socket, relay, hello.instance_id)
            finally:
                await relay.close()
        except InvalidError as error:
            await _refuse(socket, error)
            return _Ending(WSCloseCode.POLICY_VIOLATION, error.code)
        except MowDeckError as error:
            return _Ending(WSCloseCode.TRY_AGAIN_LATER, error.code)

    async def _hand_on(self, socket: web.WebSocketResponse, relay: Relay, instance_id: str) -> _Ending:
        """Hand messages on until one side ends; raises what either is told."""

        async def send(message: Told) -> None:
            async with asyncio.timeout(_SEND_SECONDS):
                await socket.send_str(msgspec.json.encode(message).decode())

        parts = {
            asyncio.create_task(_listen(socket, relay, instance_id), name="api lender listen"),
            asyncio.create_task(relay.hand_in(), name="api lender in"),
            asyncio.create_task(relay.hand_out(send), name="api lender out"),
            asyncio.create_task(self._stopping.wait(), name="api lender stop"),
        }
        try:
            done, _ = await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for part in parts:
                part.cancel()
            await asyncio.gather(*parts, return_exceptions=True)
        try:
            # When two ended, what Home Assistant did wrong comes first.
            for part in sorted(done, key=lambda part: part.get_name() != "api lender listen"):
                part.result()
        except LendingEndedError as ended:
            code = WSCloseCode.OK if ended.reason == "replaced" else WSCloseCode.TRY_AGAIN_LATER
            return _Ending(code, ended.reason)
        except TimeoutError, ConnectionError:
            return _Ending(WSCloseCode.TRY_AGAIN_LATER, "too_slow")
        if self._stopping.is_set():
            return _Ending(WSCloseCode.GOING_AWAY, _STOPPING)
        return _Ending(WSCloseCode.OK, "gone")


async def _first(socket: web.WebSocketResponse) -> Hello | None:
    """Return what Home Assistant says first; null when it leaves without a word. Raises `InvalidError`."""
    try:
        async with asyncio.timeout(_HELLO_SECONDS):
            message = await _next(socket)
    except TimeoutError:
        message = None
        if not socket.closed:
            raise _hello_missing() from None
    if message is not None and not isinstance(message, Hello):
        raise _hello_missing()
    return message


async def _listen(socket: web.WebSocketResponse, relay: Relay, instance_id: str) -> None:
    """Return when Home Assistant leaves; raises `InvalidError` for what it should not have said."""
    while (message := await _next(socket)) is not None:
        if isinstance(message, Hello) and message.instance_id != instance_id:
            raise InvalidError(
                "instance_changed", "A connection is one Home Assistant's from beginning to end.", field="instance_id"
            )
        await relay.put(message)


async def _next(socket: web.WebSocketResponse) -> Said | None:
    message = await socket.receive()
    if message.type is WSMsgType.TEXT:
        said: Said = decode_message(message.data.encode(), Said)
        return said
    if message.type is WSMsgType.BINARY:
        raise InvalidError("malformed_json", "A message is one JSON text, no bytes.", field="body")
    return None


async def _refuse(socket: web.WebSocketResponse, error: InvalidError) -> None:
    """Say what was wrong, if it is still heard."""
    refused = Refused(code=error.code, detail=error.detail, field=error.field)
    try:
        async with asyncio.timeout(_SEND_SECONDS):
            await socket.send_str(msgspec.json.encode(refused).decode())
    except TimeoutError, ConnectionError:
        _log.debug("lender of bluetooth does not listen")


def _hello_missing() -> InvalidError:
    return InvalidError("hello_missing", "The first message is a hello, within 10 s.", field="type")


def _forbid_late_arrival(request: web.Request) -> None:
    """Have the system drop the connection when nothing is acknowledged: no frame reaches a mower late."""
    used = None if request.transport is None else request.transport.get_extra_info("socket")
    if used is not None and hasattr(sockets, "TCP_USER_TIMEOUT"):
        used.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_USER_TIMEOUT, _LATE_MILLISECONDS)
