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
from edge_gateway.device_gateway.mammotion.link_rule import CloudFacts, wants_bluetooth

NOW = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
BRIDGE, CLOUD = LinkKind.BRIDGE, LinkKind.CLOUD


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


def wants(
    order: tuple[LinkKind, ...], *, works: bool, seconds: float, connected: bool = False, minutes: int = 0
) -> bool:
    until = NOW + timedelta(minutes=minutes) if minutes else None
    return wants_bluetooth(
        LinkPreference(order=order, released_until=until),
        CloudFacts(works=works, seconds=seconds),
        kinds=[BRIDGE],
        connected=connected,
        now=NOW,
    )


def test_the_nearer_link_is_kept_open_when_it_is_preferred() -> None:
    assert wants((BRIDGE, CLOUD), works=True, seconds=1000)
    assert not wants((BRIDGE, CLOUD), works=True, seconds=1000, minutes=10)
    assert not wants((CLOUD,), works=False, seconds=1000)
    assert wants((BRIDGE,), works=True, seconds=1000)


def test_a_cloud_that_is_preferred_has_to_be_away_and_back_for_some_time() -> None:
    order = (CLOUD, BRIDGE)
    assert not wants(order, works=False, seconds=2)
    assert wants(order, works=False, seconds=30)
    assert wants(order, works=True, seconds=10, connected=True)
    assert not wants(order, works=True, seconds=100, connected=True)
