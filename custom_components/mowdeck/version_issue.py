"""Gateway and integration that have no version of the API in common: which one must be updated, as a repair."""

from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import ConfigEntryNotReady
from homeassistant.helpers import issue_registry as ir

from .client.errors import ClientError, VersionError
from .const import DOMAIN


@callback
def show_version(hass: HomeAssistant, entry: ConfigEntry[Any], error: ClientError) -> None:
    """Show a repair when the error is one of versions."""
    if isinstance(error, VersionError):
        ir.async_create_issue(
            hass,
            DOMAIN,
            _issue_id(entry),
            is_fixable=False,
            severity=ir.IssueSeverity.ERROR,
            translation_key="gateway_too_old" if error.gateway_is_older else "integration_too_old",
            translation_placeholders={"name": entry.title, "detail": str(error)},
        )


@callback
def clear_version(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Take the repair away: the two understand each other, or the entry is gone."""
    ir.async_delete_issue(hass, DOMAIN, _issue_id(entry))


def version_failure(error: VersionError, address: str) -> ConfigEntryNotReady:
    """Return why the entry cannot be set up; it is tried again, as either may be updated."""
    placeholders = {"address": address}
    if error.gateway_is_older:
        return ConfigEntryNotReady(
            translation_domain=DOMAIN, translation_key="setup_gateway_too_old", translation_placeholders=placeholders
        )
    return ConfigEntryNotReady(
        translation_domain=DOMAIN, translation_key="setup_integration_too_old", translation_placeholders=placeholders
    )


def _issue_id(entry: ConfigEntry[Any]) -> str:
    return f"{entry.entry_id}_version"
