"""Questions that tests ask the Fleet as its owner, and as a stranger."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from edge_gateway.contracts import routes
from edge_gateway.contracts.fleet import (
    MowerReply,
    RegisterMowerRequest,
)
from edge_gateway.contracts.principals import OWNER
from tests.eventually import eventually
from tests.service.fleet.house import FleetHouse

WHO: dict[str, Any] = {"on_behalf_of": OWNER, "account_id": "home"}
STRANGER: dict[str, Any] = {"on_behalf_of": "user:stranger", "account_id": "home"}


def registration(**changes: Any) -> RegisterMowerRequest:  # noqa: ANN401  # fields by name
    request = RegisterMowerRequest(
        account_id="home", provider="simulator", vendor_key="sim-9", name="Robin", model="One", firmware_version="1.0"
    )
    return msgspec.structs.replace(request, **changes)


async def register(house: FleetHouse, **changes: Any) -> MowerReply:  # noqa: ANN401  # fields by name
    return await house.bus.request(routes.MOWERS_REGISTER, registration(**changes))


async def changed(house: FleetHouse, event_type: str, count: int) -> list[str]:
    """Wait until something was told to have changed so often; return whose change it was."""

    async def look() -> list[str]:
        found = [event.subject_id for event in house.events if event.type == event_type]
        return found if len(found) >= count else []

    return await eventually(look)


async def holds(look: Callable[[], Awaitable[object]], wanted: object) -> bool:
    """Tell whether a look sees what is wanted."""
    return await look() == wanted
