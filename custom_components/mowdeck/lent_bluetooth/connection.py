"""One connection to a mower: made, written to and listened to as the gateway says, and let go of."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection
from functools import partial

from bleak import BleakClient
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.exc import BleakError
from bleak_retry_connector import BleakClientWithServiceCache
from homeassistant.core import HomeAssistant, callback

from custom_components.mowdeck.client.lending_said import Acknowledged, Disconnected, Notified, Said
from custom_components.mowdeck.client.lending_told import (
    NOTIFY_CREDITS,
    WRITE_CREDITS,
    ClearCache,
    Connect,
    Subscribe,
    Write,
)

from . import owners
from .connecting import ConnectedMower, connect, let_go
from .refusals import FAILED, IDLE, LOST, NO_ANSWER, OVERRUN, OWNED, SPENT, STOPPED, LendingError

LOGGER = logging.getLogger(__name__)

IDLE_SECONDS = 60.0
"""A mower of which nobody wants anything for so long is free for its maker's app again."""

CLEARING_SECONDS = 10.0

type Order = Subscribe | Write | ClearCache
type Say = Callable[[Said, Callable[[], None] | None], None]
"""Says something to the gateway; the second is called when it is on its way."""


class Connection:
    """Carries out one order after the other. It is over when its task is; the gateway has then heard why."""

    def __init__(
        self, hass: HomeAssistant, told: Connect, *, clear_cache: bool, after: Collection[Connection], say: Say
    ) -> None:
        """Begin to connect, when those before it have let go; `clear_cache` reads the mower's services anew."""
        self.id = told.id
        self.address = told.address
        self._hass = hass
        self._clear_cache = clear_cache
        self._after = after
        self._say_to_gateway = say
        self._loop = hass.loop
        self._mower: ConnectedMower | None = None
        self._end: tuple[str, str] | None = None
        self._leaving = False
        self._orders: asyncio.Queue[tuple[Order, float]] = asyncio.Queue()
        """Each with the moment (of the loop) at which its time is over."""
        self._writes_waiting = 0
        self._notified = 0
        self._notifications_waiting = 0
        self._used = self._loop.time()
        self.task = hass.async_create_background_task(
            self._run(told.budget_ms / 1000), f"mowdeck bluetooth {told.address}"
        )

    @property
    def connected(self) -> bool:
        """Whether the mower is connected."""
        return self._mower is not None

    @callback
    def put(self, order: Order, *, late_seconds: float) -> None:
        """Take an order of the gateway, which waited so long to be read; it waits for those before it."""
        if isinstance(order, Write):
            if self._writes_waiting >= WRITE_CREDITS:
                self.end(OVERRUN, f"More than {WRITE_CREDITS} writes wait")
                return
            self._writes_waiting += 1
        seconds = CLEARING_SECONDS if isinstance(order, ClearCache) else order.budget_ms / 1000
        self._orders.put_nowait((order, self._loop.time() + seconds - late_seconds))

    @callback
    def end(self, code: str, detail: str = "") -> None:
        """End it for a reason; the first reason counts."""
        if self._end is None and not self._leaving:
            self._end = (code, detail)
            self.task.cancel()

    async def _run(self, budget_seconds: float) -> None:
        code, detail = STOPPED, ""
        try:
            await self._connect(self._loop.time() + budget_seconds)
            await self._work()
        except LendingError as error:
            code, detail = error.code, error.detail
        except asyncio.CancelledError:
            if self._end is not None:
                code, detail = self._end
        except Exception as error:
            # A defect of ours, or of what speaks to the radio, must not keep the mower.
            LOGGER.exception("The Bluetooth connection to %s broke", self.address)
            code, detail = FAILED, type(error).__name__
        finally:
            self._leaving = True
            if self._mower is not None:
                await let_go(self._mower.client)
                self._mower = None
            owners.give_back(self._hass, self.address, self)
        LOGGER.debug("The Bluetooth connection to %s is over: %s %s", self.address, code, detail)
        self._say(Disconnected(id=self.id, code=code, detail=detail))

    async def _connect(self, spent_at: float) -> None:
        if self._after:
            await asyncio.wait([connection.task for connection in self._after])
        if not owners.take(self._hass, self.address, self):
            raise LendingError(OWNED, "Another gateway has it in this Home Assistant")
        self._mower = await connect(
            self._hass, self.address, spent_at=spent_at, lost=self._lost, clear_cache=self._clear_cache
        )
        self._use()
        self._say(self._mower.described(self.id))

    async def _work(self) -> None:
        """Carry orders out until the connection is not used any more."""
        while self._mower is not None:
            order, spent_at = await self._next_order()
            self._use()
            code, detail = await self._carry_out(self._mower.client, order, spent_at)
            if isinstance(order, Write):
                self._writes_waiting -= 1
            if not isinstance(order, ClearCache):
                self._say(Acknowledged(id=self.id, seq=order.seq, code=code, detail=detail))

    async def _next_order(self) -> tuple[Order, float]:
        """Wait for an order for as long as the mower says something itself now and then."""
        while self._loop.time() < self._used + IDLE_SECONDS:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(self._used + IDLE_SECONDS):
                    return await self._orders.get()
        raise LendingError(IDLE, f"Not used for {IDLE_SECONDS:g} s")

    async def _carry_out(
        self, client: BleakClientWithServiceCache, order: Order, spent_at: float
    ) -> tuple[str | None, str]:
        """Do what the gateway wants; returns the code and the detail of the acknowledgement."""
        if self._loop.time() >= spent_at:
            return SPENT, ""
        try:
            async with asyncio.timeout_at(spent_at):
                if isinstance(order, Write):
                    await client.write_gatt_char(order.characteristic, order.data, response=order.response)
                elif isinstance(order, ClearCache):
                    await client.clear_cache()
                else:
                    await client.start_notify(order.characteristic, partial(self._heard, order.characteristic))
        except TimeoutError:
            return NO_ANSWER, "The mower did not answer in time"
        except (BleakError, EOFError, ValueError) as error:
            return FAILED, str(error) or type(error).__name__
        return None, ""

    @callback
    def _heard(self, characteristic: str, _of: BleakGATTCharacteristic, data: bytearray) -> None:
        """Hand on what the mower says; BluFi numbers its frames, so none may be left out."""
        if self._leaving or self._end is not None:
            return
        if self._notifications_waiting >= NOTIFY_CREDITS:
            self.end(OVERRUN, f"More than {NOTIFY_CREDITS} notifications wait to be sent")
            return
        self._use()
        self._notified += 1
        self._notifications_waiting += 1
        said = Notified(id=self.id, seq=self._notified, characteristic=characteristic, data=bytes(data))
        self._say_to_gateway(said, self._one_left)

    def _one_left(self) -> None:
        self._notifications_waiting -= 1

    def _say(self, said: Said) -> None:
        self._say_to_gateway(said, None)

    @callback
    def _lost(self, client: BleakClient) -> None:
        """Hear that the mower is gone; attempts that fail tell of it too."""
        if self._mower is not None and self._mower.client is client:
            self.end(LOST, "The mower is not connected any more")

    def _use(self) -> None:
        self._used = self._loop.time()
