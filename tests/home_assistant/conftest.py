"""Fixtures: an emulated gateway on loopback, and the integration set up with it."""

# Before anything of the test plugin: its own package of this name would win otherwise.
import custom_components  # noqa: F401, I001  # imported for its place in sys.modules

import asyncio
from collections.abc import AsyncGenerator, Iterator
from unittest.mock import PropertyMock, patch

import pytest
from aiohttp import ClientWebSocketResponse
from homeassistant.const import CONF_HOST, CONF_PORT, CONF_TOKEN
from homeassistant.core import HomeAssistant
from homeassistant.util.async_ import get_scheduled_timer_handles
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway.documents import GATEWAY_ID, MOWER_ID
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until


@pytest.fixture
async def gateway(socket_enabled: None) -> AsyncGenerator[EmulatedGateway]:  # noqa: ARG001  # it opens loopback
    """Run a gateway."""
    async with EmulatedGateway() as emulated:
        yield emulated
    _forget_closed_sockets()


def _forget_closed_sockets() -> None:
    """Cancel the heartbeats that aiohttp sets up anew when the farewell of a socket that we closed comes in."""
    for timer in get_scheduled_timer_handles(asyncio.get_running_loop()):
        # A handle tells its callback nowhere else.
        socket = getattr(getattr(timer, "_callback", None), "__self__", None)
        if isinstance(socket, ClientWebSocketResponse) and socket.closed:
            timer.cancel()


@pytest.fixture(autouse=True)
def _own_integration(gateway: EmulatedGateway, enable_custom_integrations: None) -> None:
    """Let Home Assistant find the integration; it stops before the gateway does."""


@pytest.fixture
def everything_enabled() -> Iterator[None]:
    """Have also those entities enabled that are off at first; asked for before the entry is loaded."""
    name = "homeassistant.helpers.entity.Entity.entity_registry_enabled_default"
    with patch(name, PropertyMock(return_value=True)):
        yield


@pytest.fixture
def entry(hass: HomeAssistant, gateway: EmulatedGateway) -> MowDeckConfigEntry:
    """Return an entry for the gateway that is not set up yet."""
    added = MockConfigEntry(
        domain=DOMAIN,
        title="MowDeck",
        unique_id=GATEWAY_ID,
        data={CONF_HOST: "127.0.0.1", CONF_PORT: gateway.port, CONF_TOKEN: gateway.token},
    )
    added.add_to_hass(hass)
    return added


@pytest.fixture
async def loaded(hass: HomeAssistant, entry: MowDeckConfigEntry) -> MowDeckConfigEntry:
    """Set the entry up, and wait for what it asks of its mower besides."""
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    hub = entry.runtime_data
    await until(hass, lambda: all(MOWER_ID in each.values for each in (hub.health, hub.rain, hub.maps)))
    # One login and one bridge, whose entities are the last to come.
    await until(hass, lambda: hass.states.get("binary_sensor.shed_connection") is not None)
    return entry
