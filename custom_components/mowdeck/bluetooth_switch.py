"""Whether a mower may be reached over Home Assistant's own Bluetooth: off until somebody wants it."""

from typing import override

from homeassistant.const import EntityCategory
from homeassistant.exceptions import ServiceValidationError

from .asked import AskedSwitch
from .client.links import HOME_ASSISTANT, Links
from .client.mower import Mower
from .const import DOMAIN
from .entity import LookupEntity
from .failures import translated
from .hub import Hub

PROVIDERS = frozenset({"mammotion"})
"""The makers whose mowers the gateway reaches over Bluetooth."""


def lend_bluetooth(hub: Hub, mower_id: str) -> tuple[LendBluetooth, ...]:
    """Return the switch of a mower that can be reached over Bluetooth."""
    can = hub.mowers.views[mower_id].provider in PROVIDERS
    return (LendBluetooth(hub, mower_id),) if can else ()


class LendBluetooth(LookupEntity[Links], AskedSwitch[Mower]):
    """Puts Home Assistant into the order of a mower's links, or takes it out."""

    _attr_entity_category = EntityCategory.CONFIG

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Show a mower's switch."""
        super().__init__(hub, hub.links, mower_id, "bluetooth")

    @property
    @override
    def available(self) -> bool:
        """Whether the order is known."""
        return super().available and self._known is not None

    @property
    @override
    def _confirmed(self) -> bool:
        return self._known is not None and HOME_ASSISTANT in self._known.order

    @override
    async def _send(self, *, on: bool) -> None:
        with translated(self.hub):
            # What it is now: somebody may have changed it at the gateway since it was looked at.
            links = await self.hub.client.get_links(self._subject_id)
            wanted = links.with_home_assistant() if on else links.without_home_assistant()
            if wanted is None:
                raise ServiceValidationError(
                    translation_domain=DOMAIN,
                    translation_key="only_link",
                    translation_placeholders={"mower": self._view.name},
                )
            if wanted != links:
                links = await self.hub.client.put_links(self._subject_id, wanted, caller=self._caller)
        self.hub.links.put(self._subject_id, links)
