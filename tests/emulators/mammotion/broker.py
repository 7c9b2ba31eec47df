"""The MQTT broker of the emulated cloud: amqtt's, on a port of its own, with connections that a test can cut."""

import asyncio
import contextlib
from typing import Any, override

from amqtt.broker import Broker  # type: ignore[import-untyped]  # it has no types
from amqtt.errors import AMQTTError  # type: ignore[import-untyped]  # it has no types

STOP_SECONDS = 2.0
_LISTENER = "cloud"
CONFIGURATION = {
    "listeners": {"default": {"type": "external", "bind": _LISTENER}, _LISTENER: {"bind": _LISTENER}},
    "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
}


class SessionBroker(Broker):  # type: ignore[misc]  # it has no types
    """A broker whose subscriptions are those of a session, and that may take its time to subscribe a client.

    amqtt keeps them by the client's id: what is left of a client's old connection takes those of its new one along, and
    nothing reaches it any more.
    """

    subscribe_seconds = 0.0

    @override
    async def add_subscription(self, subscription: tuple[str, int], session: Any) -> int:
        await asyncio.sleep(self.subscribe_seconds)
        held = self._subscriptions.get(subscription[0], [])
        held[:] = [(each, qos) for each, qos in held if each.client_id != session.client_id or each is session]
        taken: int = await super().add_subscription(subscription, session)
        return taken

    @override
    def _del_subscription(self, a_filter: str, session: Any) -> int:
        held = self._subscriptions.get(a_filter, [])
        left = [(each, qos) for each, qos in held if each is not session]
        gone = len(held) - len(left)
        held[:] = left
        return gone


class CloudBroker:
    """A broker that can be cut off and come back."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self.port = 0
        self.connections = 0
        """How often a client connected."""
        self._broker: SessionBroker | None = None
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._sessions: set[asyncio.Task[None]] = set()
        self._closed = asyncio.Event()
        self._closed.set()

    async def start(self) -> None:
        """Listen on a free port, the same again after `cut`."""
        self._broker = SessionBroker(CONFIGURATION)
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
