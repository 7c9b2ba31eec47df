"""An event loop whose clock jumps to the next thing that is due, once nothing is on its way: a day takes seconds.

Sockets are real, so before a jump the loop waits a moment for what may still be in them, and for threads at work.
"""

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, override

GRACE_SECONDS = 0.00002
_REAL_MONOTONIC, _REAL_TIME = time.monotonic, time.time


class VirtualClock:
    """The time of this process: the real one, and what was jumped over."""

    def __init__(self) -> None:
        """Begin now."""
        self.jumped = 0.0

    def monotonic(self) -> float:
        """Return the time of `time.monotonic`."""
        return _REAL_MONOTONIC() + self.jumped

    def time(self) -> float:
        """Return the time of `time.time`."""
        return _REAL_TIME() + self.jumped

    def install(self) -> None:
        """Be the time of every module that is imported from now on, and of those that look it up."""
        time.monotonic = self.monotonic
        time.time = self.time


class JumpingSelector(selectors.DefaultSelector):
    """Waits no longer than for what is on its way."""

    def __init__(self, clock: VirtualClock) -> None:
        """Jump on this clock."""
        super().__init__()
        self.clock = clock
        self.threads_at_work = 0

    @override
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        ready = super().select(GRACE_SECONDS)
        if ready or timeout is None or self.threads_at_work:
            return ready
        self.clock.jumped += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop in virtual time."""

    def __init__(self, clock: VirtualClock) -> None:
        """Live by this clock."""
        self._jumping = JumpingSelector(clock)
        super().__init__(self._jumping)

    @override
    def run_in_executor[*Arguments, R](
        self, executor: Executor | None, func: Callable[[*Arguments], R], *args: *Arguments
    ) -> asyncio.Future[R]:
        self._jumping.threads_at_work += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._thread_done)
        return future

    def _thread_done(self, _: object) -> None:
        self._jumping.threads_at_work -= 1


def run[R](main: Coroutine[Any, Any, R], clock: VirtualClock) -> R:
    """Run to the end in virtual time; the clock has to be installed."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner:
        return runner.run(main)
