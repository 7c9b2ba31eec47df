"""Mowers and their areas: found, named, moved, mapped."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.errors import InvalidError, NotFoundError
from edge_gateway.contracts.fleet import (
    CreateSiteRequest,
    ListMowersRequest,
    MowerReply,
    UpdateAreaRequest,
    UpdateMowerRequest,
)
from edge_gateway.contracts.map import Area
from tests.service.fleet.asking import WHO, changed, holds, register
from tests.service.fleet.house import FleetHouse, gather_all


async def test_the_same_vendor_key_is_the_same_mower_for_ever(house: FleetHouse) -> None:
    first = await register(house)
    mower = first.mower
    assert (mower.name, mower.site_id, mower.obey_rain, first.areas) == ("Robin", "home", True, ())
    again = await register(house, name="Other", firmware_version="1.1", model=None)
    assert again.mower == msgspec.structs.replace(mower, firmware_version="1.1")
    assert await changed(house, subjects.MOWER_CHANGED, 4) == [house.mower_id] * 2 + [mower.id] * 2


async def test_the_newest_firmware_stays_known_until_another_is_told(house: FleetHouse) -> None:
    assert (await register(house)).mower.newest_firmware_version is None
    assert (await register(house, newest_firmware_version="1.2")).mower.newest_firmware_version == "1.2"
    assert (await register(house)).mower.newest_firmware_version == "1.2", "not told is not gone"
    assert (await register(house, newest_firmware_version="1.3")).mower.newest_firmware_version == "1.3"
    assert (await register(house, vendor_key="new", newest_firmware_version="2")).mower.newest_firmware_version == "2"


async def test_twenty_registrations_at_once_are_one_mower(house: FleetHouse) -> None:
    replies = await gather_all(*(register(house) for _ in range(20)))
    assert len({reply.mower.id for reply in replies if isinstance(reply, MowerReply)}) == 1
    assert all(isinstance(reply, MowerReply) for reply in replies)


@pytest.mark.parametrize(("given", "name"), [("", "sim-9"), ("  \x00 ", "sim-9"), ("x" * 300, "x" * 100)])
async def test_a_name_that_is_none_is_made_one(house: FleetHouse, given: str, name: str) -> None:
    assert (await register(house, name=given)).mower.name == name


async def test_the_owners_name_stays_when_the_mower_is_found_again(house: FleetHouse) -> None:
    mower_id = (await register(house)).mower.id
    await house.bus.request(routes.MOWERS_UPDATE, UpdateMowerRequest(**WHO, mower_id=mower_id, name=" Rasputin "))
    assert (await register(house, name="Robin")).mower.name == "Rasputin"


async def test_mowers_come_in_the_order_of_their_names(house: FleetHouse) -> None:
    for key, name in (("x", "Zoe"), ("y", "Ada")):
        await register(house, vendor_key=key, name=name)
    reply = await house.bus.request(routes.MOWERS_LIST, ListMowersRequest(**WHO))
    assert [item.mower.name for item in reply.items] == ["Ada", "Mower sim-1", "Zoe"]


async def test_a_mower_is_changed_where_it_is_said_and_nowhere_else(house: FleetHouse) -> None:
    before = (await house.mower()).mower
    site = await house.bus.request(routes.SITES_CREATE, CreateSiteRequest(**WHO, name="Allotment", time_zone="UTC"))
    reply = await house.bus.request(
        routes.MOWERS_UPDATE, UpdateMowerRequest(**WHO, mower_id=before.id, site_id=site.id, obey_rain=False)
    )
    assert reply.mower == msgspec.structs.replace(before, site_id=site.id, obey_rain=False)
    await house.bus.request(routes.MOWERS_UPDATE, UpdateMowerRequest(**WHO, mower_id=before.id, obey_rain=False))
    # Registered, map, moved; the last request changed nothing.
    assert await changed(house, subjects.MOWER_CHANGED, 3) == [before.id] * 3


@pytest.mark.parametrize(
    ("changes", "field"), [({"name": ""}, "name"), ({"name": "a\x00"}, "name"), ({"site_id": "nowhere"}, "site_id")]
)
async def test_what_is_wrong_with_a_mower_is_named(house: FleetHouse, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidError) as raised:
        await house.bus.request(routes.MOWERS_UPDATE, UpdateMowerRequest(**WHO, mower_id=house.mower_id, **changes))
    assert raised.value.field == field


async def test_areas_follow_the_map_and_keep_what_the_owner_said(house: FleetHouse) -> None:
    update = UpdateAreaRequest(**WHO, mower_id=house.mower_id, area_id="a1", name="Vorgarten", enabled=False)
    reply = await house.bus.request(routes.AREAS_UPDATE, update)
    assert [(area.id, area.name, area.enabled) for area in reply.areas] == [
        ("a1", "Vorgarten", False),
        ("a2", "Back", True),
    ]
    third = Area(id="a3", vendor_key="3", name="Side")
    await house.tell_map(house.mower_id, third, Area(id="a1", vendor_key="9", name="Zone 1"), complete=False)

    async def areas() -> list[tuple[str, str, bool]]:
        return [(area.id, area.name, area.enabled) for area in (await house.mower()).areas]

    await house.until(lambda: holds(areas, [("a3", "Side", True), ("a1", "Vorgarten", False), ("a2", "Back", True)]))
    await house.tell_map(house.mower_id, third, complete=True)
    await house.until(lambda: holds(areas, [("a3", "Side", True)]))


async def test_a_map_that_comes_late_changes_nothing(house: FleetHouse) -> None:
    long_ago = house.clock.now() - timedelta(days=1)
    await house.tell_map(house.mower_id, Area(id="old", vendor_key="0", name="Old"), observed_at=long_ago)
    second = await house.add_mower("sim-2")
    assert [area.id for area in (await house.mower(second)).areas] == ["a1", "a2"]
    assert [area.id for area in (await house.mower()).areas] == ["a1", "a2"]


async def test_the_same_map_again_is_no_change(house: FleetHouse) -> None:
    await changed(house, subjects.MOWER_CHANGED, 2)
    await house.tell_map(
        house.mower_id, Area(id="a1", vendor_key="1", name="Front"), Area(id="a2", vendor_key="2", name="Back")
    )
    second = await house.add_mower("sim-2")
    assert await changed(house, subjects.MOWER_CHANGED, 4) == [house.mower_id] * 2 + [second] * 2


async def test_an_area_that_is_not_there(house: FleetHouse) -> None:
    with pytest.raises(NotFoundError) as raised:
        await house.bus.request(
            routes.AREAS_UPDATE, UpdateAreaRequest(**WHO, mower_id=house.mower_id, area_id="x", enabled=True)
        )
    assert raised.value.field == "area_id"
