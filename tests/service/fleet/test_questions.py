"""Targets, permissions, strangers and health."""

from typing import Any

import msgspec
import pytest

from edge_gateway.contracts import routes
from edge_gateway.contracts.commands import GetCommandRequest
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.errors import ForbiddenError, InvalidError, NotFoundError
from edge_gateway.contracts.fleet import (
    Asking,
    CreateSiteRequest,
    DeleteSiteRequest,
    ListMowersRequest,
    ResolveTargetRequest,
    UpdateAreaRequest,
    UpdateMowerRequest,
    UpdateSiteRequest,
)
from edge_gateway.contracts.principals import OWNER, PermissionCheckRequest, Relation
from edge_gateway.database.pools import Pool
from tests.service.fleet.asking import STRANGER, WHO, register
from tests.service.fleet.house import FleetHouse


async def test_a_target_answers_with_its_site_and_areas(house: FleetHouse) -> None:
    await house.bus.request(
        routes.AREAS_UPDATE, UpdateAreaRequest(**WHO, mower_id=house.mower_id, area_id="a1", enabled=False)
    )
    reply = await house.bus.request(
        routes.TARGETS_RESOLVE, ResolveTargetRequest(account_id="home", mower_id=house.mower_id)
    )
    (mower,) = reply.mowers
    assert (mower.area_ids, mower.enabled_area_ids, mower.obey_rain) == (("a1", "a2"), ("a2",), True)
    assert (mower.site.id, reply.default_site.id, reply.account_owner) == ("home", "home", OWNER)


async def test_a_mower_without_a_map_has_unknown_areas(house: FleetHouse) -> None:
    mower_id = (await register(house)).mower.id
    reply = await house.bus.request(routes.TARGETS_RESOLVE, ResolveTargetRequest(account_id="home", mower_id=mower_id))
    assert (reply.mowers[0].area_ids, reply.mowers[0].enabled_area_ids) == (None, None)


@pytest.mark.parametrize("target", [{"mower_id": "gone"}, {"group_id": "gone"}])
async def test_a_target_that_is_gone(house: FleetHouse, target: dict[str, str]) -> None:
    with pytest.raises(NotFoundError) as raised:
        await house.bus.request(routes.TARGETS_RESOLVE, ResolveTargetRequest(account_id="home", **target))
    assert raised.value.code == "target_gone"


async def test_a_target_is_one_thing(house: FleetHouse) -> None:
    for target in ({}, {"mower_id": "a", "group_id": "b"}):
        with pytest.raises(InvalidError):
            await house.bus.request(routes.TARGETS_RESOLVE, ResolveTargetRequest(account_id="home", **target))


@pytest.mark.parametrize("relation", Relation)
async def test_permissions(house: FleetHouse, relation: Relation) -> None:
    async def check(principal: str, *mower_ids: str) -> dict[str, bool]:
        question = PermissionCheckRequest(
            principal=principal, relation=relation, account_id="home", mower_ids=mower_ids
        )
        return (await house.bus.request(routes.PERMISSIONS_CHECK, question)).allowed

    assert await check(OWNER) == {"home": True}
    assert await check(OWNER, house.mower_id, "gone") == {house.mower_id: True, "gone": False}
    assert await check("service:scheduler", house.mower_id) == {house.mower_id: False}
    with pytest.raises(ForbiddenError) as raised:
        await check("user:stranger")
    assert raised.value.code == "unknown_principal"


STRANGERS_QUESTIONS: list[tuple[routes.Route[Any, Any], msgspec.Struct]] = [
    (routes.MOWERS_LIST, ListMowersRequest(**STRANGER)),
    (routes.MOWERS_UPDATE, UpdateMowerRequest(**STRANGER, mower_id="m")),
    (routes.AREAS_UPDATE, UpdateAreaRequest(**STRANGER, mower_id="m", area_id="a1")),
    (routes.COMMANDS_GET, GetCommandRequest(**STRANGER, command_id="c")),
    (routes.SITES_LIST, Asking(**STRANGER)),
    (routes.SITES_CREATE, CreateSiteRequest(**STRANGER, name="x", time_zone="UTC")),
    (routes.SITES_UPDATE, UpdateSiteRequest(**STRANGER, site_id="home")),
    (routes.SITES_DELETE, DeleteSiteRequest(**STRANGER, site_id="home")),
]


@pytest.mark.parametrize(("route", "question"), STRANGERS_QUESTIONS)
async def test_a_stranger_is_told_nothing(
    house: FleetHouse, route: routes.Route[Any, Any], question: msgspec.Struct
) -> None:
    with pytest.raises(ForbiddenError) as raised:
        await house.bus.request(route, question)
    assert raised.value.code == "unknown_principal"


async def test_health_tells_of_the_database(house: FleetHouse) -> None:
    health = await house.bus.request(routes.health_route("fleet"), Nothing())
    assert (health.service, health.ready, health.detail) == ("fleet", True, None)
    assert health.started_at is not None


async def test_a_lost_database_is_said_to_be_one(house: FleetHouse, pool: Pool) -> None:
    pool.terminate()
    health = await house.bus.request(routes.health_route("fleet"), Nothing())
    assert not health.ready
    assert "The database cannot be reached now" in (health.detail or "")
    with pytest.raises(Exception, match="database cannot be reached") as raised:
        await house.bus.request(routes.SITES_LIST, Asking(**WHO))
    assert raised.value.code == "database_unavailable"  # type: ignore[attr-defined]  # our own error
