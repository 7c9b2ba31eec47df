"""Gives other work its turn while something long goes on in the event loop."""

import asyncio
import time
from collections.abc import Callable

AT_A_TIME_SECONDS = 0.004
"""How long the loop is held before others have their turn; what is begun by then is done first."""


class Turns:
    """The turns of one long piece of work, given by time: what is counted takes longer in another house."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """Begin now; `clock` answers seconds."""
        self._clock = clock
        self._begun = clock()

    async def give(self) -> None:
        """Let others have their turn, if the loop was held long enough."""
        if self._clock() - self._begun >= AT_A_TIME_SECONDS:
            await asyncio.sleep(0)
            self._begun = self._clock()
