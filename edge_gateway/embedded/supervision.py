"""Keeps a server running: one that dies is started again, at once first and then with growing pauses."""

import asyncio
from typing import Protocol

import structlog

from edge_gateway.contracts.errors import MowDeckError

_log = structlog.get_logger(__name__)

_FIRST_PAUSE_SECONDS = 0.2
_LONGEST_PAUSE_SECONDS = 30.0
_STEADY_SECONDS = 60.0
"""One that ran for so long counts as well again."""


class Server(Protocol):
    """A server that can be started again after it ended."""

    @property
    def name(self) -> str:
        """What it is called in the log."""
        ...

    async def start(self) -> None:
        """Start it and return when it can be used."""
        ...

    async def exited(self) -> str:
        """Return its last words when it has ended by itself."""
        ...

    async def stop(self, *, patience_seconds: float) -> bool:
        """Stop it; tell whether it ended."""
        ...


class SupervisedServer:
    """A server and the watch over it."""

    def __init__(self, server: Server) -> None:
        """Name the server; nothing runs yet."""
        self._server = server
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the server, raising when it does not come up the first time, and watch it from then on."""
        await self._server.start()
        self._watch = asyncio.create_task(self._keep_running(), name=f"watch over {self._server.name}")

    async def stop(self, *, patience_seconds: float) -> bool:
        """End the watch and the server; tell whether it ended."""
        if self._watch:
            self._watch.cancel()
            await asyncio.wait([self._watch])
        return await self._server.stop(patience_seconds=patience_seconds)

    async def _keep_running(self) -> None:
        loop = asyncio.get_running_loop()
        pause = _FIRST_PAUSE_SECONDS
        started = loop.time()
        while True:
            last_words = await self._server.exited()
            _log.error("a server died and is started again", server=self._server.name, last_words=last_words)
            if loop.time() - started > _STEADY_SECONDS:
                pause = _FIRST_PAUSE_SECONDS
            while True:
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
                try:
                    await self._server.start()
                except (MowDeckError, OSError) as error:
                    _log.error(
                        "a server does not come up", server=self._server.name, reason=str(error), next_try_seconds=pause
                    )
                else:
                    break
            started = loop.time()
            _log.info("the server is back", server=self._server.name)
