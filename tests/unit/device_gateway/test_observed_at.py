"""`observed_at` is strictly increasing, whatever clocks and vendors do."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.device_gateway.observed_at import MAXIMUM_AHEAD, Told, advance

NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MICROSECOND = timedelta(microseconds=1)


def told(sent_at: datetime, source_at: datetime | None = None) -> Told:
    return Told(sent_at=sent_at, source_at=sent_at if source_at is None else source_at)


def test_the_first_state_keeps_its_time() -> None:
    assert advance(None, source_at=NOW - SECOND, received_at=NOW) == told(NOW - SECOND)


def test_a_newer_state_keeps_its_time() -> None:
    assert advance(told(NOW - 2 * SECOND), source_at=NOW - SECOND, received_at=NOW) == told(NOW - SECOND)


def test_two_states_of_one_moment_are_a_microsecond_apart() -> None:
    second = advance(told(NOW), source_at=NOW, received_at=NOW)
    assert second == told(NOW + MICROSECOND, NOW)
    assert second is not None
    assert advance(second, source_at=NOW, received_at=NOW) == told(NOW + 2 * MICROSECOND, NOW)


def test_a_state_that_was_overtaken_is_dropped() -> None:
    assert advance(told(NOW - SECOND), source_at=NOW - 2 * SECOND, received_at=NOW) is None
    assert advance(told(NOW), source_at=NOW - MICROSECOND, received_at=NOW) is None


def test_after_a_restart_a_state_older_than_the_streams_is_dropped() -> None:
    last = Told.read_back(NOW - SECOND)
    assert advance(last, source_at=NOW - timedelta(minutes=5), received_at=NOW) is None


def test_a_state_from_the_future_was_observed_now() -> None:
    assert advance(None, source_at=NOW + timedelta(hours=1), received_at=NOW) == told(NOW)


def test_a_clock_set_back_a_little_goes_on_behind_the_last_state() -> None:
    last = told(NOW + timedelta(seconds=60))
    assert advance(last, source_at=NOW, received_at=NOW) == told(last.sent_at + MICROSECOND, NOW)


def test_a_clock_set_back_a_lot_restarts_from_the_receipt() -> None:
    last = told(NOW + timedelta(seconds=60) + MICROSECOND)
    assert advance(last, source_at=NOW, received_at=NOW) == told(NOW)


@given(
    steps=st.lists(
        st.tuples(
            st.timedeltas(min_value=timedelta(seconds=-90), max_value=timedelta(seconds=90)),
            st.timedeltas(min_value=timedelta(seconds=-30), max_value=timedelta(seconds=30)),
        ),
        max_size=30,
    )
)
def test_times_only_ever_rise_unless_the_last_lies_far_ahead(steps: list[tuple[timedelta, timedelta]]) -> None:
    """`steps`: how far the clock moves between receipts, and how far the driver's time is from the receipt."""
    last: Told | None = None
    received_at = NOW
    for moved, source_offset in steps:
        received_at += moved
        following = advance(last, source_at=received_at + source_offset, received_at=received_at)
        if following is None:
            continue
        assert following.source_at <= received_at
        if last is not None and last.sent_at - received_at <= MAXIMUM_AHEAD:
            assert following.sent_at > last.sent_at
        else:
            assert following.sent_at <= received_at
        last = following


@given(st.lists(st.timedeltas(min_value=timedelta(), max_value=timedelta(hours=1)), max_size=30))
def test_with_a_good_clock_no_live_state_is_lost(steps: list[timedelta]) -> None:
    last: Told | None = None
    at = NOW
    for moved in steps:
        at += moved
        last = advance(last, source_at=at, received_at=at)
        assert last is not None
