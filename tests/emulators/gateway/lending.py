"""The emulated gateway's end of lent Bluetooth: what Home Assistant said, and what it is told."""

import asyncio
import base64
from typing import Any

from aiohttp import WSMsgType, web

from tests.emulators.gateway.documents import Json

WAIT_SECONDS = 20.0


class Lending:
    """The connections that Home Assistant dialled; one at a time is spoken with."""

    def __init__(self) -> None:
        """Start with none."""
        self.said: list[Json] = []
        """Everything that was said over the last connection, in order."""
        self.dialled = 0
        self.refuse: int | None = None
        """A status that is answered instead of serving."""
        self._socket: web.WebSocketResponse | None = None
        self._happened = asyncio.Condition()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection until it ends."""
        self.dialled += 1
        await self._tell()
        if self.refuse is not None:
            return web.Response(status=self.refuse)
        self.said = []
        socket = self._socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for frame in socket:
            assert frame.type is WSMsgType.TEXT
            self.said.append(frame.json())
            await self._tell()
        if self._socket is socket:
            self._socket = None
        await self._tell()
        return socket

    async def tell(self, kind: str, **fields: Any) -> None:  # noqa: ANN401  # JSON
        """Tell something; bytes become base64."""
        assert self._socket is not None
        coded = {
            name: base64.b64encode(value).decode() if isinstance(value, bytes) else value
            for name, value in fields.items()
        }
        await self._socket.send_json({"type": kind, **coded})

    async def send_raw(self, text: str) -> None:
        """Tell something that may be no message at all."""
        assert self._socket is not None
        await self._socket.send_str(text)

    async def hear(self, kind: str, *, nth: int = 1, **fields: Any) -> Json:  # noqa: ANN401  # JSON
        """Wait for a message with these fields, also one that came already; with `nth` for a later one."""
        async with asyncio.timeout(WAIT_SECONDS), self._happened:
            await self._happened.wait_for(lambda: len(self.find(kind, **fields)) >= nth)
        return self.find(kind, **fields)[nth - 1]

    def find(self, kind: str, **fields: Any) -> list[Json]:  # noqa: ANN401  # JSON
        """Return the messages with these fields."""
        wanted = {"type": kind, **fields}
        return [each for each in self.said if wanted.items() <= each.items()]

    async def until_gone(self) -> None:
        """Wait until nobody is connected."""
        async with asyncio.timeout(WAIT_SECONDS), self._happened:
            await self._happened.wait_for(lambda: self._socket is None)

    async def until_dialled(self, times: int) -> None:
        """Wait until somebody dialled so often, served or not."""
        async with asyncio.timeout(WAIT_SECONDS), self._happened:
            await self._happened.wait_for(lambda: self.dialled >= times)

    async def drop(self) -> None:
        """Break the connection off."""
        self.said = []
        if self._socket is not None:
            await self._socket.close()

    async def _tell(self) -> None:
        async with self._happened:
            self._happened.notify_all()
