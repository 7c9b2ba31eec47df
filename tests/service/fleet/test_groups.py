"""Groups: made, changed, deleted, and what they stand for as a target."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.commands import CommandsSinceRequest
from edge_gateway.contracts.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError, UnavailableError
from edge_gateway.contracts.fleet import Asking, ResolveTargetRequest
from edge_gateway.contracts.groups import (
    CreateGroupRequest,
    DeleteGroupRequest,
    Group,
    GroupChanged,
    UpdateGroupRequest,
)
from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.schedules import NamedSchedule, SchedulesOfGroupReply, SchedulesOfGroupRequest
from tests.service.fleet.house import AREAS, FleetHouse

ASKING: dict[str, Any] = {"on_behalf_of": OWNER, "account_id": "home"}


async def make(house: FleetHouse, *mower_ids: str, name: str = "Both", max_concurrent: int | None = None) -> Group:
    request = CreateGroupRequest(**ASKING, name=name, mower_ids=mower_ids, max_concurrent=max_concurrent)
    return await house.bus.request(routes.GROUPS_CREATE, request)


async def listed(house: FleetHouse) -> list[Group]:
    return list((await house.bus.request(routes.GROUPS_LIST, Asking(**ASKING))).items)


async def told(house: FleetHouse, count: int) -> list[GroupChanged]:
    async def look() -> bool:
        return len([event for event in house.events if event.type == subjects.GROUP_CHANGED]) >= count

    await house.until(look)
    return [event.decode(GroupChanged) for event in house.events if event.type == subjects.GROUP_CHANGED]


@pytest.fixture
async def plans(house: FleetHouse) -> AsyncIterator[list[NamedSchedule]]:
    """Return the schedules that the Scheduler, played by the test, tells of any group."""
    found: list[NamedSchedule] = []

    async def answer(_question: SchedulesOfGroupRequest) -> SchedulesOfGroupReply:
        return SchedulesOfGroupReply(items=tuple(found))

    reply = await house.bus.reply(routes.SCHEDULES_OF_GROUP, answer)
    yield found
    await reply.unsubscribe()


@pytest.mark.usefixtures("plans")
async def test_a_group_s_life(house: FleetHouse) -> None:
    other = await house.add_mower("sim-2")
    group = await make(house, *sorted((house.mower_id, other), reverse=True), max_concurrent=1)
    assert group.mower_ids == tuple(sorted((house.mower_id, other)))
    assert await listed(house) == [group]
    change = UpdateGroupRequest(**ASKING, group_id=group.id, mower_ids=(other,), max_concurrent=None)
    changed = await house.bus.request(routes.GROUPS_UPDATE, change)
    assert changed == msgspec.structs.replace(group, mower_ids=(other,), max_concurrent=None)
    assert await house.bus.request(routes.GROUPS_UPDATE, change) == changed
    await house.bus.request(routes.GROUPS_DELETE, DeleteGroupRequest(**ASKING, group_id=group.id))
    assert await listed(house) == []
    events = await told(house, 3)
    assert [(event.group_id, event.removed) for event in events] == [
        (group.id, False),
        (group.id, False),
        (group.id, True),
    ]


async def test_a_group_that_is_planned_with_is_not_deleted(house: FleetHouse, plans: list[NamedSchedule]) -> None:
    group = await make(house, house.mower_id)
    request = DeleteGroupRequest(**ASKING, group_id=group.id)
    plans += [NamedSchedule(id=f"s{number}", name=f"Lawn {number}") for number in range(7)]
    with pytest.raises(ConflictError) as refused:
        await house.bus.request(routes.GROUPS_DELETE, request)
    assert refused.value.code == "group_in_use"
    assert "7 schedules plan with it (\u201cLawn 0\u201d, " in refused.value.detail
    assert "\u201cLawn 4\u201d and 2 more" in refused.value.detail
    assert [named["id"] for named in refused.value.values["schedules"]] == [f"s{number}" for number in range(7)]
    assert await listed(house) == [group]


async def test_without_a_word_of_the_scheduler_a_group_stays(house: FleetHouse) -> None:
    group = await make(house, house.mower_id)
    with pytest.raises(UnavailableError):
        await house.bus.request(routes.GROUPS_DELETE, DeleteGroupRequest(**ASKING, group_id=group.id))
    assert await listed(house) == [group]


async def test_a_group_as_a_target_is_its_mowers_in_the_order_of_their_ids(house: FleetHouse) -> None:
    mower_ids = [house.mower_id, await house.add_mower("sim-2"), await house.add_mower("sim-3")]
    group = await make(house, *mower_ids, max_concurrent=2)
    reply = await house.bus.request(routes.TARGETS_RESOLVE, ResolveTargetRequest(account_id="home", group_id=group.id))
    assert [mower.mower_id for mower in reply.mowers] == sorted(mower_ids)
    assert {mower.enabled_area_ids for mower in reply.mowers} == {tuple(area.id for area in AREAS)}
    assert reply.max_concurrent == 2


@pytest.mark.parametrize("group_id", ["none", "not an id", ""])
async def test_a_group_that_is_gone_as_a_target(house: FleetHouse, group_id: str) -> None:
    with pytest.raises(NotFoundError) as refused:
        await house.bus.request(routes.TARGETS_RESOLVE, ResolveTargetRequest(account_id="home", group_id=group_id))
    assert refused.value.code == "target_gone"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"mower_ids": ()}, "mower_ids"),
        ({"mower_ids": ("a", "a")}, "mower_ids"),
        ({"mower_ids": ("nobody",)}, "mower_ids"),
        ({"name": " "}, "name"),
        ({"max_concurrent": 0}, "max_concurrent"),
        ({"max_concurrent": 101}, "max_concurrent"),
    ],
)
async def test_bad_groups_name_the_field(house: FleetHouse, changes: dict[str, object], field: str) -> None:
    group = await make(house, house.mower_id)
    with pytest.raises(InvalidError) as made:
        await house.bus.request(
            routes.GROUPS_CREATE,
            msgspec.convert(ASKING | {"name": "New", "mower_ids": (house.mower_id,)} | changes, CreateGroupRequest),
        )
    with pytest.raises(InvalidError) as updated:
        await house.bus.request(
            routes.GROUPS_UPDATE, msgspec.convert(ASKING | {"group_id": group.id} | changes, UpdateGroupRequest)
        )
    assert (made.value.field, updated.value.field) == (field, field)
    assert await listed(house) == [group]


async def test_others_may_not(house: FleetHouse) -> None:
    request = CreateGroupRequest(on_behalf_of="service:x", account_id="home", name="A", mower_ids=(house.mower_id,))
    with pytest.raises(ForbiddenError):
        await house.bus.request(routes.GROUPS_CREATE, request)
    with pytest.raises(NotFoundError):
        await house.bus.request(routes.GROUPS_DELETE, DeleteGroupRequest(**ASKING, group_id="none"))


async def test_what_was_ordered_of_a_mower_since_a_moment_newest_first(house: FleetHouse) -> None:
    before = await house.issue("one")
    since = house.clock.now()
    made = [(await house.issue(key)).command.id for key in ("two", "three")]
    question = CommandsSinceRequest(account_id="home", mower_id=house.mower_id, since=since)
    reply = await house.bus.request(routes.COMMANDS_SINCE, question)
    assert [command.id for command in reply.items] == made[::-1]
    assert before.command.id not in made
    with pytest.raises(InvalidError) as refused:
        await house.bus.request(routes.COMMANDS_SINCE, msgspec.structs.replace(question, limit=0))
    assert refused.value.field == "limit"
