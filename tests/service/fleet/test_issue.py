"""Orders: checked, recorded, published once, counted."""

from datetime import timedelta

import pytest
from prometheus_client import REGISTRY

from edge_gateway.contracts.commands import CommandBody, CommandKind, CommandStatus, IssueCommandReply, StartMode
from edge_gateway.contracts.errors import (
    ConflictError,
    ForbiddenError,
    InvalidError,
    MowDeckError,
    NotFoundError,
    UnavailableError,
)
from edge_gateway.contracts.principals import OWNER, Origin
from tests.service.fleet.house import START, FleetHouse, gather_all

PAUSE = CommandBody(kind=CommandKind.PAUSE)


def counted(origin: Origin, outcome: str) -> float:
    labels = {"origin": origin.value, "outcome": outcome}
    return REGISTRY.get_sample_value("mowdeck_fleet_issued_commands_total", labels) or 0.0


async def test_an_accepted_order_is_recorded_and_published_once(house: FleetHouse) -> None:
    before = counted(Origin.VOICE, "accepted")
    body = CommandBody(kind=CommandKind.START_MOW, mode=StartMode.NEW, area_ids=("a2",), pattern={"angle": 30.5})
    reply = await house.issue("k1", body, origin=Origin.VOICE)
    command = reply.command
    assert not reply.repeated
    assert (command.status, command.key, command.issued_by) == (CommandStatus.ACCEPTED, "k1", OWNER)
    assert (command.mower_id, command.origin, command.body) == (house.mower_id, Origin.VOICE, body)
    assert await house.command(command.id) == command

    (order,) = await house.until_heard(1)
    assert (order.command_id, order.mower_id, order.body) == (command.id, house.mower_id, body)
    assert order.expires_at - order.issued_at == timedelta(seconds=30)
    assert order.motion_expires_at - order.issued_at == timedelta(seconds=120)
    await house.nothing_more_is_ordered()
    assert len(house.orders) == 1
    assert counted(Origin.VOICE, "accepted") == before + 1


async def test_a_known_key_answers_with_the_stored_command_before_any_other_check(house: FleetHouse) -> None:
    first = await house.issue("k1")
    await house.tell_availability(house.mower_id, available=False, reason="link_lost")

    async def lost() -> bool:
        return not await house.reached(house.mower_id)

    await house.until(lost)
    again = await house.issue("k1")
    assert again == IssueCommandReply(command=first.command, repeated=True)
    # Nor does it matter that its issuer may not order anything any more.
    await house.pool.execute("UPDATE fleet.command SET issued_by = 'user:gone'")
    assert (await house.issue("k1", principal="user:gone")).command.id == first.command.id
    with pytest.raises(ForbiddenError):
        await house.issue("k2", principal="user:gone")
    await house.nothing_more_is_ordered()
    assert len(house.orders) == 1


async def test_fifty_at_once_with_one_key_are_one_command(house: FleetHouse) -> None:
    replies = await gather_all(*(house.issue("k1") for _ in range(50)))
    issued = [reply for reply in replies if isinstance(reply, IssueCommandReply)]
    assert len(issued) == 50
    assert len({reply.command.id for reply in issued}) == 1
    assert sum(not reply.repeated for reply in issued) == 1
    assert await house.commands_recorded() == 1
    await house.until_heard(1)
    await house.nothing_more_is_ordered()
    assert len(house.orders) == 1


async def test_fifty_at_once_with_one_key_and_two_orders_are_one_command(house: FleetHouse) -> None:
    replies = await gather_all(*(house.issue("k1", START if number % 2 else PAUSE) for number in range(50)))
    issued = [reply for reply in replies if isinstance(reply, IssueCommandReply)]
    refused = [reply for reply in replies if isinstance(reply, ConflictError)]
    assert (len(issued), len(refused)) == (25, 25)
    assert {error.code for error in refused} == {"key_reused"}
    assert await house.commands_recorded() == 1
    await house.until_heard(1)
    await house.nothing_more_is_ordered()
    assert len(house.orders) == 1


