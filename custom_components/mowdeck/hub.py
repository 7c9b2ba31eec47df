"""One gateway inside Home Assistant: what is known of it, who is told of changes, whether it is there."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, override

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, HassJob, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later

from .client.client import Client
from .client.errors import AuthenticationError, ClientError, UnreachableError, WrongGatewayError
from .client.info import Info
from .client.messages import Change, Hello, Snapshot
from .client.run import Run
from .client.seen import Seen
from .client.stream import EventStream, Listener
from .const import LOGGER
from .garden import Garden
from .happenings import BLADE_THRESHOLD, JOB_FINISHED, MAP_CHANGED, WEATHER_CHANGED, Happening, mower_of
from .orders import Orders
from .site_settings import SiteSettings
from .version_issue import clear_version, show_version

GRACE_SECONDS = 10.0
"""A gateway that is back within this time was never gone for the user (design)."""

OUTCOME_SECONDS = 12.0
"""How long whoever gives an order waits for its outcome; the gateway needs up to 10 s to see a mower react."""

type MowDeckConfigEntry = ConfigEntry[Hub]


class Hub(Garden, Listener):
    """The state of one config entry: its `runtime_data`."""

    def __init__(self, hass: HomeAssistant, entry: MowDeckConfigEntry, client: Client, info: Info) -> None:
        """Prepare for a gateway that has answered; `start` connects to its events."""
        super().__init__(hass, entry, client, info)
        self.entry = entry
        self.connected = False
        """Whether the gateway counts as there: a loss counts after the grace time."""
        self.outcome_seconds = OUTCOME_SECONDS
        self.orders = Orders()
        self.diagnostics: dict[str, Callable[[], Mapping[str, Any]]] = {}
        """What else may be handed on when something is wrong, by name; nothing that names or places anybody."""
        self._site_settings = SiteSettings(hass, entry, client)
        self._stream = EventStream(client, self)
        self._ready = asyncio.Event()
        self._last_error: ClientError = UnreachableError("It does not answer")
        self._seen = Seen()
        self._happening_listeners: list[Callable[[Happening], None]] = []
        self._mower_listeners: dict[str, list[Callable[[Happening], None]]] = {}
        self._back_listeners: list[Callable[[], None]] = []
        self._connection: asyncio.Task[None] | None = None
        self._cancel_grace: CALLBACK_TYPE | None = None
        self._when_gone = HassJob(self._is_gone, "mowdeck gateway gone", cancel_on_shutdown=True)

    async def start(self, timeout_seconds: float) -> None:
        """Connect and wait for the first snapshot; raises the `ClientError` that stood in the way."""
        self.devices.put_gateway(self.info)
        self.entry.async_on_unload(self.stop)
        for lookup in self.lookups:
            lookup.start()
        self._connection = self.entry.async_create_background_task(
            self.hass, self._stream.run(), f"mowdeck events {self.client.address}"
        )
        try:
            async with asyncio.timeout(timeout_seconds):
                await self._ready.wait()
        except TimeoutError:
            raise self._last_error from None

    @callback
    def stop(self) -> None:
        """Let go of the gateway; nothing is told any more."""
        self._end_grace()
        self._arrivals.stop()
        if self._connection is not None:
            self._connection.cancel()

    @callback
    def on_happening(self, listener: Callable[[Happening], None]) -> Callable[[], None]:
        """Have someone told of runs and other events, once each; the answer takes it away again."""
        self._happening_listeners.append(listener)
        return lambda: self._happening_listeners.remove(listener)

    @callback
    def on_mower_happening(self, mower_id: str, listener: Callable[[Happening], None]) -> Callable[[], None]:
        """Have someone told of runs and other events of one mower, once each; the answer takes it away again."""
        listeners = self._mower_listeners.setdefault(mower_id, [])
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    @callback
    def on_back(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Have someone told each time that the gateway is there again; the answer takes it away again."""
        self._back_listeners.append(listener)
        return lambda: self._back_listeners.remove(listener)

    @callback
    def ask_for_token(self) -> None:
        """Have the owner give the token again: the gateway does not take the one of the entry."""
        self.entry.async_start_reauth(self.hass)

    @override
    async def on_hello(self, hello: Hello) -> None:
        if hello.info.gateway_id != self.entry.unique_id:
            raise WrongGatewayError(f"{self.client.address} is another gateway now ({hello.info.name})")
        if hello.info != self.info:
            self.info = hello.info
            self.devices.put_gateway(hello.info)
        if hello.resumed:
            await self._is_there()

    @override
    async def on_snapshot(self, snapshot: Snapshot) -> None:
        await self.replace(snapshot)
        await self._is_there()

    @override
    @callback
    def on_change(self, change: Change) -> None:
        self.apply(change)
        if change.command is not None:
            self.orders.observe(change.command)
        happening = change.happening
        if happening is not None and self._seen.first_time(change.id):
            mower_id = mower_of(happening) or ""
            self._refresh(happening, mower_id)
            for listener in (*self._happening_listeners, *self._mower_listeners.get(mower_id, ())):
                listener(happening)

    @override
    @callback
    def on_lost(self, error: ClientError) -> None:
        LOGGER.debug("No event stream of %s: %s", self.client.address, error)
        self._last_error = error
        if isinstance(error, AuthenticationError):
            self.ask_for_token()
        show_version(self.hass, self.entry, error)
        if self.connected and self._cancel_grace is None:
            self._cancel_grace = async_call_later(self.hass, GRACE_SECONDS, self._when_gone)

    async def _is_there(self) -> None:
        self._end_grace()
        clear_version(self.hass, self.entry)
        self._site_settings.settle(self.sites)
        was_connected, self.connected = self.connected, True
        for listener in tuple(self._back_listeners):
            listener()
        if was_connected:
            return
        if self._ready.is_set():
            LOGGER.info("The gateway at %s is back", self.client.address)
        self._ready.set()
        await self.tell_all()

    @callback
    def _is_gone(self, _now: datetime) -> None:
        self._cancel_grace = None
        self.connected = False
        LOGGER.warning("The gateway at %s is not reached: %s", self.client.address, self._last_error)
        self.entry.async_create_background_task(self.hass, self.tell_all(), "mowdeck gateway gone")

    @callback
    def _end_grace(self) -> None:
        if self._cancel_grace is not None:
            self._cancel_grace()
            self._cancel_grace = None

    def _refresh(self, happening: Happening, mower_id: str) -> None:
        """Ask for what an event says that it changed."""
        if isinstance(happening, Run):
            return
        for lookup in {
            JOB_FINISHED: (self.health, self.mowed),
            BLADE_THRESHOLD: (self.health,),
            WEATHER_CHANGED: (self.rain,),
            MAP_CHANGED: (self.maps,),
        }.get(str(happening.get("type")), ()):
            lookup.refresh(mower_id)
