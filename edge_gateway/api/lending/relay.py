"""Hands on what Home Assistant and the device gateway say to each other, in order; what is not handed on ends it."""

import asyncio
from collections.abc import Awaitable, Callable

from edge_gateway.api.asking import Services
from edge_gateway.contracts import routes
from edge_gateway.contracts.bluetooth_lending import Hello, Said, Told
from edge_gateway.contracts.bluetooth_relay import (
    COLLECT_SECONDS,
    HANDED_AT_ONCE,
    CloseLendingRequest,
    CollectLentRequest,
    HearLentRequest,
    OpenLendingRequest,
)
from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.contracts.identifiers import new_id

_ANSWER_SECONDS = 2.0
"""The device gateway may take so long, beyond what it waits on purpose."""
_WAITING_MAXIMUM = 256
"""So many messages of Home Assistant may wait; then it waits itself."""

type Send = Callable[[Told], Awaitable[None]]


class LendingEndedError(Exception):
    """The device gateway let go, for this reason (a code)."""

    def __init__(self, reason: str) -> None:
        """Keep the code."""
        super().__init__(reason)
        self.reason = reason


class Relay:
    """One session, from one side to the other."""

    def __init__(self, services: Services) -> None:
        """Hand nothing on yet."""
        self._services = services
        self._session_id = new_id()
        self._said: asyncio.Queue[Said] = asyncio.Queue(_WAITING_MAXIMUM)
        self._number = 0

    async def open(self, hello: Hello) -> None:
        """Begin; raises what the device gateway raises."""
        question = OpenLendingRequest(session_id=self._session_id, hello=hello)
        await self._services.ask(routes.BLUETOOTH_OPEN, question, timeout_seconds=_ANSWER_SECONDS)

    async def put(self, message: Said) -> None:
        """Hand a message of Home Assistant on, after those before; waits while too many wait."""
        await self._said.put(message)

    async def hand_in(self) -> None:
        """Tell the device gateway what Home Assistant says, until it cannot be told; raises what it raises."""
        while True:
            messages = [await self._said.get()]
            while not self._said.empty() and len(messages) < HANDED_AT_ONCE:
                messages.append(self._said.get_nowait())
            self._number += 1
            question = HearLentRequest(session_id=self._session_id, number=self._number, messages=tuple(messages))
            await self._services.ask(routes.BLUETOOTH_HEAR, question, timeout_seconds=_ANSWER_SECONDS)

    async def hand_out(self, send: Send) -> None:
        """Send what the device gateway says; raises `LendingEndedError` when it lets go, or what it raises."""
        seconds = COLLECT_SECONDS + _ANSWER_SECONDS
        while True:
            question = CollectLentRequest(session_id=self._session_id)
            reply = await self._services.ask(routes.BLUETOOTH_COLLECT, question, timeout_seconds=seconds)
            if reply.ended is not None:
                raise LendingEndedError(reply.ended)
            for message in reply.messages:
                await send(message)

    async def close(self) -> None:
        """Tell the device gateway that Home Assistant is gone; one that cannot be told notices by itself."""
        question = CloseLendingRequest(session_id=self._session_id)
        try:
            await self._services.ask(routes.BLUETOOTH_CLOSE, question, timeout_seconds=_ANSWER_SECONDS)
        except MowDeckError:
            return
