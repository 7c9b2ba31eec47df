"""When Bluetooth is let go, stands in and is taken up again: at the second that is named, not after it."""

from datetime import UTC, datetime, timedelta

import pytest

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.link_preference import LinkPreference
from edge_gateway.device_gateway.mammotion.link_rule import (
    LOOK_AGAIN_SECONDS,
    RETURN_SECONDS,
    CloudFacts,
    goes_back,
    wanted_kinds,
)

NOW = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
BRIDGE, LENT, CLOUD = LinkKind.BRIDGE, LinkKind.HOME_ASSISTANT, LinkKind.CLOUD


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


def wanted(
    order: tuple[LinkKind, ...], *, works: bool, seconds: float, connected: LinkKind | None = None, minutes: int = 0
) -> tuple[LinkKind, ...]:
    until = NOW + timedelta(minutes=minutes) if minutes else None
    return wanted_kinds(
        LinkPreference(order=order, released_until=until),
        CloudFacts(works=works, seconds=seconds),
        connected=connected,
        now=NOW,
    )


def test_the_nearer_links_are_kept_open_when_they_are_preferred() -> None:
    assert wanted((BRIDGE, CLOUD), works=True, seconds=1000) == (BRIDGE,)
    assert wanted((BRIDGE, LENT, CLOUD), works=True, seconds=1000) == (BRIDGE, LENT)
    assert wanted((LENT, CLOUD, BRIDGE), works=True, seconds=1000) == (LENT,)
    assert wanted((BRIDGE, LENT, CLOUD), works=True, seconds=1000, minutes=10) == ()
    assert wanted((CLOUD,), works=False, seconds=1000) == ()
    assert wanted((LENT, BRIDGE), works=True, seconds=1000) == (LENT, BRIDGE)


def test_a_cloud_that_is_preferred_has_to_be_away_and_back_for_some_time() -> None:
    order = (CLOUD, LENT, BRIDGE)
    assert wanted(order, works=False, seconds=2) == ()
    assert wanted(order, works=False, seconds=30) == (LENT, BRIDGE)
    assert wanted(order, works=True, seconds=10, connected=LENT) == (LENT,)
    assert wanted(order, works=True, seconds=100, connected=LENT) == ()


def test_a_mower_goes_back_to_a_nearer_carrier_that_stays_and_looks_for_one_now_and_then() -> None:
    assert not goes_back(connected_seconds=100, nearer_seconds=RETURN_SECONDS - 1, nearer_works=True)
    assert goes_back(connected_seconds=100, nearer_seconds=RETURN_SECONDS, nearer_works=True)
    assert not goes_back(connected_seconds=LOOK_AGAIN_SECONDS, nearer_seconds=None, nearer_works=False)
    assert goes_back(connected_seconds=LOOK_AGAIN_SECONDS, nearer_seconds=None, nearer_works=True)
