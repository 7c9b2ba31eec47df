"""The connection to the NATS server: comes back without limit, and tells when deliveries may have been lost."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from edge_gateway.bus import metrics
from edge_gateway.bus.jetstream.client import ReconnectingClient
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.bus.questions import bus_unavailable
from edge_gateway.contracts.errors import ConfigurationError

_log = structlog.get_logger(__name__)

_OLDEST_SERVER = (2, 14)
"""The first that can set a consumer back to its acknowledge floor."""
_CONNECT_SECONDS = 2
_RECONNECT_WAIT_SECONDS = 0.25
_PING_SECONDS = 5
_UNANSWERED_PINGS = 2
_MOST_REASONS = 5
_NO_LIMIT = 0
"""Puts no limit on the bytes that wait: a pull asks for what it can hold, and what is dropped would come again."""

type MessageHandler = Callable[[Msg], Awaitable[None]]


class Standing:
    """A core subscription that outlives the client it was made on."""

    def __init__(self, subject: str, handler: MessageHandler, queue: str) -> None:
        """Name what to subscribe to."""
        self._subject = subject
        self._handler = handler
        self._queue = queue
        self._subscription: Subscription | None = None

    async def subscribe(self, client: Client) -> None:
        """Subscribe on a client."""
        self._subscription = await client.subscribe(
            self._subject, queue=self._queue, cb=self._handler, pending_bytes_limit=_NO_LIMIT
        )

    async def end(self, *, drain_seconds: float = 0.0) -> None:
        """Unsubscribe; with a time to drain, what was sent before still reaches the handler."""
        subscription, self._subscription = self._subscription, None
        if subscription is None:
            return
        try:
            if drain_seconds:
                async with asyncio.timeout(drain_seconds):
                    await subscription.drain()  # type: ignore[no-untyped-call]  # nats-py leaves it untyped
            else:
                await subscription.unsubscribe()
        except nats.errors.Error, OSError:
            # The connection is gone, and the subscription with it.
            _log.debug("subscription ended without the server", subject=self._subject)


class Connection:
    """One client at a time; a client that closed itself is replaced, its subscriptions with it."""

    def __init__(self, url: str, name: str) -> None:
        """Prepare to connect; the address may hold a secret and is never logged."""
        self._url = url
        self._name = name
        self._client = ReconnectingClient()
        self._connected = asyncio.Event()
        self._standing: list[Standing] = []
        self._replacing: asyncio.Task[None] | None = None
        self._closing = False
        self._reasons: dict[str, None] = {}
        """Why attempts failed, each once: one refusal may be said in several ways."""
        self._scopes: set[asyncio.Timeout] = set()
        self.generation = 0
        """Rises whenever the connection breaks: what was delivered before may never have arrived."""
        self.listeners: list[Callable[[], None]] = []
        """Called when the connection breaks."""

    async def connect(self, *, seconds: float) -> None:
        """Connect; raises `UnavailableError` when no server is reached in time, `ConfigurationError` for an old one."""
        try:
            async with asyncio.timeout(seconds):
                with unavailable_when("no server answers"):
                    await self._connect_client()
        except TimeoutError as error:
            await self._client.close()
            reasons = "; ".join(self._reasons) or "no answer at all"
            what = f"no server answered within {seconds:g} s ({reasons})"
            raise bus_unavailable(what) from error
        version = self._client.connected_server_version
        if (version.major, version.minor) < _OLDEST_SERVER:
            await self.close()
            oldest = ".".join(str(number) for number in _OLDEST_SERVER)
            raise ConfigurationError(
                "nats_too_old",
                f"The NATS server is version {version.major}.{version.minor}; {oldest} or later is needed.",
            )

    async def client(self, *, seconds: float) -> Client:
        """Return the connected client, waiting for it; raises `UnavailableError` when there is none in time."""
        if not self.is_connected:
            if self._closing:
                what = "it was closed"
                raise bus_unavailable(what)
            try:
                async with asyncio.timeout(seconds):
                    await self._connected.wait()
            except TimeoutError as error:
                what = "not connected"
                raise bus_unavailable(what) from error
        return self._client

    @property
    def is_connected(self) -> bool:
        """Whether the client is connected now."""
        return self._connected.is_set() and self._client.is_connected

    @asynccontextmanager
    async def unbroken(self, *, seconds: float) -> AsyncIterator[None]:
        """Limit the time of an exchange with the server; a break of the connection ends it with `TimeoutError`, too.

        What was under way then is lost or its answer is, and there is no sense in waiting for it.
        """
        async with asyncio.timeout(seconds) as scope:
            self._scopes.add(scope)
            try:
                yield
            finally:
                self._scopes.discard(scope)

    async def add(self, subject: str, handler: MessageHandler, *, queue: str = "", seconds: float) -> Standing:
        """Subscribe for good (a reply, an inbox): the subscription moves to the next client."""
        standing = Standing(subject, handler, queue)
        client = await self.client(seconds=seconds)
        with unavailable_when(f"cannot subscribe to {subject}"):
            await standing.subscribe(client)
        self._standing.append(standing)
        return standing

    async def confirm(self, *, seconds: float) -> None:
        """Return when the server has taken what was sent so far (a subscription: others reach it from now on)."""
        client = await self.client(seconds=seconds)
        with unavailable_when("the server does not answer"):
            async with self.unbroken(seconds=seconds):
                await client.flush()

    async def remove(self, standing: Standing, *, drain_seconds: float = 0.0) -> None:
        """End a standing subscription."""
        if standing in self._standing:
            self._standing.remove(standing)
        await standing.end(drain_seconds=drain_seconds)

    async def close(self) -> None:
        """Disconnect; what was sent is flushed."""
        self._closing = True
        self._connected.clear()
        if self._replacing is not None:
            self._replacing.cancel()
            await asyncio.gather(self._replacing, return_exceptions=True)
        await self._client.close()
        metrics.CONNECTED.set(0)

    async def _connect_client(self) -> None:
        self._client = client = ReconnectingClient()

        async def closed() -> None:
            if client is self._client and not self._closing:
                self._replacing = asyncio.create_task(self._replace(), name="bus connection")

        await client.connect(
            self._url,
            name=self._name,
            error_cb=self._failed,
            disconnected_cb=self._disconnected,
            reconnected_cb=self._reconnected,
            closed_cb=closed,
            connect_timeout=_CONNECT_SECONDS,
            reconnect_time_wait=_RECONNECT_WAIT_SECONDS,  # type: ignore[arg-type]  # declared int, only slept
            max_reconnect_attempts=-1,
            ping_interval=_PING_SECONDS,
            max_outstanding_pings=_UNANSWERED_PINGS,
        )
        try:
            for standing in self._standing:
                await standing.subscribe(client)
        except BaseException:
            # The next attempt makes another client; nobody would close this one.
            self._client = ReconnectingClient()
            await client.close()
            raise
        await self._reconnected()

    async def _replace(self) -> None:
        """Replace a client that closed itself, which it does on some errors of the server."""
        _log.warning("bus client closed itself, making a new one")
        while True:
            try:
                await self._connect_client()
            except (nats.errors.Error, OSError) as error:
                _log.info("bus not reached", reason=str(error))
                await asyncio.sleep(_RECONNECT_WAIT_SECONDS)
            else:
                return

    async def _disconnected(self) -> None:
        if self._connected.is_set():
            _log.warning("bus disconnected")
        self._connected.clear()
        metrics.CONNECTED.set(0)
        self._client.discard_unsent()
        self.generation += 1
        for listener in tuple(self.listeners):
            listener()
        for scope in self._scopes:
            if not scope.expired():
                scope.reschedule(asyncio.get_running_loop().time())

    async def _reconnected(self) -> None:
        _log.info("bus connected", server=str(self._client.connected_server_version))
        self._reasons.clear()
        metrics.CONNECTED.set(1)
        self._connected.set()

    async def _failed(self, error: Exception) -> None:
        level = _log.warning if self._connected.is_set() else _log.debug
        reason = str(error) or type(error).__name__
        level("bus client reports an error", reason=reason)
        if not self._connected.is_set() and len(self._reasons) < _MOST_REASONS:
            self._reasons[reason] = None
