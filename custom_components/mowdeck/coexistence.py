"""Mowers that the Mammotion integration steers too: two owners of one account log each other out and undo orders.

Shown as a repair that offers to hand them over. A mower is the same when its vendor name is.
"""

from typing import Any

from homeassistant.config_entries import SIGNAL_CONFIG_ENTRY_CHANGED, ConfigEntry, ConfigEntryChange
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.dispatcher import async_dispatcher_connect

from .const import DOMAIN
from .hub import Hub, MowDeckConfigEntry

MAMMOTION = "mammotion"
"""The domain of the integration, and what its devices are named by: it and the vendor's name of the mower."""

PROVIDER = "mammotion"
"""The gateway's provider; its serial number is the vendor's name of the mower."""


@callback
def shared_mowers(hass: HomeAssistant, hub: Hub, other: ConfigEntry[Any]) -> dict[str, dr.DeviceEntry]:
    """Return the other integration's devices by the ids of our mowers that they are."""
    devices = dr.async_entries_for_config_entry(dr.async_get(hass), other.entry_id)
    by_name = {name: device for device in devices for domain, name in device.identifiers if domain == MAMMOTION}
    return {
        mower.id: by_name[mower.serial_number]
        for mower in hub.mowers.views.values()
        if mower.provider == PROVIDER and mower.serial_number in by_name
    }


class Coexistence:
    """Watches for mowers with two owners."""

    def __init__(self, hass: HomeAssistant, entry: MowDeckConfigEntry, hub: Hub) -> None:
        """Watch the mowers of one gateway."""
        self._hass = hass
        self._entry = entry
        self._hub = hub
        self._shown: set[str] = set()

    @callback
    def start(self) -> None:
        """Look now, with each new mower, and whenever the other integration changes."""
        self._hub.mowers.on_new(self._look_again)
        self._entry.async_on_unload(
            async_dispatcher_connect(self._hass, SIGNAL_CONFIG_ENTRY_CHANGED, self._other_changed)
        )
        self._entry.async_on_unload(self._clear)
        self._look()

    @callback
    def _look_again(self, _mower_id: str) -> None:
        self._look()

    @callback
    def _other_changed(self, _change: ConfigEntryChange, entry: ConfigEntry[Any]) -> None:
        if entry.domain == MAMMOTION:
            self._look()

    @callback
    def _look(self) -> None:
        found: dict[str, tuple[ConfigEntry[Any], dict[str, dr.DeviceEntry]]] = {}
        for other in self._hass.config_entries.async_entries(MAMMOTION, include_disabled=False):
            if shared := shared_mowers(self._hass, self._hub, other):
                found[f"{self._entry.entry_id}_{MAMMOTION}_{other.entry_id}"] = other, shared
        for issue_id in self._shown - found.keys():
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
        for issue_id, (other, shared) in found.items():
            names = sorted(self._hub.mowers.views[mower_id].name for mower_id in shared)
            ir.async_create_issue(
                self._hass,
                DOMAIN,
                issue_id,
                data={"entry_id": self._entry.entry_id, "other_entry_id": other.entry_id},
                is_fixable=True,
                severity=ir.IssueSeverity.WARNING,
                translation_key="two_owners",
                translation_placeholders={"mowers": ", ".join(names), "other": other.title},
            )
        self._shown = set(found)

    @callback
    def _clear(self) -> None:
        for issue_id in self._shown:
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
        self._shown = set()
