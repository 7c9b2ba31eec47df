"""What a mower looks like, from what is known of it."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from edge_gateway.api.mower_board import MowerBoard
from edge_gateway.api.mower_views import merge
from edge_gateway.contracts.fleet import MowerArea, MowerReply
from edge_gateway.contracts.mower import (
    Activity,
    Job,
    Link,
    LinkKind,
    Mower,
    MowerAvailability,
    MowerState,
    Position,
    Problem,
)
from edge_gateway.contracts.views import PositionView

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)
RECORD = MowerReply(
    mower=Mower(
        id="m1", account_id="home", name="Rasputin", provider="simulator", vendor_key="sim-1", site_id="home",
        firmware_version="1.0", newest_firmware_version="1.1", created_at=NOW,
    ),
    areas=(MowerArea(id="a1", name="Front"),),
)  # fmt: skip
STATE = MowerState(
    mower_id="m1",
    account_id="home",
    observed_at=NOW,
    activity=Activity.MOWING,
    battery_percent=0,
    charging=False,
    position=Position(latitude=52.0, longitude=13.0),
    area_id="a1",
    progress_percent=0.0,
    job=Job(id="j1"),
    problem=Problem(code="stuck"),
)
REACHED = MowerAvailability(
    mower_id="m1",
    account_id="home",
    available=True,
    changed_at=NOW,
    links=(Link(kind=LinkKind.SIMULATED, connected=True),),
)


def test_everything_known() -> None:
    view = merge(RECORD, STATE, REACHED, gateway_alive=True)
    assert (view.available, view.unavailable_reason) == (True, None)
    assert (view.activity, view.battery_percent, view.charging) == (Activity.MOWING, 0, False)
    assert view.position == PositionView(latitude=52.0, longitude=13.0, observed_at=NOW)
    assert (view.area_id, view.progress_percent, view.job, view.problem) == ("a1", 0.0, STATE.job, STATE.problem)
    assert (view.areas, view.links, view.observed_at) == (RECORD.areas, REACHED.links, NOW)
    assert (view.firmware_version, view.newest_firmware_version) == ("1.0", "1.1")


def test_nothing_known_is_null_and_never_zero_or_docked() -> None:
    view = merge(RECORD, None, None, gateway_alive=True)
    assert (view.available, view.unavailable_reason) == (False, "never_heard")
    assert view.activity is Activity.UNKNOWN
    live = (view.battery_percent, view.charging, view.position, view.area_id, view.progress_percent, view.job)
    assert live == (None,) * 6
    assert (view.problem, view.links, view.observed_at) == (None, (), None)


def test_a_mower_out_of_reach_keeps_what_was_last_known() -> None:
    lost = msgspec.structs.replace(REACHED, available=False, reason="link_lost")
    view = merge(RECORD, STATE, lost, gateway_alive=True)
    assert (view.available, view.unavailable_reason) == (False, "link_lost")
    assert view.activity is Activity.MOWING


def test_no_mower_is_reached_without_its_gateway() -> None:
    view = merge(RECORD, STATE, REACHED, gateway_alive=False)
    assert (view.available, view.unavailable_reason, view.links) == (False, "gateway_stopped", ())


def test_the_board_keeps_the_newest_state() -> None:
    board = MowerBoard()
    newer = msgspec.structs.replace(STATE, observed_at=NOW + timedelta(seconds=5), battery_percent=50)
    assert board.take_state(newer)
    assert not board.take_state(STATE)
    assert not board.take_state(newer)
    assert board.state("m1") == newer


def test_the_board_keeps_the_newest_availability() -> None:
    board = MowerBoard()
    lost = msgspec.structs.replace(REACHED, available=False, changed_at=NOW + timedelta(seconds=5))
    assert board.take_availability(lost)
    assert not board.take_availability(REACHED)
    assert board.availability("m1") == lost


def test_a_removed_mower_leaves_nothing() -> None:
    board = MowerBoard()
    board.put_record(RECORD)
    board.take_state(STATE)
    assert board.remove("m1")
    assert not board.remove("m1")
    assert (board.views(), board.view("m1"), board.state("m1")) == ((), None, None)


@pytest.mark.parametrize(("names", "order"), [(("b", "a"), ("a", "b")), (("a", "a"), ("a", "a"))])
def test_views_come_in_the_order_of_names(names: tuple[str, str], order: tuple[str, str]) -> None:
    board = MowerBoard()
    board.put_records(
        MowerReply(mower=msgspec.structs.replace(RECORD.mower, id=f"m{number}", name=name))
        for number, name in enumerate(names)
    )
    assert tuple(view.name for view in board.views()) == order
