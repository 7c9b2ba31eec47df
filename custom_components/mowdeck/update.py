"""Whether there is a newer firmware for a mower. It is installed with the maker's app: no gateway does that."""

from collections.abc import Callable
from functools import partial
from typing import override

from homeassistant.components.update import UpdateDeviceClass, UpdateEntity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import MowerEntity
from .hub import Hub, MowDeckConfigEntry

PARALLEL_UPDATES = 0

NEWEST = frozenset({"newest_firmware_version"})


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the firmware of each mower, once its newest is told: not every maker tells, and none at once."""
    hub = entry.runtime_data
    waiting: dict[str, Callable[[], None]] = {}

    @callback
    def look(mower_id: str) -> None:
        mower = hub.mowers.views.get(mower_id)
        if mower is not None and mower.newest_firmware_version is not None:
            if (stop := waiting.pop(mower_id, None)) is not None:
                stop()
            async_add_entities([Firmware(hub, mower_id)])
        elif mower_id not in waiting:
            waiting[mower_id] = hub.mowers.listen(mower_id, partial(look, mower_id), NEWEST)

    hub.mowers.on_new(look)


class Firmware(MowerEntity, UpdateEntity):
    """The firmware that a mower has and the newest that its maker offers."""

    _attr_device_class = UpdateDeviceClass.FIRMWARE
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _parts = frozenset({"firmware_version", "model", *NEWEST})

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Show a mower's firmware."""
        super().__init__(hub, mower_id, "firmware_update")

    @property
    @override
    def installed_version(self) -> str | None:
        """What it has; None is unknown."""
        return self._view.firmware_version

    @property
    @override
    def latest_version(self) -> str | None:
        """What it could have; None is unknown."""
        return self._view.newest_firmware_version

    @property
    @override
    def title(self) -> str | None:
        """Whose firmware it is."""
        return self._view.model

    @override
    def _shown(self) -> object:
        return self.installed_version, self.latest_version, self.title
