"""What System information shows of the gateways."""

from typing import Any

from homeassistant.components.system_health import SystemHealthRegistration
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, callback

from .const import DOMAIN
from .hub import MowDeckConfigEntry


@callback
def async_register(_hass: HomeAssistant, register: SystemHealthRegistration) -> None:
    """Register what is asked for the page."""
    register.async_register_info(system_health_info)


async def system_health_info(hass: HomeAssistant) -> dict[str, Any]:
    """Return versions, and how many of what there is, over all gateways that are set up."""
    entries: list[MowDeckConfigEntry] = [
        entry for entry in hass.config_entries.async_entries(DOMAIN) if entry.state is ConfigEntryState.LOADED
    ]
    hubs = [entry.runtime_data for entry in entries]
    return {
        "gateway_version": ", ".join(sorted({hub.info.version for hub in hubs})),
        "connected": f"{sum(hub.connected for hub in hubs)}/{len(hubs)}",
        "services": ", ".join(sorted({name for hub in hubs for name, ready in hub.info.services.items() if not ready}))
        or "ok",
        "mowers": sum(len(hub.mowers.views) for hub in hubs),
        "schedules": sum(len(hub.schedules.views) for hub in hubs),
    }
