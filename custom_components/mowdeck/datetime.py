"""Until when a mower is kept at home, and until when it mows whatever the rain rule says."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import override

from homeassistant.components.datetime import DateTimeEntity, DateTimeEntityDescription
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .client.caller import Caller
from .client.client import Client
from .client.weather import MowerWeather, Override, Overrides
from .entity import LookupEntity
from .failures import translated
from .hub import Hub, MowDeckConfigEntry

PARALLEL_UPDATES = 0


@dataclass(frozen=True, kw_only=True)
class OverrideDescription(DateTimeEntityDescription):
    """One kind of word that a person can give."""

    value: Callable[[Overrides], Override | None]
    put: Callable[[Client, str, datetime | None, Caller], Awaitable[Overrides]]


DESCRIPTIONS = (
    OverrideDescription(
        key="hold_mowing_until",
        value=lambda overrides: overrides.mower_hold,
        put=lambda client, mower_id, until, caller: client.hold(mower_id, until, caller=caller),
    ),
    OverrideDescription(
        key="rain_override_until",
        value=lambda overrides: overrides.rain_override,
        put=lambda client, mower_id, until, caller: client.override_rain(mower_id, until, caller=caller),
    ),
)


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the overrides of each mower."""
    hub = entry.runtime_data
    hub.mowers.on_new(lambda mower_id: async_add_entities(OverrideUntil(hub, mower_id, each) for each in DESCRIPTIONS))


class OverrideUntil(LookupEntity[MowerWeather], DateTimeEntity):
    """The moment until which a person's word counts; a moment that is past takes it back."""

    entity_description: OverrideDescription

    def __init__(self, hub: Hub, mower_id: str, description: OverrideDescription) -> None:
        """Show a person's word."""
        super().__init__(hub, hub.rain, mower_id, description.key)
        self.entity_description = description

    @property
    @override
    def native_value(self) -> datetime | None:
        """The moment; None when nothing was said, or nothing is known."""
        override = None if self._known is None else self.entity_description.value(self._known.overrides)
        return None if override is None else override.until

    @override
    def _shown(self) -> object:
        return self.native_value

    @override
    async def async_set_value(self, value: datetime) -> None:
        """Say it to the gateway."""
        until = value if value > dt_util.utcnow() else None
        with translated(self.hub):
            await self.entity_description.put(self.hub.client, self._subject_id, until, self._caller)
        self.hub.rain.refresh(self._subject_id)
