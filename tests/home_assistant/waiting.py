"""Bounded waits for what happens inside Home Assistant."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.mowdeck.hub import GRACE_SECONDS


async def until(hass: HomeAssistant, condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, looked at again with each event of the bus."""
    happened = asyncio.Event()

    @callback
    def look_again(_event: object) -> None:
        happened.set()

    stop = hass.bus.async_listen(MATCH_ALL, look_again)
    try:
        async with asyncio.timeout(10):
            while not condition():
                happened.clear()
                await happened.wait()
    finally:
        stop()


async def until_so(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds of which no event of Home Assistant tells."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110  # what happens at the gateway has no event here
            await asyncio.sleep(0.01)


def state_of(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return an entity's state, or None when there is no such entity."""
    state = hass.states.get(entity_id)
    return None if state is None else state.state


async def until_state(hass: HomeAssistant, entity_id: str, expected: str | None) -> None:
    """Wait until an entity has a state; None waits until it is gone."""
    await until(hass, lambda: state_of(hass, entity_id) == expected)


async def pass_grace(hass: HomeAssistant) -> None:
    """Let the time pass after which a gateway that was lost counts as gone."""
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=GRACE_SECONDS + 1))
    await hass.async_block_till_done(wait_background_tasks=False)
