"""A reader of the events."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import msgspec

from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.identifiers import new_id
from tests.service.api.house import HEADERS, ApiHouse


class Listener:
    """One connection to the events."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        """Read from an open socket."""
        self.socket = socket

    async def next(self, *, seconds: float = 10.0) -> dict[str, Any]:
        """Return the next message."""
        message = await self.socket.receive(timeout=seconds)
        assert message.type is aiohttp.WSMsgType.TEXT, message
        decoded: dict[str, Any] = msgspec.json.decode(message.data)
        return decoded

    async def greeting(self) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """Return the hello, and the snapshot unless the cursor was known."""
        hello = await self.next()
        assert hello["type"] == "hello"
        if hello["resumed"]:
            return hello, None
        snapshot = await self.next()
        assert snapshot["type"] == "snapshot"
        return hello, snapshot

    async def until(self, kind: str) -> dict[str, Any]:
        """Return the next change of a kind (`mower`, `run`, …)."""
        async with asyncio.timeout(10):
            while True:
                message = await self.next()
                if message.get(kind) is not None:
                    return message

    async def closing(self, *, seconds: float = 10.0) -> int | None:
        """Read until the server closes; return its code."""
        async with asyncio.timeout(seconds):
            while (await self.socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
        return self.socket.close_code


@asynccontextmanager
async def listening(house: ApiHouse, cursor: str | None = None) -> AsyncIterator[Listener]:
    """Connect to the events."""
    params = {} if cursor is None else {"cursor": cursor}
    url = f"{house.url}/api/v1/events"
    async with house.session.ws_connect(url, headers=HEADERS, params=params) as socket:
        yield Listener(socket)


def content(change: dict[str, Any]) -> dict[str, Any]:
    """Return what a change is about: the one field that is there."""
    fields = {
        name: value for name, value in change.items() if name not in ("type", "cursor", "id") and value is not None
    }
    assert len(fields) == 1, fields
    return fields


async def publish(house: ApiHouse, subject: str, payload: msgspec.Struct, subject_id: str) -> None:
    """Publish an event as a service does."""
    envelope = wrap(
        payload, id=new_id(), type=subject, occurred_at=house.clock.now(), account_id="home", subject_id=subject_id
    )
    await house.bus.publish(subject, envelope)
