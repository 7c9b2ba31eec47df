"""Lends Home Assistant's Bluetooth to a gateway for as long as the entry is loaded and Home Assistant runs."""

import asyncio
import contextlib
import logging
import random
from typing import TYPE_CHECKING, Any

from homeassistant.const import EVENT_COMPONENT_LOADED, EVENT_HOMEASSISTANT_STOP
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import instance_id
from homeassistant.setup import ATTR_COMPONENT, EventComponentLoaded

from custom_components.mowdeck.client.back_off import SETTLED_SECONDS, delay_seconds
from custom_components.mowdeck.client.errors import ClientError, RefusedError
from custom_components.mowdeck.client.lending_socket import LendingSocket
from custom_components.mowdeck.hub import Hub, MowDeckConfigEntry

if TYPE_CHECKING:
    from .session import Session

LOGGER = logging.getLogger(__name__)

BLUETOOTH = "bluetooth"

LONGEST_SECONDS = 60.0
"""Between attempts while the gateway is away; when its events are back it is tried at once."""

REFUSED_SECONDS = 600.0
"""After a gateway said that it takes none, as one that is older does."""


@callback
def has_bluetooth(hass: HomeAssistant) -> bool:
    """Tell whether Home Assistant has Bluetooth: adapters and proxies may still be to come."""
    return BLUETOOTH in hass.config.components


class Lending:
    """The Bluetooth of this Home Assistant, as one gateway may use it."""

    def __init__(self, hass: HomeAssistant, entry: MowDeckConfigEntry, hub: Hub) -> None:
        """Lend it to the gateway of an entry."""
        self.session: Session | None = None
        """While the gateway is connected."""
        self._hass = hass
        self._entry = entry
        self._hub = hub
        self._back = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    @callback
    def start(self) -> None:
        """Begin as soon as there is Bluetooth; where there is none, nothing happens."""
        self._hub.diagnostics["lent_bluetooth"] = self.diagnostics
        if has_bluetooth(self._hass):
            self._begin()
        else:
            self._entry.async_on_unload(
                self._hass.bus.async_listen(EVENT_COMPONENT_LOADED, self._loaded, event_filter=_is_bluetooth)
            )

    @callback
    def diagnostics(self) -> dict[str, Any]:
        """Return what helps when it does not work, without names and addresses."""
        session = self.session
        if session is None:
            return {"bluetooth": has_bluetooth(self._hass), "connected": False}
        return {
            "bluetooth": True,
            "connected": True,
            "mowers": len(session.hearing.names),
            "mowers_heard": session.hearing.heard_count,
            "scanners": [
                {"connectable": each.connectable, "slots": each.slots, "free_slots": each.free_slots}
                for each in session.scanners
            ],
            "connections": len(session.connections),
            "ended": dict(session.ended),
        }

    @callback
    def _loaded(self, _event: Event[EventComponentLoaded]) -> None:
        self._begin()

    @callback
    def _begin(self) -> None:
        self._entry.async_on_unload(self._hub.on_back(self._back.set))
        self._entry.async_on_unload(self._hass.bus.async_listen(EVENT_HOMEASSISTANT_STOP, self._stop))
        self._running = self._entry.async_create_background_task(
            self._hass, self._run(), f"mowdeck bluetooth {self._hub.client.address}"
        )

    async def _stop(self, _event: Event) -> None:
        """Let go of every mower before Home Assistant's Bluetooth stops."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait([self._running])

    async def _run(self) -> None:
        """Dial, serve, and dial again."""
        attempt = 0
        while True:
            self._back.clear()
            begun = self._hass.loop.time()
            refused = False
            try:
                await self._lend()
            except ClientError as error:
                LOGGER.debug("Bluetooth is not lent to %s: %s", self._hub.client.address, error)
                refused = isinstance(error, RefusedError)
            except Exception:
                # A defect of ours must not end it for good.
                LOGGER.exception("Lending Bluetooth to %s broke", self._hub.client.address)
            if self._hass.loop.time() - begun > SETTLED_SECONDS:
                attempt = 0
            delay = REFUSED_SECONDS if refused else delay_seconds(attempt, random.random(), LONGEST_SECONDS)  # noqa: S311  # no secret
            attempt += 1
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(delay):
                    await self._back.wait()

    async def _lend(self) -> None:
        """Dial and serve one connection; ends with a `ClientError`."""
        session_class = await self._hass.async_add_import_executor_job(_session_class)
        own_id = await instance_id.async_get(self._hass)
        socket = await LendingSocket.open(self._hub.client)
        self.session = session_class(self._hass, socket, own_id)
        LOGGER.debug("Bluetooth is lent to %s", self._hub.client.address)
        try:
            await self.session.run()
        finally:
            self.session = None


def _session_class() -> type[Session]:
    # Not before: it needs Bluetooth's libraries, which Home Assistant has loaded by now.
    from .session import Session  # noqa: PLC0415

    return Session


@callback
def _is_bluetooth(event_data: EventComponentLoaded) -> bool:
    return event_data[ATTR_COMPONENT] == BLUETOOTH
