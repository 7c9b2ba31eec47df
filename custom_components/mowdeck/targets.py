"""Which mowers or schedules an action means: by their entities, their devices, or the areas these are in."""

from dataclasses import dataclass

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, ServiceCall, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids

from .const import DOMAIN
from .devices import group_subject, subjects_of
from .hub import Hub, MowDeckConfigEntry


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """A mower or schedule and the gateway that has it."""

    hub: Hub
    subject_id: str


@callback
def chosen_mowers(hass: HomeAssistant, call: ServiceCall) -> tuple[Chosen, ...]:
    """Return the mowers that a call means."""
    return tuple(chosen for chosen in _chosen(hass, call) if chosen.subject_id in chosen.hub.mowers.views)


@callback
def chosen_schedules(hass: HomeAssistant, call: ServiceCall) -> tuple[Chosen, ...]:
    """Return the schedules that a call means."""
    return tuple(chosen for chosen in _chosen(hass, call) if chosen.subject_id in chosen.hub.schedules.views)


@callback
def chosen_groups(hass: HomeAssistant, call: ServiceCall) -> tuple[Chosen, ...]:
    """Return the groups of mowers that a call means."""
    named = ((chosen.hub, chosen.subject_id.removeprefix(group_subject(""))) for chosen in _chosen(hass, call))
    return tuple(Chosen(hub=hub, subject_id=group_id) for hub, group_id in named if group_id in hub.groups.views)


def _chosen(hass: HomeAssistant, call: ServiceCall) -> list[Chosen]:
    """Return everything of ours that a call means, each once."""
    selected = async_extract_referenced_entity_ids(hass, TargetSelection(call.data))
    entities = er.async_get(hass)
    device_ids = set(selected.referenced_devices)
    for entity_id in selected.referenced | selected.indirectly_referenced:
        entry = entities.async_get(entity_id)
        if entry is not None and entry.platform == DOMAIN and entry.device_id is not None:
            device_ids.add(entry.device_id)
    devices = dr.async_get(hass)
    subject_ids: set[str] = set()
    for device_id in device_ids:
        device = devices.async_get(device_id)
        if device is not None:
            subject_ids |= subjects_of(device)
    loaded: list[MowDeckConfigEntry] = [
        entry for entry in hass.config_entries.async_entries(DOMAIN) if entry.state is ConfigEntryState.LOADED
    ]
    return [
        Chosen(hub=entry.runtime_data, subject_id=subject_id) for entry in loaded for subject_id in sorted(subject_ids)
    ]
