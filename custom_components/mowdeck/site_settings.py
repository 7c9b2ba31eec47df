"""Gives a fresh gateway the time zone and the place of this Home Assistant."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback

from .client.client import Client
from .client.errors import ClientError
from .client.site import DEFAULT_SITE_ID, Site
from .const import LOGGER


class SiteSettings:
    """Settles the default site of a gateway on which nobody has chosen a time zone yet."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Any], client: Client) -> None:
        """Take Home Assistant's configuration and the gateway."""
        self._hass = hass
        self._entry = entry
        self._client = client

    @callback
    def settle(self, sites: Mapping[str, Site]) -> None:
        """Send time zone and coordinates where the default site still has those of a fresh gateway."""
        site = sites.get(DEFAULT_SITE_ID)
        if site is None or site.time_zone_chosen:
            return
        self._entry.async_create_background_task(self._hass, self._send(), "mowdeck site settings")

    async def _send(self) -> None:
        config = self._hass.config
        changes: dict[str, Any] = {"time_zone": config.time_zone}
        # Zero and zero is what Home Assistant has before anybody told it where it is.
        if (config.latitude, config.longitude) != (0, 0):
            changes |= {"latitude": config.latitude, "longitude": config.longitude}
        try:
            await self._client.update_site(DEFAULT_SITE_ID, changes)
        except ClientError as error:
            LOGGER.warning("The gateway did not take the time zone %s: %s", config.time_zone, error)
