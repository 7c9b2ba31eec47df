"""Who is in this Home Assistant, and what each may do with which mower."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import instance_id

from .client.person import House, Person, Relation
from .const import DOMAIN

LONGEST_NAME = 100
"""Characters; the gateway takes no more."""


class Entities(NamedTuple):
    """The entities by which Home Assistant says what somebody may do with a mower; None where there is none."""

    mower: str | None
    calendar: str | None


@callback
def entities_of(hass: HomeAssistant, mower_id: str) -> Entities:
    """Return the entities of a mower, also those that are disabled."""
    find = er.async_get(hass).async_get_entity_id
    return Entities(find(Platform.LAWN_MOWER, DOMAIN, mower_id), find(Platform.CALENDAR, DOMAIN, f"{mower_id}_plan"))


async def house_of(hass: HomeAssistant, entry_id: str) -> House | None:
    """Return everybody who is active, system users too; None while the house belongs to nobody."""
    users = sorted(await hass.auth.async_get_users(), key=lambda user: user.id)
    owner = next((user for user in users if user.is_owner and user.is_active), None)
    if owner is None:
        return None
    registered = er.async_entries_for_config_entry(er.async_get(hass), entry_id)
    mower_ids = sorted(entity.unique_id for entity in registered if entity.domain == Platform.LAWN_MOWER)
    entities = {mower_id: entities_of(hass, mower_id) for mower_id in mower_ids}
    return House(
        instance_id=await instance_id.async_get(hass),
        owner=owner.id,
        people=tuple(person_of(user, entities) for user in users if user.is_active),
    )


@callback
def person_of(user: User, entities: Mapping[str, Entities]) -> Person:
    """Return a user as the gateway is told of them."""
    granted: defaultdict[tuple[Relation, ...], list[str]] = defaultdict(list)
    if not user.is_admin:
        for mower_id, known in entities.items():
            if relations := relations_of(user, known):
                granted[relations].append(mower_id)
    return Person(
        id=user.id,
        name=_plain(user.name),
        everything=user.is_admin,
        mowers={relations: tuple(mower_ids) for relations, mower_ids in granted.items()},
    )


@callback
def relations_of(user: User, known: Entities) -> tuple[Relation, ...]:
    """Return what somebody who is no administrator may do with a mower."""
    may = user.permissions.check_entity
    relations = []
    if known.mower is not None and may(known.mower, POLICY_READ):
        relations.append(Relation.VIEW)
    if known.mower is not None and may(known.mower, POLICY_CONTROL):
        relations.append(Relation.CONTROL)
    if known.calendar is not None and may(known.calendar, POLICY_CONTROL):
        relations.append(Relation.EDIT_SCHEDULE)
    return tuple(relations)


def _plain(name: str | None) -> str | None:
    """Return a name as the gateway takes it."""
    if name is None:
        return None
    return "".join(character for character in name if character.isprintable())[:LONGEST_NAME] or None
