"""What the person who calls an action may do: our own actions ask, as Home Assistant does not ask for them."""

from collections.abc import Iterable
from enum import Enum

from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import Unauthorized, UnknownUser

from .people import Entities, entities_of


class Right(Enum):
    """What an action needs with a mower: whether the policy of the mower's entity, or of its calendar, gives it."""

    SEE = (POLICY_READ, "mower")
    CONTROL = (POLICY_CONTROL, "mower")
    PLAN = (POLICY_CONTROL, "calendar")

    @property
    def policy(self) -> str:
        """The policy."""
        return self.value[0]

    def entity_id(self, known: Entities) -> str | None:
        """Return the entity that is asked about."""
        return known.mower if self.value[1] == "mower" else known.calendar


async def check(hass: HomeAssistant, context: Context, mower_ids: Iterable[str], *rights: Right) -> None:
    """Raise `Unauthorized` unless the caller has the rights with all of the mowers, or for none is an administrator.

    A call without a person is of Home Assistant itself (an automation) and may.
    """
    if context.user_id is None:
        return
    user = await hass.auth.async_get_user(context.user_id)
    if user is None:
        raise UnknownUser(context=context, permission=rights[0].policy)
    if user.is_admin:
        return
    asked = [(right, right.entity_id(entities_of(hass, mower_id))) for mower_id in mower_ids for right in rights]
    for right, entity_id in asked or ((rights[0], None),):
        if entity_id is None or not user.permissions.check_entity(entity_id, right.policy):
            raise Unauthorized(context=context, entity_id=entity_id, permission=right.policy)
