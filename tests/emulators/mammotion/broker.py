"""The MQTT broker of the emulated cloud: amqtt's, on a port of its own, with connections that a test can cut."""

import asyncio
import contextlib
from itertools import count
from typing import Any, override

from amqtt.broker import Broker  # type: ignore[import-untyped]  # it has no types
from amqtt.errors import AMQTTError  # type: ignore[import-untyped]  # it has no types

STOP_SECONDS = 2.0
_LISTENER = "cloud"
_CONFIG = {
    "listeners": {"default": {"type": "external", "bind": _LISTENER}, _LISTENER: {"bind": _LISTENER}},
    "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
}


class ConnectionBroker(Broker):  # type: ignore[misc]  # it has no types
    """A broker to which each connection is a client of its own, and that may take its time to subscribe it.

    amqtt keeps sessions and subscriptions by the client's id: where a client connects twice within milliseconds, as
    after a login, the end of one connection leaves the other deaf.
    """

    subscribe_seconds = 0.0
    _numbers = count()

    @override
    async def _initialize_client_session(self, *arguments: Any) -> tuple[Any, Any]:
        handler, session = await super()._initialize_client_session(*arguments)
        session.client_id = f"{session.client_id} ({next(self._numbers)})"
        return handler, session

    @override
    async def add_subscription(self, subscription: tuple[str, int], session: Any) -> int:
        await asyncio.sleep(self.subscribe_seconds)
        taken: int = await super().add_subscription(subscription, session)
        return taken


class CloudBroker:
    """A broker that can be cut off and come back."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self.port = 0
        self.connections = 0
        """How often a client connected."""
        self._broker: ConnectionBroker | None = None
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._sessions: set[asyncio.Task[None]] = set()
        self._closed = asyncio.Event()
        self._closed.set()

    async def start(self) -> None:
        """Listen on a free port, the same again after `cut`."""
        self._broker = ConnectionBroker(_CONFIG)
        await self._broker.start()
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Let go of all clients and stop."""
        await self.cut()
        for task in tuple(self._sessions):
            task.cancel()
        await asyncio.gather(*self._sessions, return_exceptions=True)
        await self._closed.wait()
        if self._broker is not None:
            broker, self._broker = self._broker, None
            # A session that was just beginning can keep amqtt from ending; its connection is cut all the same.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS):
                    await broker.shutdown()

    async def publish(self, topic: str, payload: bytes) -> None:
        """Tell all subscribers."""
        if self._broker is not None:
            await self._broker.internal_message_broadcast(topic, payload)

    def take_time_to_subscribe(self, seconds: float) -> None:
        """Let each subscription take so long from now on."""
        if self._broker is not None:
            self._broker.subscribe_seconds = seconds

    def drop_connections(self) -> None:
        """Cut every connection; new ones are taken."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def cut(self) -> None:
        """Cut every connection and take no new one."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self.drop_connections()

    async def restore(self) -> None:
        """Take connections again."""
        if self._server is None:
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._broker is None:
            writer.close()
            return
        self.connections += 1
        self._writers.add(writer)
        self._closed.clear()
        session = asyncio.ensure_future(self._broker.stream_connected(reader, writer, _LISTENER))
        self._sessions.add(session)
        try:
            with contextlib.suppress(AMQTTError, ConnectionError, asyncio.CancelledError):
                await session
        finally:
            self._sessions.discard(session)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
            self._writers.discard(writer)
            if not self._writers:
                self._closed.set()
