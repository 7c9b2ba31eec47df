"""What a reader of the events sees, by table."""

from datetime import UTC, datetime
from typing import Any

import pytest

from edge_gateway.api.events.board import Board
from edge_gateway.api.events.readers import Reader, Readers
from edge_gateway.api.events.sight import WHOLE, Sight, about
from edge_gateway.api.mower_board import MowerBoard
from edge_gateway.contracts.fleet import Site
from edge_gateway.contracts.groups import Group
from edge_gateway.contracts.schedules import Schedule, Target, WeeklyRecurrence
from edge_gateway.contracts.views import Change

NOW = datetime(2026, 5, 4, 7, tzinfo=UTC)
ANNA = Sight(whole=False, things=frozenset({"mower:robin", "site:home", "group:birds", "user:anna"}))


def schedule(owner: str, **target: str) -> Schedule:
    return Schedule(
        id="plan",
        account_id="home",
        owner=owner,
        name="Plan",
        target=Target(**target),
        recurrence=WeeklyRecurrence(days=("mon",), at="09:00"),
        duration_minutes=60,
        effective_time_zone="UTC",
        created_at=NOW,
        changed_at=NOW,
    )


def event(**payload: Any) -> dict[str, Any]:  # noqa: ANN401  # JSON
    return {"event": {"type": "any", "payload": payload}}


def site(site_id: str) -> dict[str, Any]:
    return {"site": Site(id=site_id, account_id="home", name="Home", time_zone="UTC")}


def group(group_id: str) -> dict[str, Any]:
    return {"group": Group(id=group_id, account_id="home", name="Birds", mower_ids=("robin",))}


@pytest.mark.parametrize(
    ("what", "seen"),
    [
        ({"schedule": schedule("user:bert", mower_id="robin")}, True),
        ({"schedule": schedule("user:bert", mower_id="wren")}, False),
        ({"schedule": schedule("user:anna", mower_id="wren")}, True),
        ({"schedule": schedule("user:bert", group_id="birds")}, True),
        ({"schedule": schedule("user:bert", group_id="cats")}, False),
        (site("home"), True),
        (site("field"), False),
        (group("birds"), True),
        (group("cats"), False),
        (event(mower_id="robin"), True),
        (event(mower_id="wren"), False),
        (event(site_id="home"), True),
        (event(schedule_id="plan"), True),
        (event(schedule_id="gone"), False),
        (event(instance_id="house", vanished=["user:bert"]), False),
        # An id that was never seen says nothing.
        ({"mower_removed": "wren"}, True),
        ({"schedule_removed": "plan"}, True),
    ],
)
def test_what_is_seen_of_changes(what: dict[str, Any], *, seen: bool) -> None:
    board = Board(MowerBoard())
    board.schedules["plan"] = schedule("user:bert", mower_id="robin")
    things = about(Change(cursor="", id="1", **what), board)
    assert ANNA.sees(things) is seen
    assert WHOLE.sees(things)


async def test_messages_go_to_those_who_see_what_they_are_about() -> None:
    readers = Readers()
    whole, anna = Reader(10, []), Reader(10, [], ANNA)
    readers.add(whole)
    readers.add(anna)
    for message, things in ((b"1", frozenset({"mower:wren"})), (b"2", frozenset({"mower:robin"})), (b"3", None)):
        readers.offer(message, things)
    assert [await whole.next() for _ in range(3)] == [b"1", b"2", b"3"]
    assert [await anna.next() for _ in range(2)] == [b"2", b"3"]
