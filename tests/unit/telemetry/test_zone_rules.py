"""What was left is told before what was entered, each by its name."""

from edge_gateway.contracts.telemetry import Zone
from edge_gateway.telemetry.zone_rules import Crossing, crossings

ZONES = tuple(
    Zone(id=f"z{number}", name=name, boundary=()) for number, name in ((1, "South"), (2, "North"), (3, "Bed"))
)


def test_leaving_is_told_first_and_a_zone_that_is_gone_has_no_name() -> None:
    assert crossings(("z0", "z1", "z2"), ("z2", "z3"), ZONES) == [
        Crossing("z0", None, entered=False),
        Crossing("z1", "South", entered=False),
        Crossing("z3", "Bed", entered=True),
    ]
