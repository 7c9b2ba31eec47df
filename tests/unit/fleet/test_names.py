"""What things may be called."""

import pytest

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.fleet.names import LONGEST, check_name


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Lawn", "Lawn"),
        ("  Vorgarten ", "Vorgarten"),
        ("草坪 🌱", "草坪 🌱"),
        ("x" * LONGEST, "x" * LONGEST),
        ("👩\u200d🌾", "👩\u200d🌾"),
        ("e\u0301", "e\u0301"),
        ("7", "7"),
    ],
)
def test_names_are_kept_without_blanks_around(given: str, kept: str) -> None:
    assert check_name(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "",
        "   ",
        "x" * (LONGEST + 1),
        "a\x00b",
        "a\nb",
        "a\u2028b",
        "\ud800",
        "\u200b",
        "\u200d\u0301",
        "Lawn\u202e",
        "\u2067x",
    ],
)
def test_no_names(given: str) -> None:
    with pytest.raises(InvalidError) as raised:
        check_name(given, "label")
    assert raised.value.field == "label"
