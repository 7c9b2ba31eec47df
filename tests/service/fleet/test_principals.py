"""Sets of principals on a real database: who is known, what each may do, and what is told of a change."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.commands import GetCommandRequest
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from edge_gateway.contracts.fleet import (
    Asking,
    CreateSiteRequest,
    DeleteSiteRequest,
    ListMowersRequest,
    ResolveTargetRequest,
    UpdateMowerRequest,
    UpdateSiteRequest,
)
from edge_gateway.contracts.grants import (
    GonePrincipal,
    GonePrincipalsRequest,
    Grant,
    GrantsChanged,
    PrincipalsReply,
    PutPrincipalsRequest,
    User,
)
from edge_gateway.contracts.groups import CreateGroupRequest, UpdateGroupRequest
from edge_gateway.contracts.principals import OWNER, PermissionCheckRequest, Relation
from edge_gateway.database.pools import Pool
from edge_gateway.fleet.repository import principals
from edge_gateway.fleet.rights import Rights
from edge_gateway.fleet.service import FleetService
from tests.eventually import eventually
from tests.service.fleet.asking import WHO
from tests.service.fleet.house import FleetHouse

ALL = tuple(Relation)
VIEW, CONTROL, EDIT, MANAGE = ALL
ANNA: dict[str, Any] = {"on_behalf_of": "user:anna", "account_id": "home"}
BERT: dict[str, Any] = {"on_behalf_of": "user:bert", "account_id": "home"}
OF_ANNA = Grant(principal="user:anna", relations=ALL, account=True)


class Household:
    """A Fleet with two mowers, of which Bert controls one, and what it told of grants."""

    def __init__(self, house: FleetHouse) -> None:
        """Prepare it."""
        self.house = house
        self.bus = house.bus
        self.robin = house.mower_id
        self.wren = ""
        self.told: list[GrantsChanged] = []

    async def open(self) -> None:
        """Listen, and bring the second mower."""
        await self.bus.subscribe(subjects.GRANTS_CHANGED, self._hear, acknowledge=False)
        self.wren = await self.house.add_mower("sim-2")

    async def put(self, revision: int, *grants: Grant, **changes: Any) -> PrincipalsReply:  # noqa: ANN401  # fields by name
        """Send a set in which Anna may do everything."""
        request = PutPrincipalsRequest(
            **WHO,
            instance_id="house",
            revision=revision,
            owner="user:anna",
            users=(User(id="user:anna", name="Anna"), User(id="user:bert", name="Bert")),
            grants=(OF_ANNA, *grants),
        )
        return await self.bus.request(routes.PRINCIPALS_PUT, msgspec.structs.replace(request, **changes))

    async def check(self, principal: str, relation: Relation, *mower_ids: str) -> dict[str, bool]:
        """Ask for a right."""
        question = PermissionCheckRequest(
            principal=principal, relation=relation, account_id="home", mower_ids=mower_ids
        )
        return (await self.bus.request(routes.PERMISSIONS_CHECK, question)).allowed

    async def until_told(self, count: int) -> list[GrantsChanged]:
        """Wait until so many changes were told."""

        async def look() -> list[GrantsChanged]:
            return self.told if len(self.told) >= count else []

        return await eventually(look)

    async def _hear(self, envelope: Envelope) -> None:
        self.told.append(envelope.decode(GrantsChanged))


@pytest.fixture
async def household(house: FleetHouse) -> Household:
    """Return a house with two mowers."""
    household = Household(house)
    await household.open()
    return household


def bert(*relations: Relation, **on: object) -> Grant:
    return Grant(principal="user:bert", relations=relations, **on)  # type: ignore[arg-type]  # fields by name


async def owner_of(household: Household) -> str:
    question = ResolveTargetRequest(account_id="home", mower_id=household.robin)
    return (await household.bus.request(routes.TARGETS_RESOLVE, question)).account_owner


async def test_sets_come_change_and_go(household: Household) -> None:
    put = household.put
    assert await owner_of(household) == OWNER
    assert await put(5, bert(CONTROL, mower_ids=(household.robin,))) == PrincipalsReply(
        instance_id="house", revision=5, changed=True
    )
    assert await owner_of(household) == "user:anna"

    # An older or equal one is told as such and changes nothing.
    for revision in (5, 4):
        with pytest.raises(ConflictError) as old:
            await put(revision)
        assert (old.value.code, old.value.values) == ("revision_not_newer", {"given": revision, "known": 5})
    assert await household.check("user:bert", CONTROL, household.robin) == {household.robin: True}
    # The same again is only a higher revision: nothing is told.
    assert not (await put(6, bert(CONTROL, mower_ids=(household.robin,)))).changed
    # One that would lock everybody out is refused by its field.
    for changes, field in (({"users": (), "grants": ()}, "users"), ({"grants": ()}, "grants")):
        with pytest.raises(InvalidError) as locked_out:
            await put(7, **changes)
        assert locked_out.value.field == field

    # Another house has a set of its own, with Bert in it.
    of_bert = {"owner": "user:bert", "users": (User(id="user:bert"),), "grants": (bert(*ALL, account=True),)}
    await put(1, instance_id="cottage", **of_bert)
    assert await owner_of(household) == "user:anna"
    await put(7, users=(User(id="user:anna", name="Anna"),))
    assert await household.check("user:bert", MANAGE) == {"home": True}
    # Bert is forgotten when the second house forgets him too: his name is kept for what he leaves behind.
    await put(
        2,
        instance_id="cottage",
        owner="user:eve",
        users=(User(id="user:eve"),),
        grants=(Grant(principal="user:eve", relations=ALL, account=True),),
    )
    with pytest.raises(ForbiddenError) as gone:
        await household.check("user:bert", VIEW)
    assert gone.value.code == "unknown_principal"
    asked = GonePrincipalsRequest(account_id="home", principals=("user:bert", "user:anna", "user:ghost", OWNER))
    left, never_there = (await household.bus.request(routes.PRINCIPALS_GONE, asked)).items
    assert (left.id, left.gone_at is not None) == ("user:bert", True)
    assert never_there == GonePrincipal(id="user:ghost")

    told = await household.until_told(4)
    assert [(change.instance_id, change.revision, change.passes_from, change.vanished) for change in told] == [
        ("house", 5, OWNER, ()),
        ("cottage", 1, None, ()),
        ("house", 7, None, ()),
        ("cottage", 2, None, ("user:bert",)),
    ]
    assert {change.owner for change in told} == {"user:anna"}


async def test_what_a_person_sees_and_may_do(household: Household) -> None:
    bus, robin, wren = household.bus, household.robin, household.wren
    garden = (await bus.request(routes.SITES_CREATE, CreateSiteRequest(**WHO, name="Garden", time_zone="UTC"))).id
    await bus.request(routes.MOWERS_UPDATE, UpdateMowerRequest(**WHO, mower_id=wren, site_id=garden))
    group = (await bus.request(routes.GROUPS_CREATE, CreateGroupRequest(**WHO, name="Wrens", mower_ids=(wren,)))).id
    await household.put(1, bert(VIEW, mower_ids=(robin,)))

    # Before anything of it is known, a mower, site or group is not there.
    assert [one.mower.id for one in (await bus.request(routes.MOWERS_LIST, ListMowersRequest(**BERT))).items] == [robin]
    assert [site.id for site in (await bus.request(routes.SITES_LIST, Asking(**BERT))).items] == ["home"]
    assert (await bus.request(routes.GROUPS_LIST, Asking(**BERT))).items == ()
    unseen: list[tuple[routes.Route[Any, Any], msgspec.Struct]] = [
        (routes.MOWERS_LIST, ListMowersRequest(**BERT, mower_id=wren)),
        (routes.MOWERS_UPDATE, UpdateMowerRequest(**BERT, mower_id=wren, name="Mine")),
        (routes.SITES_UPDATE, UpdateSiteRequest(**BERT, site_id=garden, name="Mine")),
        (routes.GROUPS_UPDATE, UpdateGroupRequest(**BERT, group_id=group, name="Mine")),
    ]
    for route, question in unseen:
        with pytest.raises(NotFoundError):
            await bus.request(route, question)
    with pytest.raises(NotFoundError):
        await household.house.issue(principal="user:bert", mower_id=wren)
    # What is seen and not allowed is forbidden.
    for route, question in (
        (routes.MOWERS_UPDATE, UpdateMowerRequest(**BERT, mower_id=robin, name="Mine")),
        (routes.SITES_DELETE, DeleteSiteRequest(**BERT, site_id="home")),
        (routes.SITES_CREATE, CreateSiteRequest(**BERT, name="Mine", time_zone="UTC")),
        (routes.GROUPS_CREATE, CreateGroupRequest(**BERT, name="Mine", mower_ids=(robin,))),
        (
            routes.PRINCIPALS_PUT,
            PutPrincipalsRequest(**BERT, instance_id="house", revision=2, owner="user:bert", users=(), grants=()),
        ),
    ):
        with pytest.raises(ForbiddenError) as refused:
            await bus.request(route, question)
        assert refused.value.code == "forbidden"
    with pytest.raises(ForbiddenError):
        await household.house.issue(principal="user:bert")
    with pytest.raises(ForbiddenError):
        await household.house.issue(principal="service:scheduler")

    # Managing a site or a group does not let somebody draw mowers of others into it.
    await household.put(
        2, bert(MANAGE, site_ids=(garden,)), bert(MANAGE, group_ids=(group,)), bert(VIEW, mower_ids=(robin,))
    )
    with pytest.raises(ForbiddenError):
        await bus.request(routes.MOWERS_UPDATE, UpdateMowerRequest(**BERT, mower_id=robin, site_id=garden))
    with pytest.raises(ForbiddenError):
        await bus.request(routes.MOWERS_UPDATE, UpdateMowerRequest(**BERT, mower_id=wren, site_id="home"))
    with pytest.raises(ForbiddenError):
        await bus.request(routes.GROUPS_UPDATE, UpdateGroupRequest(**BERT, group_id=group, mower_ids=(robin, wren)))
    renamed = await bus.request(routes.GROUPS_UPDATE, UpdateGroupRequest(**BERT, group_id=group, name="Birds"))
    assert renamed.name == "Birds"
    assert await household.check("user:bert", VIEW, robin, wren) == {robin: True, wren: True}
    assert await household.check("user:bert", MANAGE, robin, wren) == {robin: False, wren: True}
    assert await household.check("user:bert", CONTROL, wren) == {wren: False}


async def test_an_order_is_its_issuers_whatever_becomes_of_the_right(household: Household) -> None:
    house = household.house
    await household.put(1, bert(CONTROL, mower_ids=(household.robin,)))
    command = (await house.issue("k1", principal="user:bert")).command
    assert (
        command.issued_by,
        (await household.bus.request(routes.COMMANDS_GET, GetCommandRequest(**ANNA, command_id=command.id))).id,
    ) == ("user:bert", command.id)
    await household.put(2)
    # A known key answers before any other check; a new one finds that he sees the mower no more.
    assert (await house.issue("k1", principal="user:bert")).repeated
    with pytest.raises(NotFoundError):
        await house.issue("k2", principal="user:bert")
    mine = GetCommandRequest(**BERT, command_id=command.id)
    assert (await household.bus.request(routes.COMMANDS_GET, mine)).id == command.id


async def test_a_right_that_is_read_while_it_is_taken_is_not_kept(
    household: Household, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await household.put(1, bert(CONTROL, mower_ids=(household.robin,)))
    rights = Rights(household.house.clock)
    read = principals.held_by

    async def read_before_the_next_set(*arguments: Any) -> Any:  # noqa: ANN401  # what the real one takes and returns
        found = await read(*arguments)
        await household.put(2)
        rights.forget()
        return found

    async with pool.acquire() as connection:
        asked = (connection, "user:bert", CONTROL, "home", (household.robin,))
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(principals, "held_by", read_before_the_next_set)
            assert await rights.allowed(*asked) == {household.robin}
        assert await rights.allowed(*asked) == set()


async def test_decisions_of_another_copy_end_with_the_event_or_with_time(
    household: Household, nats_url: str, pool: Pool
) -> None:
    robin = household.robin
    await household.put(1, bert(CONTROL, mower_ids=(robin,)))
    copy_bus = await JetStreamBus.connect(nats_url, clock=household.house.clock, instance_id="copy")
    copy = FleetService(bus=copy_bus, pool=pool, clock=household.house.clock, settings=household.house.settings)
    await copy.start()

    async def of_both() -> set[bool]:
        # Copies share the questions, so that of twenty each has answered some.
        return {(await household.check("user:bert", CONTROL, robin))[robin] for _ in range(20)}

    try:
        assert await of_both() == {True}
        await household.put(2)
        await eventually(lambda: _is({False}, of_both))
        # Behind the back of all copies: nothing is told, and half a minute later it is read again.
        await pool.execute(
            "UPDATE fleet.principal SET held = $1 WHERE id = 'user:bert'", '{"account": ["can_control"]}'
        )
        assert await of_both() == {False}
        household.house.clock.offset += timedelta(seconds=31)
        assert await of_both() == {True}
    finally:
        await copy.stop()
        await copy_bus.close()


async def _is(wanted: set[bool], look: Any) -> bool:  # noqa: ANN401  # what looks
    return bool(await look() == wanted)
