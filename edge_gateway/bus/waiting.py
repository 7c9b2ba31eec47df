"""Waits for something to happen, but never for longer than a given time."""

import asyncio


async def wait_at_most(event: asyncio.Event, seconds: float) -> None:
    """Return when the event is set or the time is over."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
