"""How long single callbacks hold the event loop up."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

OURS = "mowdeck"


class Blocks:
    """The longest callbacks, by processor time of the loop's thread: what other programs do does not count."""

    def __init__(self) -> None:
        """Start with none."""
        self.longest_ms: dict[str, float] = {}
        """By the name of the phase, of ours."""
        self.culprits: dict[str, str] = {}
        self._phase: str | None = None

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Watch the callbacks from now on."""
        self._phase = name
        self.longest_ms.setdefault(name, 0.0)
        try:
            yield
        finally:
            self._phase = None

    def install(self) -> None:
        """Measure every callback of every loop."""
        run = asyncio.Handle._run  # noqa: SLF001  # the one place through which every callback goes

        def measured(handle: asyncio.Handle) -> None:
            begun = time.thread_time()
            # What it is must be asked before: a task that ends forgets its coroutine's frame.
            run(handle)
            taken_ms = (time.thread_time() - begun) * 1000
            phase = self._phase
            if phase is not None and taken_ms > self.longest_ms[phase] and OURS in (name := _name_of(handle)):
                self.longest_ms[phase] = taken_ms
                self.culprits[phase] = name

        asyncio.Handle._run = measured  # type: ignore[assignment, method-assign]  # noqa: SLF001  # see above


def _name_of(handle: asyncio.Handle) -> str:
    """Return what tells whose callback it is: the task with its coroutine and its file, or the function."""
    called: Any = handle._callback  # type: ignore[attr-defined]  # noqa: SLF001  # asyncio tells it nowhere else
    owner = getattr(called, "__self__", None)
    if isinstance(owner, asyncio.Task):
        coroutine: Any = owner.get_coro()
        code = getattr(coroutine, "cr_code", None)
        return f"{owner.get_name()} {code and code.co_filename} {coroutine}"
    return f"{called} {getattr(called, '__module__', '')}"
