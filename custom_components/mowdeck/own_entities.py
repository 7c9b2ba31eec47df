"""Tells this integration's entities from those of others, where a trigger or a condition takes any entity."""

from collections.abc import Collection

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

from .const import DOMAIN


@callback
def own_entities(hass: HomeAssistant, entities: set[str], kinds: Collection[tuple[str, str]]) -> set[str]:
    """Return the entities of ours that are of the wanted kinds: a domain and a translation key each."""
    registry = er.async_get(hass)
    return {
        entity_id
        for entity_id in entities
        if (entry := registry.async_get(entity_id)) is not None
        and entry.platform == DOMAIN
        and (entry.domain, entry.translation_key) in kinds
    }
