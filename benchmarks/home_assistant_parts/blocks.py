"""How long single callbacks hold the event loop up."""

import asyncio
import gc
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
        self.longest_of_others_ms: dict[str, float] = {}
        """By the name of the phase: what Home Assistant itself and its other integrations do meanwhile."""
        self.culprits_of_others: dict[str, str] = {}
        self.longest_with_collections_ms: dict[str, float] = {}
        """The same with the time of the garbage collector, which goes through all that Home Assistant has."""
        self._collecting_since = 0.0
        self._collected_ms = 0.0
        """Within the callback that runs."""

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Measure every callback of every loop from now on; reading the clock twice for each costs something itself."""
        run = asyncio.Handle._run  # noqa: SLF001  # the one place through which every callback goes
        self.longest_ms.setdefault(name, 0.0)
        self.longest_of_others_ms.setdefault(name, 0.0)
        self.longest_with_collections_ms.setdefault(name, 0.0)

        def measured(handle: asyncio.Handle) -> None:
            self._collected_ms = 0.0
            begun = time.thread_time()
            run(handle)
            taken_ms = (time.thread_time() - begun) * 1000
            if taken_ms > min(self.longest_ms[name], self.longest_of_others_ms[name]):
                self._keep(name, taken_ms, _name_of(handle))

        asyncio.Handle._run = measured  # type: ignore[assignment, method-assign]  # noqa: SLF001  # see above
        gc.callbacks.append(self._collect)
        try:
            yield
        finally:
            gc.callbacks.remove(self._collect)
            asyncio.Handle._run = run  # type: ignore[method-assign]  # noqa: SLF001  # see above

    def _keep(self, phase: str, taken_ms: float, name: str) -> None:
        ours = OURS in name
        longest = self.longest_ms if ours else self.longest_of_others_ms
        if ours:
            self.longest_with_collections_ms[phase] = max(self.longest_with_collections_ms[phase], taken_ms)
        taken_ms -= self._collected_ms
        if taken_ms > longest[phase]:
            longest[phase] = taken_ms
            (self.culprits if ours else self.culprits_of_others)[phase] = name

    def _collect(self, stage: str, _info: dict[str, int]) -> None:
        now = time.thread_time()
        if stage == "start":
            self._collecting_since = now
        else:
            self._collected_ms += (now - self._collecting_since) * 1000


def _name_of(handle: asyncio.Handle) -> str:
    """Return what tells whose callback it is: the task with its coroutine and its file, or the function."""
    called: Any = handle._callback  # type: ignore[attr-defined]  # noqa: SLF001  # asyncio tells it nowhere else
    owner = getattr(called, "__self__", None)
    if isinstance(owner, asyncio.Task):
        coroutine: Any = owner.get_coro()
        code = getattr(coroutine, "cr_code", None)
        return f"{owner.get_name()} {code and code.co_filename} {coroutine}"
    return f"{called} {getattr(called, '__module__', '')}"
