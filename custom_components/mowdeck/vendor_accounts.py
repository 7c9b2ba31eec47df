"""The logins at makers' clouds: their mirrors, what is left of their budgets, and the repair of one that is refused."""

from collections.abc import Iterable
from typing import Any, override

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir

from .budget_sensor import BUDGET
from .client.vendor_account import VendorAccount
from .const import DOMAIN
from .followed import Followed
from .happenings import VENDOR_ACCOUNT_CHANGED
from .hub import Hub
from .mirrors import Kind


class VendorAccounts(Followed):
    """The logins of one gateway."""

    kind = Kind.VENDOR_ACCOUNT
    event = VENDOR_ACCOUNT_CHANGED

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Any], hub: Hub) -> None:
        """Ask a gateway for its logins."""
        super().__init__(hass, entry, hub)
        self._refused: set[str] = set()

    @callback
    @override
    def start(self) -> None:
        super().start()
        self._entry.async_on_unload(lambda: self._show_refused(()))

    @override
    async def _look(self) -> None:
        accounts = await self._hub.client.get_vendor_accounts()
        self._hub.mirrors.take(self.kind, {account.id: account.username for account in accounts})
        roster = self._hub.accounts
        await roster.replace(accounts)
        for account_id in roster.missing():
            roster.remove(account_id)
        self._remove_others()
        self._show_refused(account for account in accounts if account.rejected)

    def _remove_others(self) -> None:
        """Remove the entities of logins that are gone, also those of before the start."""
        registry = er.async_get(self._hass)
        for entity in er.async_entries_for_config_entry(registry, self._entry.entry_id):
            account_id, _, key = entity.unique_id.partition("/")
            if (entity.domain, entity.platform, key) == (Platform.SENSOR, DOMAIN, BUDGET) and (
                account_id not in self._hub.accounts.views
            ):
                registry.async_remove(entity.entity_id)

    @callback
    def _show_refused(self, accounts: Iterable[VendorAccount]) -> None:
        """Show a repair for each login that its maker takes no more; it leads to the mirror's new password."""
        fresh = {f"{self._entry.entry_id}_login_{account.id}": account for account in accounts}
        for issue_id in self._refused - fresh.keys():
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
        for issue_id, account in fresh.items():
            ir.async_create_issue(
                self._hass,
                DOMAIN,
                issue_id,
                data={"entry_id": self._entry.entry_id, "kind": self.kind, "subject_id": account.id},
                is_fixable=True,
                severity=ir.IssueSeverity.ERROR,
                translation_key="login_refused",
                translation_placeholders={"account": account.username, "detail": account.detail or ""},
            )
        self._refused = set(fresh)
