"""What an entity says that it shows of a mower is what it shows: else it would not follow a change."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import async_get_platforms

from custom_components.mowdeck.client.mower import Mower
from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.entity import MowDeckEntity
from custom_components.mowdeck.garden import PARTS_OF_A_MOWER
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents


class Observed:
    """A mower that remembers what was looked at."""

    def __init__(self, mower: Mower) -> None:
        """Look at this one."""
        self.mower = mower
        self.looked_at: set[str] = set()

    def __getattr__(self, name: str) -> object:
        """Return a part of it."""
        self.looked_at.add(name)
        return getattr(self.mower, name)


@pytest.mark.usefixtures("everything_enabled", "loaded")
async def test_an_entity_follows_what_it_shows(hass: HomeAssistant, loaded: MowDeckConfigEntry) -> None:
    mowers = loaded.runtime_data.mowers
    entities = [
        entity
        for platform in async_get_platforms(hass, DOMAIN)
        for entity in platform.entities.values()
        if isinstance(entity, MowDeckEntity) and entity._roster is mowers  # noqa: SLF001  # nothing else tells
    ]
    assert len(entities) > 25
    for entity in entities:
        observed = Observed(mowers.views[documents.MOWER_ID])
        mowers.views[documents.MOWER_ID] = observed  # type: ignore[assignment]  # it is as good as one
        entity._state()  # noqa: SLF001  # what it compares
        _ = entity.available, entity.state, entity.state_attributes, entity.extra_state_attributes
        mowers.views[documents.MOWER_ID] = observed.mower
        parts = entity._parts  # noqa: SLF001  # what it says
        assert parts is not None, entity.entity_id
        unnamed = observed.looked_at - parts
        assert not unnamed, f"{entity.entity_id} looks at: {', '.join(sorted(unnamed))}"
        assert parts <= set(PARTS_OF_A_MOWER), entity.entity_id
