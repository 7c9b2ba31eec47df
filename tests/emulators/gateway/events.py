"""The emulator's event stream: cursors that can be resumed, a journal, and all connected readers."""

import asyncio
from itertools import count
from typing import Any

from aiohttp import WSCloseCode, web

from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json


class Events:
    """What happened, and who listens."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.journal: list[Json] = []
        self.readers: set[web.WebSocketResponse] = set()
        self.cursors: list[str | None] = []
        """The cursor of each connection that came, in order."""
        self._numbers = count(1)
        self._changed = asyncio.Condition()

    def forget(self) -> None:
        """Lose the journal, so that every cursor is unknown: what a restart does."""
        self.journal.clear()

    @property
    def cursor(self) -> str:
        """The cursor of now."""
        return self.journal[-1]["cursor"] if self.journal else "c0"

    async def tell(self, *, event_id: str | None = None, **changes: Any) -> str:  # noqa: ANN401  # JSON
        """Write a change down and send it to everybody; the answer is its event id."""
        number = next(self._numbers)
        event_id = event_id or f"event-{number}"
        message = documents.change(cursor=f"c{number}", id=event_id, **changes)
        self.journal.append(message)
        for reader in tuple(self.readers):
            await reader.send_json(message)
        return event_id

    async def send_raw(self, text: str) -> None:
        """Send something that may be no message at all."""
        for reader in tuple(self.readers):
            await reader.send_str(text)

    async def serve(self, request: web.Request, info: Json, snapshot: Json) -> web.WebSocketResponse:
        """Serve one reader until it leaves."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        cursor = request.query.get("cursor")
        self.cursors.append(cursor)
        known = [message["cursor"] for message in self.journal]
        resumed = cursor in known
        await socket.send_json(documents.hello(info=info, resumed=resumed))
        if resumed:
            for message in self.journal[known.index(str(cursor)) + 1 :]:
                await socket.send_json(message)
        else:
            await socket.send_json(snapshot | {"cursor": self.cursor})
        self.readers.add(socket)
        await self._notify()
        try:
            async for _ in socket:
                pass
        finally:
            self.readers.discard(socket)
            await self._notify()
        return socket

    async def drop(self) -> None:
        """End all connections."""
        for reader in tuple(self.readers):
            await reader.close(code=WSCloseCode.GOING_AWAY)

    async def wait_for_connections(self, number: int) -> None:
        """Wait until so many connections came since the beginning."""
        async with asyncio.timeout(10), self._changed:
            await self._changed.wait_for(lambda: len(self.cursors) >= number)

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()
