"""When Bluetooth is let go, stands in and is taken up again: at the second that is named, not after it."""

from datetime import UTC, datetime, timedelta

import pytest

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.link_preference import LinkPreference
from edge_gateway.device_gateway.mammotion.link_rule import CloudFacts, goes_back, wanted_kinds

NOW = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
BRIDGE, CLOUD = LinkKind.BRIDGE, LinkKind.CLOUD


def test_released_until_a_moment_it_is_wanted_at_that_moment() -> None:
    preference = LinkPreference(order=(BRIDGE, CLOUD), released_until=NOW)
    works = CloudFacts(works=True, seconds=100)
    assert wanted_kinds(preference, works, connected=None, now=NOW) == (BRIDGE,)
    assert wanted_kinds(preference, works, connected=None, now=NOW - timedelta(microseconds=1)) == ()


@pytest.mark.parametrize(
    ("works", "seconds", "connected", "wanted"),
    [
        (False, 9.9, None, ()),
        (False, 10.0, None, (BRIDGE,)),
        (True, 9.9, None, ()),
        (True, 10.0, None, ()),
        (True, 59.9, BRIDGE, (BRIDGE,)),
        (True, 60.0, BRIDGE, ()),
        (False, 60.0, BRIDGE, (BRIDGE,)),
        (False, 9.9, BRIDGE, (BRIDGE,)),
    ],
)
def test_behind_the_cloud_it_stands_in_after_ten_seconds_and_is_let_go_after_a_minute(
    *, works: bool, seconds: float, connected: LinkKind | None, wanted: tuple[LinkKind, ...]
) -> None:
    preference = LinkPreference(order=(CLOUD, BRIDGE))
    facts = CloudFacts(works=works, seconds=seconds)
    assert wanted_kinds(preference, facts, connected=connected, now=NOW) == wanted


@pytest.mark.parametrize(
    ("connected", "nearer", "works", "back"),
    [
        (0.0, 60.0, False, True),
        (0.0, 59.9, True, False),
        (1800.0, None, True, True),
        (1799.9, None, True, False),
        (1800.0, 59.9, True, True),
        (1800.0, None, False, False),
    ],
)
def test_it_goes_back_to_a_nearer_carrier_that_stayed_a_minute_and_looks_each_half_hour(
    *, connected: float, nearer: float | None, works: bool, back: bool
) -> None:
    assert goes_back(connected_seconds=connected, nearer_seconds=nearer, nearer_works=works) is back
