"""The thresholds of a site's rain rule, and how far its quiet hours are from the sun's times."""

from dataclasses import dataclass
from typing import override

from homeassistant.components.number import NumberDeviceClass, NumberEntity, NumberEntityDescription, NumberMode
from homeassistant.const import PERCENTAGE, UnitOfPrecipitationDepth, UnitOfTime
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import SiteEntity
from .hub import Hub, MowDeckConfigEntry
from .quiet_hours import EDGES, QuietEdgeOffset

PARALLEL_UPDATES = 0


@dataclass(frozen=True, kw_only=True)
class ThresholdDescription(NumberEntityDescription):
    """One threshold: its key in the site's rain settings is the description's key less `rain_`."""

    whole: bool = False
    """The gateway takes whole numbers only."""

    @property
    def setting(self) -> str:
        """The name of the setting."""
        return self.key.removeprefix("rain_")


DESCRIPTIONS = (
    ThresholdDescription(
        key="rain_probability_percent",
        native_min_value=1,
        native_max_value=100,
        native_step=1,
        native_unit_of_measurement=PERCENTAGE,
    ),
    ThresholdDescription(
        key="rain_precipitation_mm",
        device_class=NumberDeviceClass.PRECIPITATION,
        native_min_value=0.1,
        native_max_value=100,
        native_step=0.1,
        native_unit_of_measurement=UnitOfPrecipitationDepth.MILLIMETERS,
    ),
    ThresholdDescription(
        key="rain_lookahead_hours",
        device_class=NumberDeviceClass.DURATION,
        native_min_value=0,
        native_max_value=48,
        native_step=1,
        native_unit_of_measurement=UnitOfTime.HOURS,
        whole=True,
    ),
    ThresholdDescription(
        key="rain_cooldown_hours",
        device_class=NumberDeviceClass.DURATION,
        native_min_value=0,
        native_max_value=48,
        native_step=1,
        native_unit_of_measurement=UnitOfTime.HOURS,
        whole=True,
    ),
)


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the numbers of each site."""
    hub = entry.runtime_data
    hub.site_roster.on_new(
        lambda site_id: async_add_entities(
            [
                *(Threshold(hub, site_id, each) for each in DESCRIPTIONS),
                *(QuietEdgeOffset(hub, site_id, edge) for edge in EDGES),
            ]
        )
    )


class Threshold(SiteEntity, NumberEntity):
    """A threshold of the rain rule; schedules that say nothing themselves take it."""

    entity_description: ThresholdDescription
    _attr_mode = NumberMode.BOX

    def __init__(self, hub: Hub, site_id: str, description: ThresholdDescription) -> None:
        """Show a threshold."""
        super().__init__(hub, site_id, description.key)
        self.entity_description = description

    @property
    @override
    def native_value(self) -> float | None:
        """The threshold; None when an older gateway has none."""
        value = self._view.rain.get(self.entity_description.setting)
        return None if value is None else float(value)

    @override
    def _shown(self) -> object:
        return self.native_value

    @override
    async def async_set_native_value(self, value: float) -> None:
        """Change it at the gateway."""
        given = int(value) if self.entity_description.whole else value
        await self._change({"rain": {self.entity_description.setting: given}})
