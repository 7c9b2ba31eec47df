"""What the person who calls an action may do: our own actions ask, as Home Assistant does not ask for them."""

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.const import Platform
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import Unauthorized, UnknownUser
from homeassistant.helpers import entity_registry as er

from .const import DOMAIN


async def check_control(hass: HomeAssistant, context: Context, mower_id: str | None) -> None:
    """Raise `Unauthorized` unless the caller may control a mower, or everything where it is no single mower.

    A call without a person is of Home Assistant itself (an automation) and may.
    """
    if context.user_id is None:
        return
    user = await hass.auth.async_get_user(context.user_id)
    if user is None:
        raise UnknownUser(context=context, permission=POLICY_CONTROL)
    if user.is_admin:
        return
    entity_id = None
    if mower_id is not None:
        entity_id = er.async_get(hass).async_get_entity_id(Platform.LAWN_MOWER, DOMAIN, mower_id)
    if entity_id is None or not user.permissions.check_entity(entity_id, POLICY_CONTROL):
        raise Unauthorized(context=context, entity_id=entity_id, permission=POLICY_CONTROL)
