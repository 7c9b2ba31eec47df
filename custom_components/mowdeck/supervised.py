"""What the Supervisor knows of the MowDeck app.

It tells Home Assistant of the app once. An integration that was installed after the app would never hear of it, and
asks.
"""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.hassio import is_hassio

from .const import DOMAIN, LOGGER


async def find_app(hass: HomeAssistant) -> Mapping[str, Any] | None:
    """Return where the app is, as it told the Supervisor; None without a Supervisor, or without the app."""
    if not is_hassio(hass):
        return None
    # Where there is no Supervisor, its library need not be there either.
    from aiohasupervisor import SupervisorError  # noqa: PLC0415  # see above
    from homeassistant.components.hassio import get_supervisor_client  # noqa: PLC0415  # the same

    try:
        messages = await get_supervisor_client(hass).discovery.list()
    except SupervisorError as error:
        LOGGER.debug("The Supervisor does not say where the app is: %s", error)
        return None
    return next((message.config for message in messages if message.service == DOMAIN), None)
