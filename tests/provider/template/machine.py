"""The vendor's side: a mower and the way to it. With a real vendor this is the vendor's library, or an emulator.

Everything here is in the vendor's words; only `driver.py` knows both these and ours.
"""

import asyncio
from collections.abc import Callable

HOMEWARD_SECONDS = 0.1
ANSWER_SECONDS = 0.01
PATIENCE_SECONDS = 0.2


class NotReachedError(Exception):
    """The order did not leave."""


class NoAnswerError(Exception):
    """The order left, and no answer came."""


class SaidNoError(Exception):
    """The mower refused; the text is its code."""


class ExampleMower:
    """One mower: it stands charged on its dock, obeys, and can be made to misbehave."""

    def __init__(self, serial: str, *, has_areas: bool = True) -> None:
        """Stand on the dock; a model with a wire instead of a map has no areas."""
        self.serial = serial
        self.has_areas = has_areas
        self.mode = "home"
        """`home`, `cutting`, `halted`, `homeward`."""
        self.unfinished = False
        """Something is left to mow: it knows this, and no more of a job."""
        self.battery = 100
        self.blade_mm = 40
        self.orders: list[str] = []
        """The orders that moved it, oldest first."""
        self.online = True
        self.deaf = False
        self.refuses = False
        self.changed: Callable[[], None] = lambda: None
        """Called when anything about it changed, as a vendor's push would."""

    async def send(self, order: str) -> None:
        """Obey an order that moves it; returns when it said yes."""
        if not self.online:
            raise NotReachedError
        if not self.deaf:
            self.orders.append(order)
        await self._answer()
        if self.refuses:
            raise SaidNoError("E42")
        self._obey(order)
        self.changed()

    async def ask(self) -> None:
        """Ask it for its state; returns when it told."""
        if not self.online:
            raise NotReachedError
        await self._answer()

    async def set_blade(self, height_mm: int) -> None:
        """Move the blades."""
        await self.ask()
        self.blade_mm = height_mm
        self.changed()

    async def _answer(self) -> None:
        await asyncio.sleep(PATIENCE_SECONDS if self.deaf else ANSWER_SECONDS)
        if self.deaf:
            raise NoAnswerError

    def _obey(self, order: str) -> None:
        match order:
            case "cut":
                self.unfinished, self.mode = True, "cutting"
            case "continue":
                self.mode = "cutting"
            case "halt":
                self.mode = "halted"
            case "abort":
                self.unfinished = False
                self.mode = "home" if self.mode == "home" else "halted"
            case _:
                self.mode = "homeward"
                asyncio.get_running_loop().call_later(HOMEWARD_SECONDS, self._arrive)

    def _arrive(self) -> None:
        if self.mode == "homeward":
            self.mode = "home"
            self.changed()
