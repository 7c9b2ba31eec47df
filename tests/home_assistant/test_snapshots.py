"""What every entity is and shows, of one mower with an area, a schedule and a site.

`scripts/test home_assistant -- tests/home_assistant/test_snapshots.py --snapshot-update` takes the picture anew.
"""

from collections.abc import Iterator
from typing import Any
from unittest.mock import PropertyMock, patch

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from syrupy.assertion import SnapshotAssertion

from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until_state

SECRET = frozenset({"access_token", "entity_picture"})
"""Attributes that are other ones with each start."""


@pytest.fixture(autouse=True)
def _all_enabled() -> Iterator[None]:
    """Have also those entities enabled that are off at first."""
    name = "homeassistant.helpers.entity.Entity.entity_registry_enabled_default"
    with patch(name, PropertyMock(return_value=True)):
        yield


@pytest.fixture(autouse=True)
async def _at_a_moment(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    freezer.move_to("2026-05-01T08:00:00Z")
    await hass.config.async_set_time_zone("Europe/Amsterdam")


async def test_every_entity_is_and_shows_what_it_did(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    entity_registry: er.EntityRegistry,
    snapshot: SnapshotAssertion,
) -> None:
    await gateway.put_schedule(last_run=documents.run())
    await until_state(hass, "sensor.weekday_mornings_last_outcome", "skipped_rain")
    entities = er.async_entries_for_config_entry(entity_registry, loaded.entry_id)
    assert len(entities) > 40
    for entity in sorted(entities, key=lambda each: each.entity_id):
        assert described(hass, entity) == snapshot(name=entity.entity_id)


def described(hass: HomeAssistant, entity: er.RegistryEntry) -> dict[str, Any]:
    """Return what an entity is, and what it shows."""
    state = hass.states.get(entity.entity_id)
    assert state is not None, entity.entity_id
    return {
        "unique_id": entity.unique_id,
        "category": entity.entity_category,
        "device_class": entity.original_device_class,
        "translation_key": entity.translation_key,
        "unit": entity.unit_of_measurement,
        "capabilities": entity.capabilities,
        "features": int(entity.supported_features),
        "state": state.state,
        "attributes": {name: value for name, value in sorted(state.attributes.items()) if name not in SECRET},
    }
