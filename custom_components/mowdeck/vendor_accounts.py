"""The logins at makers' clouds: asked for now and then, since nothing tells of their use."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_time_interval

from .client.errors import ClientError
from .client.vendor_account import VendorAccount
from .const import DOMAIN, LOGGER
from .dispatch import Dispatch
from .hub import Hub

INTERVAL = timedelta(minutes=10)

BUDGET = "request_budget"
"""The key of the entity of a login."""


class VendorAccounts:
    """The logins of one gateway."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Any], hub: Hub) -> None:
        """Ask a gateway for its logins."""
        self.views: dict[str, VendorAccount] = {}
        self._hass = hass
        self._entry = entry
        self._hub = hub
        self._dispatch = Dispatch()
        self._on_new: Callable[[str], None] | None = None

    @callback
    def start(self, on_new: Callable[[str], None]) -> None:
        """Begin to ask; `on_new` makes the entity of a login."""
        self._on_new = on_new
        self._entry.async_on_unload(async_track_time_interval(self._hass, self._again, INTERVAL))
        self._entry.async_on_unload(self._hub.on_back(self._soon))
        self._soon()

    @callback
    def listen(self, account_id: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Have a listener told when a login was looked at; the answer takes it away again."""
        return self._dispatch.listen(account_id, listener)

    @callback
    def _again(self, _now: datetime) -> None:
        self._soon()

    @callback
    def _soon(self) -> None:
        self._entry.async_create_background_task(self._hass, self._ask(), "mowdeck vendor accounts")

    async def _ask(self) -> None:
        try:
            accounts = await self._hub.client.get_vendor_accounts()
        except ClientError as error:
            # What is known stays; it is asked again at the next interval.
            LOGGER.debug("No vendor accounts: %s", error)
            return
        known = self.views
        self.views = {account.id: account for account in accounts}
        for account_id in self.views:
            if account_id not in known and self._on_new is not None:
                self._on_new(account_id)
            self._dispatch.tell(account_id)
        self._remove_others()

    def _remove_others(self) -> None:
        """Remove the entities of logins that are gone, also those of before the start."""
        registry = er.async_get(self._hass)
        for entity in er.async_entries_for_config_entry(registry, self._entry.entry_id):
            account_id, _, key = entity.unique_id.partition("/")
            if (entity.domain, entity.platform, key) == (Platform.SENSOR, DOMAIN, BUDGET) and (
                account_id not in self.views
            ):
                registry.async_remove(entity.entity_id)
