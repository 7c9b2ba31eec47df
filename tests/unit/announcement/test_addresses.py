"""Only addresses that lead others to this machine are announced."""

import pytest

from edge_gateway.announcement.addresses import announced_addresses
from edge_gateway.announcement.announcement import Announced

OWN = ("127.0.0.1", "192.0.2.7", "10.0.0.3")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("0.0.0.0", ("10.0.0.3", "192.0.2.7")),  # noqa: S104  # a setting
        ("::", ("10.0.0.3", "192.0.2.7")),
        ("192.0.2.7", ("192.0.2.7",)),
        ("127.0.0.1", ()),
        ("localhost", ()),
        ("::1", ()),
        ("garden.example", ()),
    ],
)
def test_what_leads_here_is_announced(host: str, expected: tuple[str, ...]) -> None:
    assert announced_addresses(host, OWN) == expected


def test_a_long_name_fits_into_a_property_and_stays_readable() -> None:
    announced = Announced(gateway_id="g", name="Gärten " * 40, version="1.0.0", api_min=1, api_max=1)
    name = announced.properties()["name"]
    assert len(f"name={name}".encode()) <= 255
    assert announced.name.startswith(name)
