"""One connection to a mower over Home Assistant: what is sent and what becomes of it, what comes back and in order."""

import asyncio
from collections.abc import Callable

import msgspec
import structlog
from bleak.exc import BleakError

from edge_gateway.contracts.bluetooth_lending import (
    WRITE_CREDITS,
    Acknowledged,
    Connect,
    Connected,
    Disconnect,
    Disconnected,
    Notified,
    Subscribe,
    Write,
)
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.device_gateway.lent_bluetooth.errors import NotConnectedError, NotSentError
from edge_gateway.device_gateway.lent_bluetooth.outbox import Outbox, Parcel

_log = structlog.get_logger(__name__)

PATIENCE_SECONDS = 1.0
"""What was fetched in time has so long beyond its budget to be answered."""
_GOODBYE_SECONDS = 2.0

type Heard = Callable[[bytearray], None]


class _Order(msgspec.Struct, frozen=True):
    """A write or subscription whose acknowledgement is awaited."""

    parcel: Parcel
    done: asyncio.Future[None]


class LentConnection:
    """One connection, from the wish for it to its end; it is never used again after that."""

    def __init__(self, outbox: Outbox, *, address: str, source: str) -> None:
        """Ask for nothing yet; `source` is Home Assistant's own name of the scanner."""
        self.id = new_id()
        self.address = address
        self.up = False
        self.lost: Callable[[], None] = lambda: None
        """Called once when a connection that was made has ended without `close`."""
        self._source = source
        self._outbox = outbox
        self._opened: asyncio.Future[Connected] = asyncio.get_running_loop().create_future()
        self._ended = asyncio.Event()
        self._credits = asyncio.Semaphore(WRITE_CREDITS)
        self._orders: dict[int, _Order] = {}
        self._number = 0
        self._heard: dict[str, Heard] = {}
        self._notified = 0

    @property
    def over(self) -> bool:
        """Whether it has ended, or never came about."""
        return self._ended.is_set()

    async def open(self, *, seconds: float) -> Connected:
        """Have it made; raises `NotConnectedError` when it is not within this time."""
        wish = Connect(id=self.id, address=self.address, source=self._source, budget_ms=0)
        self._outbox.put(wish, seconds=seconds, lapsed=lambda: self._end("no_answer"))
        try:
            await asyncio.wait({self._opened}, timeout=seconds + PATIENCE_SECONDS)
        except BaseException:
            self._give_up("no_answer")
            raise
        if not self.up:
            self._give_up("no_answer")
        made = self._opened.result()
        if not self.up:
            code = "lost"
            raise NotConnectedError(code)
        return made

    async def close(self) -> None:
        """End it, and return when Home Assistant says so, or is given up on."""
        if self._ended.is_set():
            return
        self.lost = lambda: None
        self.up = False
        self._outbox.put(Disconnect(id=self.id))
        try:
            async with asyncio.timeout(_GOODBYE_SECONDS):
                await self._ended.wait()
        except TimeoutError:
            self._end("no_answer")

    async def subscribe(self, characteristic: str, heard: Heard, *, seconds: float) -> None:
        """Hear what a characteristic says from now on; raises `BleakError`."""
        self._heard[characteristic] = heard
        await self._do(
            lambda number: Subscribe(id=self.id, seq=number, characteristic=characteristic, budget_ms=0), seconds
        )

    def unsubscribe(self, characteristic: str) -> None:
        """Hear it no more; Home Assistant goes on telling."""
        self._heard.pop(characteristic, None)

    async def write(self, characteristic: str, data: bytes, *, response: bool, seconds: float) -> None:
        """Write, once; raises `NotSentError` when it certainly did not leave, another `BleakError` when it may have.

        Either way the connection is over then: BluFi numbers its frames, so that one after a missing one is not taken.
        """
        await self._do(
            lambda number: Write(
                id=self.id, seq=number, characteristic=characteristic, data=data, response=response, budget_ms=0
            ),
            seconds,
        )

    async def _do(self, order: Callable[[int], Write | Subscribe], seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._credits.acquire()
        except TimeoutError:
            self._give_up("given_up")
            message = "nothing that was written before is acknowledged"
            raise NotSentError(message) from None
        try:
            await self._ordered(order, seconds)
        except BaseException:
            self._give_up("given_up")
            raise
        finally:
            self._credits.release()

    async def _ordered(self, order: Callable[[int], Write | Subscribe], seconds: float) -> None:
        if not self.up:
            message = "the connection is over"
            raise NotSentError(message)
        self._number += 1
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        parcel = self._outbox.put(
            order(self._number), seconds=seconds, lapsed=lambda: _fail(done, NotSentError("late"))
        )
        self._orders[self._number] = _Order(parcel, done)
        try:
            await asyncio.wait({done}, timeout=seconds)
            if not done.done() and self._outbox.withdraw(parcel):
                message = "nobody fetched it in time"
                raise NotSentError(message)
            await asyncio.wait({done}, timeout=PATIENCE_SECONDS)
            if not done.done():
                message = "no acknowledgement"
                raise BleakError(message)
            done.result()
        finally:
            self._outbox.withdraw(parcel)
            done.cancel()

    def connected(self, message: Connected) -> None:
        """Hear that it was made."""
        if self._ended.is_set() or self._opened.done():
            return
        self.up = True
        self._opened.set_result(message)

    def acknowledged(self, message: Acknowledged) -> None:
        """Hear what became of a write or subscription."""
        order = self._orders.pop(message.seq, None)
        if order is None or order.done.done():
            return
        if message.code is None:
            order.done.set_result(None)
        elif message.code == "spent":
            _fail(order.done, NotSentError(message.detail or "its time was over"))
        else:
            _fail(order.done, BleakError(f"{message.code}: {message.detail}"))

    def notified(self, message: Notified) -> None:
        """Hear what the mower said; when something is missing before it the connection is ended."""
        if not self.up:
            return
        if message.seq != self._notified + 1:
            _log.warning("a notification is missing", expected=self._notified + 1, came=message.seq)
            self._give_up("overrun")
            return
        self._notified = message.seq
        heard = self._heard.get(message.characteristic)
        if heard is not None:
            heard(bytearray(message.data))

    def disconnected(self, message: Disconnected) -> None:
        """Hear that it ended, or could not be made."""
        self._end(message.code, message.detail)

    def session_lost(self) -> None:
        """Hear that Home Assistant is gone."""
        self._end("stopped")

    def _give_up(self, code: str) -> None:
        """End it by ourselves."""
        if not self._ended.is_set():
            self._end(code)
            self._outbox.put(Disconnect(id=self.id))

    def _end(self, code: str, detail: str = "") -> None:
        if self._ended.is_set():
            return
        self._ended.set()
        was_up, self.up = self.up, False
        if not self._opened.done():
            _log.info("connection over Home Assistant not made", address=self.address, code=code, detail=detail)
            self._opened.set_exception(NotConnectedError(code, detail))
            # Whoever waited may be gone.
            self._opened.exception()
        orders, self._orders = self._orders, {}
        for order in orders.values():
            # What was not fetched will not be; what was may have left.
            missed = self._outbox.withdraw(order.parcel)
            _fail(order.done, NotSentError(code) if missed else BleakError(f"disconnected: {code}"))
        self._heard.clear()
        if was_up:
            _log.info("connection over Home Assistant ended", address=self.address, code=code)
            self.lost()


def _fail(done: asyncio.Future[None], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)
        # Whoever waited may be gone.
        done.exception()
