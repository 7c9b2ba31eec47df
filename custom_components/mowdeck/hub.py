"""One gateway inside Home Assistant: what is known of it, who is told of changes, whether it is there."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import override

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, HassJob, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later

from .areas import Areas
from .client.client import Client
from .client.errors import AuthenticationError, ClientError, UnreachableError, WrongGatewayError
from .client.info import Info
from .client.messages import Change, Hello, Snapshot
from .client.mower import Mower
from .client.run import Run
from .client.schedule import Schedule
from .client.seen import Seen
from .client.site import Site
from .client.stream import EventStream, Listener
from .const import LOGGER
from .devices import Devices, site_subject
from .dispatch import Dispatch
from .happenings import BLADE_THRESHOLD, JOB_FINISHED, MAP_CHANGED, WEATHER_CHANGED, Happening, mower_of
from .lookups import Lookup
from .orders import Orders
from .roster import Roster
from .site_settings import SiteSettings
from .version_issue import clear_version, show_version

GRACE_SECONDS = 10.0
"""A gateway that is back within this time was never gone for the user (design)."""

OUTCOME_SECONDS = 12.0
"""How long whoever gives an order waits for its outcome; the gateway needs up to 10 s to see a mower react."""

type MowDeckConfigEntry = ConfigEntry[Hub]


class Hub(Listener):
    """The state of one config entry: its `runtime_data`."""

    def __init__(self, hass: HomeAssistant, entry: MowDeckConfigEntry, client: Client, info: Info) -> None:
        """Prepare for a gateway that has answered; `start` connects to its events."""
        self.hass = hass
        self.entry = entry
        self.client = client
        self.info = info
        self.connected = False
        """Whether the gateway counts as there: a loss counts after the grace time."""
        self.outcome_seconds = OUTCOME_SECONDS
        self.devices = Devices(hass, entry, info.gateway_id)
        self.mowers = Roster[Mower](
            put_device=self._put_mower_device,
            remove_device=self.devices.remove,
            described=lambda mower: (
                mower.name,
                mower.provider,
                mower.model,
                mower.serial_number,
                mower.firmware_version,
            ),
        )
        self.schedules = Roster[Schedule](
            put_device=self.devices.put_schedule,
            remove_device=self.devices.remove,
            described=lambda schedule: (schedule.name, schedule.target),
        )
        self.plans = Dispatch()
        """Listeners by the id of the mower whose schedules changed."""
        self.schedules.on_any(self._tell_plan)
        self.site_roster = Roster[Site](
            put_device=self.devices.put_site,
            remove_device=lambda site_id: self.devices.remove(site_subject(site_id)),
            described=lambda site: site.name,
        )
        self.health = Lookup(hass, entry, "totals", client.get_health)
        self.rain = Lookup(hass, entry, "rain verdict", client.get_weather)
        self.mowed = Lookup(hass, entry, "mowed areas", client.get_mowed_areas)
        self.maps = Lookup(hass, entry, "map", client.get_map)
        self.lookups = (self.health, self.rain, self.mowed, self.maps)
        self.areas = Areas(self.devices)
        self.mowers.on_any(self._follow_areas)
        self.orders = Orders()
        self._site_settings = SiteSettings(hass, entry, client)
        self._stream = EventStream(client, self)
        self._ready = asyncio.Event()
        self._last_error: ClientError = UnreachableError("It does not answer")
        self._seen = Seen()
        self._happening_listeners: list[Callable[[Happening], None]] = []
        self._mower_listeners: dict[str, list[Callable[[Happening], None]]] = {}
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
        if self._connection is not None:
            self._connection.cancel()

    async def open(self) -> None:
        """Let the platforms, which are there now, make the entities."""
        await self.site_roster.open()
        await self.mowers.open()
        for mower in tuple(self.mowers.views.values()):
            self._follow_areas(mower)
            await asyncio.sleep(0)
        await self.schedules.open()

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
    def put_answered(self, schedule: Schedule) -> None:
        """Take a schedule that a request was answered with, unless the stream has brought a newer one already."""
        known = self.schedules.views.get(schedule.id)
        if known is None or schedule.changed_at >= known.changed_at:
            self.schedules.put(schedule)

    @property
    def sites(self) -> Mapping[str, Site]:
        """The sites by id."""
        return self.site_roster.views

    def time_zone_of(self, mower_id: str) -> str:
        """Return the zone in which a mower's site lives; Home Assistant's own while the site is not known."""
        mower = self.mowers.views.get(mower_id)
        site = None if mower is None else self.sites.get(mower.site_id)
        return self.hass.config.time_zone if site is None else site.time_zone

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
        await self.site_roster.replace(snapshot.sites)
        await self.mowers.replace(snapshot.mowers)
        await self.schedules.replace(snapshot.schedules)
        self._remove_missing()
        for lookup in self.lookups:
            lookup.refresh_all()
        await self._is_there()

    @override
    @callback
    def on_change(self, change: Change) -> None:
        if change.mower is not None:
            self.mowers.put(change.mower)
        if change.mower_removed is not None:
            self._remove_mower(change.mower_removed)
        if change.schedule is not None:
            self.schedules.put(change.schedule)
        if change.schedule_removed is not None:
            self.schedules.remove(change.schedule_removed)
        if change.site is not None:
            self.site_roster.put(change.site)
        if change.site_removed is not None:
            self.site_roster.remove(change.site_removed)
        if change.command is not None:
            self.orders.observe(change.command)
        happening = change.happening
        if happening is not None and self._seen.first_time(change.id):
            mower_id = mower_of(happening) or ""
            self._refresh(happening, mower_id)
            of_mower = self._mower_listeners.get(mower_id, ())
            for listener in (*self._happening_listeners, *of_mower):
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
        if self.connected:
            return
        self.connected = True
        if self._ready.is_set():
            LOGGER.info("The gateway at %s is back", self.client.address)
        self._ready.set()
        await self._tell_all()

    @callback
    def _is_gone(self, _now: datetime) -> None:
        self._cancel_grace = None
        self.connected = False
        LOGGER.warning("The gateway at %s is not reached: %s", self.client.address, self._last_error)
        self.entry.async_create_background_task(self.hass, self._tell_all(), "mowdeck gateway gone")

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

    @callback
    def _follow_areas(self, mower: Mower) -> None:
        """Follow the map of a mower whose entities are there."""
        if self.mowers.views.get(mower.id) is mower and self.mowers.is_welcomed(mower.id):
            self.areas.put(mower)

    def _remove_mower(self, mower_id: str) -> None:
        self.areas.forget(mower_id)
        self.mowers.remove(mower_id)
        for lookup in self.lookups:
            lookup.forget(mower_id)

    @callback
    def _tell_plan(self, schedule: Schedule) -> None:
        if schedule.target.mower_id is not None:
            self.plans.tell(schedule.target.mower_id)

    async def _tell_all(self) -> None:
        await self.mowers.tell_all()
        await self.schedules.tell_all()
        await self.site_roster.tell_all()

    def _put_mower_device(self, mower: Mower) -> None:
        """Put a mower's device, and hang the schedules on it that came before it did."""
        new = self.devices.find(mower.id) is None
        self.devices.put_mower(mower)
        if new:
            for schedule in self.schedules.views.values():
                if schedule.target.mower_id == mower.id and self.devices.find(schedule.id) is not None:
                    self.devices.put_schedule(schedule)

    def _remove_missing(self) -> None:
        """Remove the devices of what the gateway does not have any more, where it is in a state to know that."""
        if not all(self.info.services.get(service, True) for service in ("fleet", "scheduler")):
            return
        for mower_id in self.mowers.missing():
            self._remove_mower(mower_id)
        for schedule_id in self.schedules.missing():
            self.schedules.remove(schedule_id)
        for site_id in self.site_roster.missing():
            self.site_roster.remove(site_id)
        known = self.mowers.views.keys() | self.schedules.views.keys()
        self.devices.remove_others(known | {site_subject(site_id) for site_id in self.sites})
