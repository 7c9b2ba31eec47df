"""The ring of changes and the cursors into it."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.api.events.cursors import Cursor
from edge_gateway.api.events.journal import Journal
from edge_gateway.contracts.views import Change


def change(number: int) -> Change:
    return Change(cursor="", id=f"e{number}", site_removed="s")


def ids(messages: tuple[bytes, ...] | None) -> list[str] | None:
    return None if messages is None else [msgspec.json.decode(message, type=Change).id for message in messages]


@given(kept=st.integers(1, 10), before=st.integers(0, 30), after=st.integers(0, 30))
def test_what_was_missed_comes_once_and_in_order_or_not_at_all(kept: int, before: int, after: int) -> None:
    journal = Journal(kept)
    for number in range(before):
        journal.append(change(number))
    cursor = journal.cursor
    for number in range(before, before + after):
        journal.append(change(number))
    missed = ids(journal.since(cursor))
    if after <= kept:
        assert missed == [f"e{number}" for number in range(before, before + after)]
    else:
        assert missed is None


def test_each_change_carries_the_cursor_after_it() -> None:
    journal = Journal(10)
    message = msgspec.json.decode(journal.append(change(1)), type=Change)
    assert message.cursor == journal.cursor
    journal.append(change(2))
    assert ids(journal.since(message.cursor)) == ["e2"]


@pytest.mark.parametrize("cursor", ["", "x", "01JD-", "-1", "0" * 26 + "-1", "0" * 26 + "-999999999999999999999"])
def test_a_cursor_that_was_never_ours_is_unknown(cursor: str) -> None:
    journal = Journal(10)
    journal.append(change(1))
    assert journal.since(cursor) is None


def test_a_cursor_of_the_future_is_unknown() -> None:
    journal = Journal(10)
    epoch = journal.cursor.partition("-")[0]
    assert journal.since(f"{epoch}-1") is None


def test_after_a_gap_every_cursor_is_unknown() -> None:
    journal = Journal(10)
    journal.append(change(1))
    before = journal.cursor
    journal.restart()
    assert journal.since(before) is None
    assert journal.since(journal.cursor) == ()


def test_a_cursor_survives_its_form() -> None:
    cursor = Cursor("0" * 26, 7)
    assert Cursor.parse(str(cursor)) == cursor
