"""Actions that install and remove the sentences for voice; for administrators."""

from collections.abc import Callable
from pathlib import Path

import probatio
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.service import async_register_admin_service

from . import sentence_files
from .const import DOMAIN
from .sentence_files import Changed

INSTALL_SENTENCES = "install_sentences"
REMOVE_SENTENCES = "remove_sentences"

FOLDER = "custom_sentences"
"""Below Home Assistant's configuration."""

CONVERSATION, RELOAD = "conversation", "reload"


@callback
def async_setup_sentence_actions(hass: HomeAssistant) -> None:
    """Register the actions."""
    for name, act in ((INSTALL_SENTENCES, _install), (REMOVE_SENTENCES, _remove)):
        async_register_admin_service(
            hass, DOMAIN, name, act, schema=probatio.Schema({}), supports_response=SupportsResponse.OPTIONAL
        )


async def _install(call: ServiceCall) -> ServiceResponse:
    """Write the sentences."""
    return await _change(call, sentence_files.install)


async def _remove(call: ServiceCall) -> ServiceResponse:
    """Remove the sentences."""
    return await _change(call, sentence_files.remove)


async def _change(call: ServiceCall, change: Callable[[Path], Changed]) -> ServiceResponse:
    hass = call.hass
    try:
        changed = await hass.async_add_executor_job(change, Path(hass.config.path(FOLDER)))
    except OSError as error:
        raise HomeAssistantError(
            translation_domain=DOMAIN,
            translation_key="sentences_failed",
            translation_placeholders={"detail": str(error)},
        ) from error
    if hass.services.has_service(CONVERSATION, RELOAD):
        await hass.services.async_call(CONVERSATION, RELOAD, blocking=True, context=call.context)
    return {"files": list(changed.done), "kept": list(changed.kept)}
