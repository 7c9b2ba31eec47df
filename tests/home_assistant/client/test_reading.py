"""Reading JSON: what is absent is None, what has a wrong type is an error with its path, nothing is guessed."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from custom_components.mowdeck.client.errors import MalformedError
from custom_components.mowdeck.client.mower import Activity
from custom_components.mowdeck.client.reading import Reading


def reading(value: object) -> Reading:
    return Reading.of({"x": value}, "thing")


@pytest.mark.parametrize(
    ("value", "read", "expected"),
    [
        ("a", lambda thing: thing.text("x"), "a"),
        (None, lambda thing: thing.text_or_none("x"), None),
        (True, lambda thing: thing.flag("x"), True),
        (3, lambda thing: thing.integer("x"), 3),
        (3, lambda thing: thing.number("x"), 3.0),
        ("2026-05-01T09:00:00+02:00", lambda thing: thing.moment("x"), datetime(2026, 5, 1, 7, tzinfo=UTC)),
        ("2026-05-01T07:00:00Z", lambda thing: thing.moment("x"), datetime(2026, 5, 1, 7, tzinfo=UTC)),
        ("2026-05-01", lambda thing: thing.day("x"), date(2026, 5, 1)),
        ("mowing", lambda thing: thing.choice("x", Activity.UNKNOWN), Activity.MOWING),
        ("dancing", lambda thing: thing.choice("x", Activity.UNKNOWN), Activity.UNKNOWN),
        (None, lambda thing: thing.mapping("x"), {}),
        (None, lambda thing: thing.objects("x", lambda each: each), ()),
        (["a"], lambda thing: thing.texts_or_none("x"), ("a",)),
        (None, lambda thing: thing.texts_or_none("x"), None),
    ],
)
def test_a_value_is_read(value: object, read: Callable[[Reading], Any], expected: object) -> None:
    assert read(reading(value)) == expected


@pytest.mark.parametrize(
    ("value", "read", "complaint"),
    [
        (None, lambda thing: thing.text("x"), "thing.x is missing"),
        (1, lambda thing: thing.text("x"), "thing.x is not a text"),
        (1, lambda thing: thing.flag("x"), "thing.x is not true or false"),
        (True, lambda thing: thing.integer("x"), "thing.x is not a whole number"),
        (1.5, lambda thing: thing.integer("x"), "thing.x is not a whole number"),
        ("1", lambda thing: thing.number("x"), "thing.x is not a number"),
        (True, lambda thing: thing.number("x"), "thing.x is not a number"),
        ("2026-05-01T07:00:00", lambda thing: thing.moment("x"), "thing.x is not a moment with an offset"),
        ("soon", lambda thing: thing.moment("x"), "thing.x is not a moment"),
        ("soon", lambda thing: thing.day("x"), "thing.x is not a date"),
        ([], lambda thing: thing.object("x"), "thing.x is not an object"),
        ({}, lambda thing: thing.texts("x"), "thing.x is not a list"),
        ([1], lambda thing: thing.texts("x"), "thing.x is not a list of texts"),
        ([1], lambda thing: thing.objects("x", lambda each: each), r"thing.x\[0\] is not an object"),
    ],
)
def test_a_wrong_value_is_an_error(value: object, read: Callable[[Reading], Any], complaint: str) -> None:
    with pytest.raises(MalformedError, match=f"^{complaint}$"):
        read(reading(value))
