"""A zone that cannot be kept is refused with the field that is wrong; the limits themselves are fine."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.telemetry import Zone
from edge_gateway.telemetry.zone_checks import check

CORNERS = ((-90.0, -180.0), (90.0, 180.0), (0.0, 0.0))
ZONE = Zone(id="z1", name="South", boundary=CORNERS)


def zone(**changes: Any) -> Zone:  # noqa: ANN401  # any field of a zone
    return msgspec.structs.replace(ZONE, **changes)


def many(count: int) -> list[Zone]:
    return [zone(id=f"z{number}") for number in range(count)]


@pytest.mark.parametrize(
    "zones",
    [
        [],
        many(50),
        [zone(name="S"), zone(id="z2", name=f" {'S' * 100} ")],
        [zone(boundary=CORNERS[:1] * 500)],
    ],
)
def test_what_lies_within_the_limits_is_kept(zones: Sequence[Zone]) -> None:
    check(zones)


NO_CORNER = "A corner is a latitude and a longitude in degrees."


@pytest.mark.parametrize(
    ("zones", "code", "detail", "field"),
    [
        (many(51), "out_of_range", "A mower has at most 50 zones.", "zones"),
        ([ZONE, ZONE], "invalid", "Two zones have the same id.", "zones"),
        (
            [ZONE, zone(id="z 2")],
            "invalid",
            "An id is made of letters, digits, `_` and `-` (1 to 64).",
            "zones[1].id",
        ),
        ([zone(name="  ")], "invalid", "A name has 1 to 100 letters.", "zones[0].name"),
        ([zone(name="S" * 101)], "invalid", "A name has 1 to 100 letters.", "zones[0].name"),
        ([zone(boundary=CORNERS[:2])], "out_of_range", "A zone has 3 to 500 corners.", "zones[0].boundary"),
        ([zone(boundary=CORNERS[:1] * 501)], "out_of_range", "A zone has 3 to 500 corners.", "zones[0].boundary"),
        *(
            ([zone(boundary=(*CORNERS, corner))], "out_of_range", NO_CORNER, "zones[0].boundary")
            for corner in ((90.1, 0.0), (-90.1, 0.0), (0.0, 180.1), (0.0, -180.1), (float("nan"), 0.0))
        ),
    ],
)
def test_what_lies_beyond_them_is_refused(zones: Sequence[Zone], code: str, detail: str, field: str) -> None:
    with pytest.raises(InvalidError) as caught:
        check(zones)
    assert (caught.value.code, caught.value.detail, caught.value.field) == (code, detail, field)
