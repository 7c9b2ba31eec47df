"""Fires an event of Home Assistant's bus for each piece of news of a run, for the logbook and for automations."""

from homeassistant.const import ATTR_DEVICE_ID, ATTR_ENTITY_ID, Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

from .client.run import Run
from .const import DOMAIN
from .happenings import Happening
from .hub import Hub, MowDeckConfigEntry
from .told_runs import ToldRuns

EVENT_RUN = f"{DOMAIN}_run"


class RunLog:
    """The news of one gateway's runs."""

    def __init__(self, hass: HomeAssistant, entry: MowDeckConfigEntry, hub: Hub) -> None:
        """Tell of a gateway's runs."""
        self._hass = hass
        self._entry = entry
        self._hub = hub
        self._told: dict[str, ToldRuns] = {}

    @callback
    def start(self) -> None:
        """Begin to hear of runs; the last ones are no news."""
        for schedule in self._hub.schedules.views.values():
            run = schedule.last_run
            if run is not None and run.mower_id is not None:
                self._of(run.mower_id).remember(run)
        self._entry.async_on_unload(self._hub.on_happening(self._hear))

    @callback
    def _hear(self, happening: Happening) -> None:
        if not isinstance(happening, Run) or happening.mower_id is None:
            return
        for news in self._of(happening.mower_id).news(happening):
            self._hass.bus.async_fire(EVENT_RUN, self._data(happening, happening.mower_id, news))

    def _data(self, run: Run, mower_id: str, news: str) -> dict[str, str | None]:
        mower = self._hub.mowers.views.get(mower_id)
        schedule = self._hub.schedules.views.get(run.schedule_id)
        device = self._hub.devices.find(mower_id)
        return {
            ATTR_DEVICE_ID: None if device is None else device.id,
            ATTR_ENTITY_ID: er.async_get(self._hass).async_get_entity_id(Platform.LAWN_MOWER, DOMAIN, mower_id),
            "mower": None if mower is None else mower.name,
            "schedule": None if schedule is None else schedule.name,
            "schedule_id": run.schedule_id,
            "run_id": run.id,
            "what": news,
            "reason": run.reason,
            "end_reason": run.end_reason,
        }

    def _of(self, mower_id: str) -> ToldRuns:
        return self._told.setdefault(mower_id, ToldRuns())
