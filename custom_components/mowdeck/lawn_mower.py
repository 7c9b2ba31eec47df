"""The mower itself: what it does, and start, pause, dock and stop."""

from typing import override
from uuid import uuid4

from homeassistant.components.lawn_mower import LawnMowerActivity, LawnMowerEntity, LawnMowerEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .client.command import CommandKind, Order, StartMode
from .client.mower import Activity
from .const import LOGGER
from .entity import LiveMowerEntity
from .failures import check_outcome, translated
from .hub import Hub, MowDeckConfigEntry

PARALLEL_UPDATES = 0

ACTIVITIES = {
    Activity.MOWING: LawnMowerActivity.MOWING,
    Activity.PAUSED: LawnMowerActivity.PAUSED,
    Activity.RETURNING: LawnMowerActivity.RETURNING,
    Activity.DOCKED: LawnMowerActivity.DOCKED,
    Activity.IDLE: LawnMowerActivity.IDLE,
    Activity.ERROR: LawnMowerActivity.ERROR,
}
"""What is not in it is unknown here too."""


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring an entity for each mower."""
    hub = entry.runtime_data
    hub.mowers.on_new(lambda mower_id: async_add_entities([MowDeckLawnMower(hub, mower_id)]))


class MowDeckLawnMower(LiveMowerEntity, LawnMowerEntity):
    """A mower."""

    _attr_name = None
    _parts = frozenset({"available", "activity"})
    _attr_supported_features = (
        LawnMowerEntityFeature.START_MOWING
        | LawnMowerEntityFeature.PAUSE
        | LawnMowerEntityFeature.DOCK
        | LawnMowerEntityFeature.STOP
    )

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Show a mower."""
        super().__init__(hub, mower_id, key=None)

    @property
    @override
    def activity(self) -> LawnMowerActivity | None:
        """What it does; None is unknown."""
        return ACTIVITIES.get(self._view.activity)

    @override
    def _shown(self) -> object:
        return self._view.activity

    @override
    async def async_start_mowing(self) -> None:
        """Start, or go on with what was paused: the gateway has the rule."""
        await self._order(Order(kind=CommandKind.START_MOW, mode=StartMode.AUTO))

    @override
    async def async_pause(self) -> None:
        """Stop where it is, to go on later."""
        await self._order(Order(kind=CommandKind.PAUSE))

    @override
    async def async_dock(self) -> None:
        """Send it to its dock; the job stays open."""
        await self._order(Order(kind=CommandKind.RETURN_TO_DOCK))

    @override
    async def async_stop(self) -> None:
        """Give the job up."""
        await self._order(Order(kind=CommandKind.CANCEL_JOB))

    async def _order(self, order: Order) -> None:
        """Give an order and wait for what becomes of it; raises when it fails, not when it takes longer."""
        with translated(self.hub):
            command = await self.hub.client.order(self._subject_id, order, key=uuid4().hex, caller=self._caller)
        command = await self.hub.orders.outcome(command, self.hub.outcome_seconds)
        check_outcome(command, self._view.name, language=self.hass.config.language)
        if not command.final:
            LOGGER.debug("%s of %s is still %s", order.kind, self._view.name, command.status)
