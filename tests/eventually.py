"""Waits, bounded, for what another process does and no event of ours tells."""

import asyncio
from collections.abc import Awaitable, Callable

_FIRST_PAUSE_SECONDS = 0.002
_LONGEST_PAUSE_SECONDS = 0.02


async def eventually[T](look: Callable[[], Awaitable[T | None]], *, seconds: float = 10.0) -> T:
    """Look again and again until what is seen is true; return it. Fails with `TimeoutError` after the given time."""
    pause_seconds = _FIRST_PAUSE_SECONDS
    async with asyncio.timeout(seconds):
        while True:
            if seen := await look():
                return seen
            await asyncio.sleep(pause_seconds)
            pause_seconds = min(2 * pause_seconds, _LONGEST_PAUSE_SECONDS)
