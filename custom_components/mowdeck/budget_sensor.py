"""How many messages a login may still send to its maker's cloud: accounts were blocked for too many."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.components.sensor import SensorEntity, SensorStateClass
from homeassistant.const import EntityCategory
from homeassistant.helpers.device_registry import DeviceInfo

from .client.vendor_account import VendorAccount
from .const import DOMAIN
from .entity import MowDeckEntity
from .hub import Hub

BUDGET = "request_budget"
"""The key of the entity of a login."""


class RequestBudget(MowDeckEntity[VendorAccount], SensorEntity):
    """What is left of one login's budget; unknown where the maker has no limit."""

    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_state_class = SensorStateClass.MEASUREMENT

    def __init__(self, hub: Hub, account_id: str) -> None:
        """Show a login's, on the gateway's device."""
        super().__init__(hub, hub.accounts, account_id, BUDGET)
        self._attr_unique_id = f"{account_id}/{BUDGET}"
        self._attr_translation_placeholders = {"account": self._view.username}
        self._attr_device_info = DeviceInfo(identifiers={(DOMAIN, hub.info.gateway_id)})

    @property
    @override
    def available(self) -> bool:
        """Whether the gateway is there and runs the login."""
        return super().available and self._view.usage is not None

    @property
    @override
    def native_value(self) -> int | None:
        """The messages that are left."""
        usage = self._view.usage
        return None if usage is None or usage.limit is None else max(0, usage.limit - usage.used)

    @property
    @override
    def extra_state_attributes(self) -> Mapping[str, Any]:
        """What it is made of."""
        usage = self._view.usage
        if usage is None:
            return {}
        return {
            "used": usage.used,
            "limit": usage.limit,
            "requests": usage.requests,
            "window_hours": round(usage.window_seconds / 3600),
            "held_back": usage.backing_off,
            "reason": usage.reason,
        }

    @override
    def _shown(self) -> object:
        return self._view.usage
