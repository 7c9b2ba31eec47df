"""A TCP proxy in front of the server that cuts connections or swallows what the server sends."""

import asyncio
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


class Proxy:
    """Passes connections on until it is told otherwise."""

    def __init__(self, url: str) -> None:
        """Name the server behind it."""
        self._target = urlsplit(url)
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.StreamWriter] = set()
        self._open = asyncio.Event()
        self._open.set()

    @property
    def url(self) -> str:
        """Its own address."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        return f"nats://{self._target.username}@127.0.0.1:{port}"

    async def __aenter__(self) -> Self:
        """Listen."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening and cut what is connected."""
        assert self._server is not None
        self.swallow(on=False)
        self._server.close()
        self.cut()
        await self._server.wait_closed()

    def cut(self) -> None:
        """Cut every connection; what is on its way is lost."""
        for writer in tuple(self._connections):
            writer.transport.abort()

    def swallow(self, *, on: bool) -> None:
        """Hold back what the server sends (a later cut loses it), or let it through again."""
        if on:
            self._open.clear()
        else:
            self._open.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert self._target.port is not None
        upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", self._target.port)
        self._connections |= {writer, upstream_writer}
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._pass(reader, upstream_writer, held=False))
                tasks.create_task(self._pass(upstream_reader, writer, held=True))
        finally:
            self._connections -= {writer, upstream_writer}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, held: bool) -> None:
        try:
            while data := await reader.read(65536):
                if held:
                    await self._open.wait()
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            return
        finally:
            writer.close()
