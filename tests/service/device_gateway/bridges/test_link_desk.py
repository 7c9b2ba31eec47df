"""In which order a mower's links are used, and Bluetooth lent: asked over the bus, kept on a real database."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.contracts import routes
from edge_gateway.contracts.bridges import LinksRequest, PutLinksRequest, ReleaseLinkRequest
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.errors import ForbiddenError, InvalidError, NotFoundError
from edge_gateway.contracts.mower import LinkKind
from edge_gateway.contracts.principals import PermissionCheckReply, PermissionCheckRequest, Relation
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.device_gateway import link_desk
from edge_gateway.device_gateway.link_desk import LinkDesk
from edge_gateway.device_gateway.link_preference import DEFAULT_ORDER, LinkPreference
from edge_gateway.device_gateway.link_repository import LinkRepository
from tests.eventually import eventually
from tests.service.device_gateway.bridges.row_lock import waiting_for

RIGHTS = {
    "user:owner": {Relation.CAN_VIEW, Relation.CAN_CONTROL, Relation.CAN_MANAGE_MOWERS},
    "user:guest": {Relation.CAN_VIEW, Relation.CAN_CONTROL},
}
CLOUD_FIRST = (LinkKind.CLOUD, LinkKind.BRIDGE)


class Told:
    """Stands for the roster: one mower is driven here, and hears how its links are used."""

    def __init__(self) -> None:
        """Have heard nothing."""
        self.preferences: list[LinkPreference] = []
        self.driver: Told = self

    def actor(self, mower_id: str) -> Told | None:
        """Return the one mower."""
        return self if mower_id == "m" else None

    def prefer_links(self, preference: LinkPreference) -> None:
        """Hear."""
        self.preferences.append(preference)


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """Return connections to a database with the gateway's schema."""
    pool = await open_pool(database_url, application_name="test", maximum=2)
    yield pool
    await pool.close()


@pytest.fixture
def told() -> Told:
    """Return the mower that hears."""
    return Told()


@pytest.fixture
async def bus(pool: Pool, told: Told, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MemoryBus]:
    """Return a bus on which the desk answers."""
    monkeypatch.setattr(link_desk, "_LOOK_SECONDS", 0.2)
    clock = SystemClock()
    bus = MemoryBus(clock, server=MemoryServer(clock))

    async def check(question: PermissionCheckRequest) -> PermissionCheckReply:
        allowed = question.relation in RIGHTS.get(question.principal, set())
        return PermissionCheckReply(allowed=dict.fromkeys(question.mower_ids, allowed))

    await bus.reply(routes.PERMISSIONS_CHECK, check)
    desk = LinkDesk(cast("Any", told), bus=bus, repository=LinkRepository(pool), clock=clock)
    await desk.start()
    yield bus
    await desk.stop()
    await bus.close()


def asking(who: str = "user:owner") -> dict[str, Any]:
    return {"on_behalf_of": who, "account_id": "home", "mower_id": "m"}


async def test_an_order_of_links_is_kept_and_told_to_the_mower(bus: MemoryBus, told: Told, pool: Pool) -> None:
    assert (await bus.request(routes.LINKS_GET, LinksRequest(**asking()))).order == DEFAULT_ORDER
    kept = await bus.request(routes.LINKS_PUT, PutLinksRequest(**asking(), order=CLOUD_FIRST))
    assert kept.order == CLOUD_FIRST
    assert told.preferences == [LinkPreference(order=CLOUD_FIRST)]
    assert (await LinkRepository(pool).preference("m")).order == CLOUD_FIRST


async def test_bluetooth_is_lent_for_ten_minutes_and_taken_back(bus: MemoryBus, told: Told) -> None:
    lent = await bus.request(routes.LINKS_RELEASE, ReleaseLinkRequest(**asking("user:guest"), minutes=10))
    assert lent.released_until is not None
    assert abs(lent.released_until - datetime.now(UTC) - timedelta(minutes=10)) < timedelta(minutes=1)
    back = await bus.request(routes.LINKS_RELEASE, ReleaseLinkRequest(**asking(), minutes=0))
    assert back.released_until is None
    assert [preference.released_until for preference in told.preferences] == [lent.released_until, None]


async def test_an_order_and_a_release_at_the_same_moment_are_both_kept(
    bus: MemoryBus, told: Told, pool: Pool, database_url: str
) -> None:
    await bus.request(routes.LINKS_PUT, PutLinksRequest(**asking(), order=DEFAULT_ORDER))
    async with waiting_for(database_url, "SELECT FROM device_gateway.mower_links FOR UPDATE", writers=2) as both_wait:
        ordering = asyncio.create_task(
            bus.request(routes.LINKS_PUT, PutLinksRequest(**asking(), order=CLOUD_FIRST), timeout_seconds=20)
        )
        releasing = asyncio.create_task(
            bus.request(routes.LINKS_RELEASE, ReleaseLinkRequest(**asking(), minutes=10), timeout_seconds=20)
        )
        await both_wait()
    await asyncio.gather(ordering, releasing)
    kept = await LinkRepository(pool).preference("m")
    assert kept.order == CLOUD_FIRST
    assert kept.released_until is not None
    assert told.preferences[-1] == kept


async def test_a_look_that_fails_is_not_the_last(
    bus: MemoryBus, told: Told, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    del bus
    fails = [True]

    def fail_once(preference: LinkPreference) -> None:
        if fails:
            fails.clear()
            message = "not foreseen"
            raise RuntimeError(message)
        told.preferences.append(preference)

    async def is_told() -> bool:
        return told.preferences == [LinkPreference(order=CLOUD_FIRST)]

    monkeypatch.setattr(told, "prefer_links", fail_once)
    # Another copy of the gateway was told.
    await LinkRepository(pool).save_order("m", CLOUD_FIRST)
    await eventually(is_told)


async def test_the_next_driver_of_a_mower_is_told_as_well(bus: MemoryBus, told: Told) -> None:
    await bus.request(routes.LINKS_PUT, PutLinksRequest(**asking(), order=CLOUD_FIRST))
    told.driver = successor = Told()
    await bus.request(routes.LINKS_PUT, PutLinksRequest(**asking(), order=CLOUD_FIRST))
    assert successor.preferences == told.preferences == [LinkPreference(order=CLOUD_FIRST)]


@pytest.mark.parametrize("order", [(), (LinkKind.CLOUD, LinkKind.CLOUD), (LinkKind.SIMULATED,)])
async def test_an_order_that_is_none_is_refused_by_name(bus: MemoryBus, order: tuple[LinkKind, ...]) -> None:
    with pytest.raises(InvalidError) as caught:
        await bus.request(routes.LINKS_PUT, PutLinksRequest(**asking(), order=order))
    assert caught.value.field == "order"


async def test_who_may_not_is_told(bus: MemoryBus, told: Told) -> None:
    with pytest.raises(ForbiddenError):
        await bus.request(routes.LINKS_PUT, PutLinksRequest(**asking("user:guest"), order=CLOUD_FIRST))
    with pytest.raises(NotFoundError):
        await bus.request(routes.LINKS_GET, LinksRequest(**asking("user:stranger")))
    with pytest.raises(InvalidError) as caught:
        await bus.request(routes.LINKS_RELEASE, ReleaseLinkRequest(**asking(), minutes=500))
    assert caught.value.field == "minutes"
    assert told.preferences == []
