"""An event loop in a thread of its own, for servers that outlive the loop of a single test."""

import asyncio
import threading
from collections.abc import Coroutine


class BackgroundLoop:
    """Runs coroutines for callers outside of it."""

    def __init__(self) -> None:
        """Start the thread."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="servers of the tests", daemon=True)
        self._thread.start()

    def run[T](self, work: Coroutine[None, None, T], *, seconds: float = 60.0) -> T:
        """Run to the end and return the result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