@pytest.mark.parametrize("other", ["command", "mower"])
async def test_a_key_with_another_order_is_refused(house: FleetHouse, other: str) -> None:
    second = await house.add_mower("sim-2")
    await house.issue("k1")
    with pytest.raises(ConflictError) as raised:
        await house.issue("k1", PAUSE if other == "command" else START, mower_id=second if other == "mower" else None)
    assert raised.value.code == "key_reused"


async def test_keys_are_apart_by_origin(house: FleetHouse) -> None:
    first = await house.issue("k1", origin=Origin.API)
    second = await house.issue("k1", PAUSE, origin=Origin.VOICE)
    assert first.command.id != second.command.id


@pytest.mark.parametrize(
    ("body", "changes", "error_class", "code", "field"),
    [
        (START, {"principal": "user:stranger"}, ForbiddenError, "unknown_principal", "on_behalf_of"),
        (START, {"principal": "service:scheduler"}, ForbiddenError, "forbidden", "on_behalf_of"),
        (START, {"account_id": "neighbour"}, NotFoundError, "not_found", "account_id"),
        (START, {"mower_id": "nobody"}, NotFoundError, "not_found", "mower_id"),
        (CommandBody(kind=CommandKind.PAUSE, mode=StartMode.NEW), {}, InvalidError, "invalid", "mode"),
        (
            CommandBody(kind=CommandKind.START_MOW, area_ids=("a1", "gone")),
            {},
            InvalidError,
            "invalid",
            "area_ids",
        ),
        (START, {"key": ""}, InvalidError, "invalid", "key"),
    ],
)
async def test_refusals_name_what_is_wrong_and_leave_the_key_free(
    house: FleetHouse,
    body: CommandBody,
    changes: dict[str, str],
    error_class: type[MowDeckError],
    code: str,
    field: str,
) -> None:
    before = counted(Origin.API, code)
    with pytest.raises(error_class) as raised:
        await house.issue(changes.get("key", "k1"), body, **{k: v for k, v in changes.items() if k != "key"})  # type: ignore[arg-type]  # parts by name
    assert (raised.value.code, raised.value.field) == (code, field)
    assert counted(Origin.API, code) == before + 1
    assert await house.commands_recorded() == 0
    assert not (await house.issue("k1", PAUSE)).repeated
    await house.until_heard(1)


@pytest.mark.parametrize("heard", [True, False])
async def test_a_mower_out_of_reach_is_refused_and_the_key_stays_free(house: FleetHouse, heard: bool) -> None:  # noqa: FBT001  # a parameter
    if heard:
        await house.tell_availability(house.mower_id, available=False, reason="link_lost")
    else:
        await house.pool.execute("DELETE FROM fleet.availability")

    async def lost() -> bool:
        return not await house.reached(house.mower_id)

    await house.until(lost)
    with pytest.raises(UnavailableError) as raised:
        await house.issue("k1")
    assert raised.value.code == "unavailable"
    assert raised.value.values == {"reason": "link_lost" if heard else "never_heard"}
    assert await house.commands_recorded() == 0
    await house.tell_availability(house.mower_id, available=True)
    await house.until(lambda: house.reached(house.mower_id))
    assert not (await house.issue("k1")).repeated


async def test_areas_of_a_mower_without_a_map_are_unknown(house: FleetHouse) -> None:
    await house.pool.execute("DELETE FROM fleet.area")
    await house.pool.execute("DELETE FROM fleet.map")
    with pytest.raises(InvalidError) as raised:
        await house.issue("k1", CommandBody(kind=CommandKind.START_MOW, area_ids=("a1",)))
    assert raised.value.values == {"unknown": ["a1"], "map_known": False}


async def test_a_mower_is_reached_again_although_the_clock_was_set_back(house: FleetHouse) -> None:
    ahead = "UPDATE fleet.availability SET available = false, reason = 'gateway_stopped', changed_at = now() + interval"
    await house.pool.execute(f"{ahead} '1 hour'")
    await house.tell_availability(house.mower_id, available=True)
    await house.until(lambda: house.reached(house.mower_id))
