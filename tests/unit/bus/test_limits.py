"""The back-off."""

from edge_gateway.bus.limits import BusLimits


def test_back_off_doubles_up_to_the_longest() -> None:
    limits = BusLimits(first_back_off_seconds=0.25, longest_back_off_seconds=5.0)
    pauses = [limits.back_off_seconds(failures, progress=False) for failures in range(1, 8)]
    assert pauses == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0]


def test_back_off_stays_short_while_other_messages_get_through() -> None:
    limits = BusLimits()
    assert limits.back_off_seconds(100, progress=True) == limits.progress_back_off_seconds
    assert limits.back_off_seconds(100_000, progress=False) == limits.longest_back_off_seconds


def test_limits_fit_each_other() -> None:
    limits = BusLimits()
    assert limits.lease_margin_seconds < limits.lease_seconds / 3
    assert limits.longest_back_off_seconds < limits.acknowledge_wait_seconds
    assert limits.redeliver_for_seconds == 600
    assert limits.lease_seconds == 10
