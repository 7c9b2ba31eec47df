"""The WebSocket over which Home Assistant lends its Bluetooth; Home Assistant dials."""

import asyncio
import json
from typing import Self

import aiohttp

from .caller import SELF
from .client import Client
from .errors import MalformedError, RefusedError, UnreachableError
from .lending_said import Said
from .lending_told import Refused, Told, read_told
from .stream import HANDSHAKE_SECONDS, HEARTBEAT_SECONDS
from .transport import HTTP_SERVER_ERRORS

FAREWELL_SECONDS = 2.0
"""How long the gateway has to say goodbye; the mowers are let go of before."""


class LendingSocket:
    """One connection. Every method raises a `ClientError` when it does not work."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        """Speak over a socket that is open."""
        self._socket = socket

    @classmethod
    async def open(cls, client: Client) -> Self:
        """Dial; a `RefusedError` says that the gateway has no such thing."""
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                socket = await client.session.ws_connect(
                    client.base / "bluetooth",
                    headers=client.headers(SELF),
                    heartbeat=HEARTBEAT_SECONDS,
                    timeout=aiohttp.ClientWSTimeout(ws_close=FAREWELL_SECONDS),
                )
        except aiohttp.WSServerHandshakeError as error:
            if error.status >= HTTP_SERVER_ERRORS:
                raise UnreachableError(f"The gateway answers {error.status}") from error
            raise RefusedError(status=error.status, code="refused", detail=error.message) from error
        except (aiohttp.ClientError, TimeoutError) as error:
            raise UnreachableError.because_of(error) from error
        return cls(socket)

    async def send(self, said: Said) -> None:
        """Send a message; waits while the gateway does not take what was sent before."""
        try:
            await self._socket.send_str(json.dumps(said.json(), separators=(",", ":")))
        except (aiohttp.ClientError, ConnectionError) as error:
            raise UnreachableError.because_of(error) from error

    async def receive(self) -> Told:
        """Return the next message that this client knows; the end of the connection is an error."""
        while True:
            frame = await self._socket.receive()
            if frame.type is not aiohttp.WSMsgType.TEXT:
                raise UnreachableError("The connection for Bluetooth ended")
            text: str = frame.data
            try:
                told = read_told(json.loads(text))
            except ValueError as error:
                raise MalformedError("The gateway sends something that is not JSON") from error
            if isinstance(told, Refused):
                raise RefusedError(status=0, code=told.code, detail=told.detail, field=told.field)
            if told is not None:
                return told

    async def close(self) -> None:
        """Say goodbye."""
        await self._socket.close()
