"""Tells the server what became of a message."""

from edge_gateway.bus.jetstream.connection import Connection
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.source import Received

_ACKNOWLEDGE = b"+ACK"
_REDELIVER = b"-NAK"
_DROP = b"+TERM"
_WORKING = b"+WPI"


class Settling:
    """Settles the messages of one consumer, in order."""

    def __init__(self, connection: Connection, limits: BusLimits) -> None:
        """Prepare."""
        self._connection = connection
        self._limits = limits
        self._last_token: str | None = None

    async def acknowledge(self, message: Received) -> None:
        """Done."""
        await self._send(message, _ACKNOWLEDGE)

    async def acknowledge_and_wait(self, message: Received) -> None:
        """Done; return when the server knows. Raises `UnavailableError` when it does not say so: then nobody knows."""
        await self._ask(message.token, _ACKNOWLEDGE)

    async def redeliver(self, message: Received) -> None:
        """Again, at once."""
        await self._send(message, _REDELIVER)

    async def drop(self, message: Received) -> None:
        """Never again."""
        await self._send(message, _DROP)

    async def working(self, message: Received) -> None:
        """Still in hand."""
        await self._send(message, _WORKING)

    async def confirm(self) -> None:
        """Return when the server has processed what was sent so far.

        It takes settlements in order, so asking about the last one is enough; "still in hand" changes nothing.
        """
        token, self._last_token = self._last_token, None
        if token is not None:
            await self._ask(token, _WORKING)

    async def _send(self, message: Received, what: bytes) -> None:
        client = await self._connection.client(seconds=self._limits.publish_seconds)
        with unavailable_when("a message cannot be settled"):
            await client.publish(message.token, what)
        self._last_token = message.token

    async def _ask(self, token: str, what: bytes) -> None:
        client = await self._connection.client(seconds=self._limits.publish_seconds)
        with unavailable_when("the server does not confirm that a message is settled"):
            async with self._connection.unbroken(seconds=self._limits.publish_seconds):
                await client.request(token, what, timeout=self._limits.publish_seconds)
