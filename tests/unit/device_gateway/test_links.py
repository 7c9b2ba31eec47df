"""Which bridge, which link, and what is done about a silent bridge: the pure rules."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.bluetooth import Path
from edge_gateway.device_gateway.bridges.pinning import HYSTERESIS_DB, best_path, lacks_slots
from edge_gateway.device_gateway.bridges.watch_rule import Step, Watched, next_step
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


def path(carrier_id: str, dbm: int | None, *, free: int | None = 3, age: float = 0.0) -> Path:
    return Path(
        kind=BRIDGE,
        carrier_id=carrier_id,
        address="C0",
        device=None,
        signal_dbm=dbm,
        free_slots=free,
        age_seconds=age,
    )


@given(st.integers(-90, -40), st.integers(-90, -40))
def test_a_mower_changes_over_only_for_a_clearly_better_bridge(here: int, there: int) -> None:
    chosen = best_path([path("here", here), path("there", there)], pinned="here")
    assert chosen is not None
    assert (chosen.carrier_id == "there") == (there - here >= HYSTERESIS_DB)


def test_without_a_bridge_of_before_the_best_one_is_taken() -> None:
    chosen = best_path(
        [path("far", -80), path("near", -60), path("full", -40, free=0), path("gone", -30, age=90)], pinned=None
    )
    assert chosen is not None
    assert chosen.carrier_id == "near"


def test_only_full_bridges_lack_slots() -> None:
    assert best_path([path("full", -50, free=0)], pinned=None) is None
    assert lacks_slots([path("full", -50, free=0), path("too far", -99)])
    assert not lacks_slots([path("full", -50, free=0), path("free", -70)])
    assert not lacks_slots([])


WATCHED = Watched(
    silent_seconds=20,
    heard_before=True,
    taken_back_seconds=None,
    answered_since=False,
    named_thief=False,
    restarted_seconds=None,
    given_up=False,
    expects_mower=True,
)


@pytest.mark.parametrize(
    ("changes", "step"),
    [
        ({}, Step.TAKE_BACK),
        ({"silent_seconds": 5}, Step.NOTHING),
        ({"expects_mower": False}, Step.NOTHING),
        ({"taken_back_seconds": 20}, Step.RESTART),
        ({"taken_back_seconds": 5}, Step.NOTHING),
        ({"taken_back_seconds": 20, "restarted_seconds": 60}, Step.NOTHING),
        ({"taken_back_seconds": 20, "restarted_seconds": 4000}, Step.RESTART),
        ({"taken_back_seconds": 20, "heard_before": False}, Step.NOTHING),
        ({"taken_back_seconds": 20, "answered_since": True}, Step.GIVE_UP),
        ({"taken_back_seconds": 700}, Step.TAKE_BACK),
        ({"named_thief": True, "silent_seconds": 0}, Step.TAKE_BACK),
        ({"named_thief": True, "taken_back_seconds": 30}, Step.GIVE_UP),
        ({"named_thief": True, "given_up": True}, Step.NOTHING),
    ],
)
def test_a_silent_bridge(changes: dict[str, object], step: Step) -> None:
    assert next_step(msgspec.structs.replace(WATCHED, **changes), silence_seconds=15) is step


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


def test_nobody_lends_a_mower_unasked() -> None:
    assert LENT not in LinkPreference().order
