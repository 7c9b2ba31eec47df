"""The models: read from the API's JSON, written for its requests."""

import pytest

from custom_components.mowdeck.client.command import CommandKind, Order, StartMode
from custom_components.mowdeck.client.errors import MalformedError
from custom_components.mowdeck.client.messages import Change, Hello, MessageReader, Snapshot
from custom_components.mowdeck.client.mower import Mower
from custom_components.mowdeck.client.reading import Reading
from custom_components.mowdeck.client.recurrence import EveryNDays, Once, Weekly
from custom_components.mowdeck.client.schedule import Schedule
from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json


async def test_every_message_is_read() -> None:
    reader = MessageReader()
    assert isinstance(await reader.read(documents.hello()), Hello)
    assert isinstance(await reader.read(documents.snapshot()), Snapshot)
    change = await reader.read(documents.change(mower=documents.mower()))
    assert isinstance(change, Change)
    assert change.mower is not None
    assert change.mower.links[0].signal_dbm == -61
    assert change.happening is None
    assert await reader.read({"type": "of tomorrow"}) is None


async def test_a_message_without_a_type_is_an_error() -> None:
    with pytest.raises(MalformedError, match=r"message\.type is missing"):
        await MessageReader().read({})


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ({"kind": "weekly", "days": ["mon"], "at": "09:00"}, Weekly),
        ({"kind": "every_n_days", "interval": 3, "anchor": "2026-05-01", "at": "09:00"}, EveryNDays),
        ({"kind": "once", "day": "2026-05-01", "at": "09:00"}, Once),
    ],
)
def test_a_recurrence_is_read_and_written(document: Json, kind: type[Weekly | EveryNDays | Once]) -> None:
    recurrence = Schedule.read(Reading.of(documents.schedule(recurrence=document), "schedule")).recurrence
    assert recurrence is not None
    assert isinstance(recurrence, kind)
    assert recurrence.json() == document


def test_a_recurrence_of_a_newer_kind_is_not_known() -> None:
    document = documents.schedule(recurrence={"kind": "monthly", "at": "09:00"})
    assert Schedule.read(Reading.of(document, "schedule")).recurrence is None


@pytest.mark.parametrize("day", ["someday", "Mon"])
def test_a_day_that_is_none_is_an_error(day: str) -> None:
    document = documents.schedule(recurrence={"kind": "weekly", "days": [day], "at": "09:00"})
    with pytest.raises(MalformedError, match=r"schedule\.recurrence\.days"):
        Schedule.read(Reading.of(document, "schedule"))


async def test_what_a_mower_reports_again_is_not_read_again() -> None:
    reader = MessageReader()

    async def mower(**changes: object) -> Mower:
        change = await reader.read(documents.change(mower=documents.mower(**changes)))
        assert isinstance(change, Change)
        assert change.mower is not None
        return change.mower

    before = await mower(battery_percent=50)
    after = await mower(battery_percent=49)
    assert after.battery_percent == 49
    assert after.areas is before.areas
    assert after.links is before.links
    switched = await mower(areas=[{"id": "front", "name": "Front", "enabled": False, "size_m2": 120.5}])
    assert not switched.areas[0].enabled
    assert before.areas[0].enabled
    with pytest.raises(MalformedError, match=r"mower\.areas\[0\]\.enabled"):
        await mower(areas=[{"id": "front", "name": "Front", "enabled": "no"}])
    assert (await mower(position=None)).position is None


def test_an_order_names_only_what_was_asked_for() -> None:
    assert Order(kind=CommandKind.PAUSE).json() == {"kind": "pause"}
    assert Order(kind=CommandKind.START_MOW, mode=StartMode.NEW, area_ids=("front",)).json() == {
        "kind": "start_mow",
        "mode": "new",
        "area_ids": ["front"],
    }
