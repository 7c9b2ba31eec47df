"""The people of a house, and what each of them does."""

from collections.abc import Callable
from typing import Any

from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_READ_ONLY, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant

from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until_so

MOWER = "lawn_mower.front_lawn"


class Household:
    """The people of a house, as Home Assistant really keeps them."""

    def __init__(self, hass: HomeAssistant, gateway: EmulatedGateway) -> None:
        """Prepare it; `move_in` makes them."""
        self.hass = hass
        self.gateway = gateway
        self.owner: User
        self.admin: User
        self.user: User
        self.reader: User

    async def move_in(self) -> None:
        """Make the first, to whom the house belongs, and one of each role."""
        create = self.hass.auth.async_create_user
        self.owner = await create("Olga", group_ids=[GROUP_ID_ADMIN])
        self.admin = await create("Anna", group_ids=[GROUP_ID_ADMIN])
        self.user = await create("Uwe", group_ids=[GROUP_ID_USER])
        self.reader = await create("Rosa", group_ids=[GROUP_ID_READ_ONLY])

    async def until_told(self, is_so: Callable[[dict[str, Any]], bool] = bool) -> dict[str, Any]:
        """Wait until the newest set that the gateway took is so."""
        sets = self.gateway.people.sets
        await until_so(lambda: bool(sets) and is_so(sets[-1]))
        return sets[-1]

    async def start(self, who: User | None, service: str = "start_mowing", **context: str) -> None:
        """Start the mower for somebody, as a dashboard does."""
        given = Context(user_id=None if who is None else who.id, **context)
        await self.hass.services.async_call("lawn_mower", service, {"entity_id": MOWER}, blocking=True, context=given)

    def last(self, method: str, path: str) -> str:
        """Return as whom the last request appeared."""
        found = self.gateway.find(method, path)
        assert found is not None
        return found.headers["X-MowDeck-Principal"]


def principal(who: User) -> str:
    return f"user:{who.id}"
