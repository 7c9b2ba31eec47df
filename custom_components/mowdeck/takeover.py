"""Hands a mower over from another integration: its area, labels and names, and the entity ids of its main entities.

Automations and dashboards that name these go on working. The other integration's entities stay, under other ids.
"""

from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from .devices import Devices

BY_DOMAIN = frozenset({Platform.LAWN_MOWER, Platform.DEVICE_TRACKER})
"""A mower has one of these; of the others, those are the same that have the same device class, once on each side."""

OLD = "_mammotion"
"""What the ids of the other integration's entities end with from then on."""


@callback
def take_over(hass: HomeAssistant, devices: Devices, mower_id: str, other: dr.DeviceEntry) -> tuple[str, ...]:
    """Hand one mower over, and return the entity ids that changed hands."""
    own = devices.find(mower_id)
    if own is None:
        return ()
    dr.async_get(hass).async_update_device(
        own.id,
        area_id=own.area_id or other.area_id,
        labels=own.labels | other.labels,
        name_by_user=own.name_by_user or other.name_by_user,
    )
    registry = er.async_get(hass)
    ours, theirs = _by_kind(registry, own), _by_kind(registry, other)
    return tuple(_swap(registry, theirs[kind], ours[kind]) for kind in sorted(ours.keys() & theirs.keys()))


def _by_kind(registry: er.EntityRegistry, device: dr.DeviceEntry) -> dict[tuple[str, str], er.RegistryEntry]:
    """Return the entities of a device of whose kind it has one."""
    found: dict[tuple[str, str], list[er.RegistryEntry]] = {}
    for entry in er.async_entries_for_device(registry, device.id, include_disabled_entities=True):
        device_class = entry.device_class or entry.original_device_class
        if entry.domain in BY_DOMAIN or device_class is not None:
            found.setdefault((entry.domain, device_class or ""), []).append(entry)
    return {kind: entries[0] for kind, entries in found.items() if len(entries) == 1}


def _swap(registry: er.EntityRegistry, theirs: er.RegistryEntry, ours: er.RegistryEntry) -> str:
    """Give our entity the id of theirs, and what its owner gave that one."""
    wanted = theirs.entity_id
    domain, _, name = wanted.partition(".")
    registry.async_update_entity(
        theirs.entity_id, new_entity_id=registry.async_get_available_entity_id(domain, f"{name}{OLD}")
    )
    registry.async_update_entity(
        ours.entity_id,
        new_entity_id=wanted,
        area_id=ours.area_id or theirs.area_id,
        icon=ours.icon or theirs.icon,
        labels=ours.labels | theirs.labels,
        name=ours.name or theirs.name,
    )
    return wanted
