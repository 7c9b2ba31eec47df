"""The deadline of a question."""

import pytest

from edge_gateway.bus.deadline import BUDGET_HEADER, SENT_AT_HEADER, HostClock, deadline, stamp


def test_on_one_host_the_journey_counts() -> None:
    headers = stamp(5.0, clock_id="host", now=100.0)
    assert deadline(headers, clock_id="host", arrived_at=103.0) == 105.0


def test_on_another_host_only_the_budget_counts() -> None:
    headers = stamp(5.0, clock_id="host", now=1_000_000.0)
    assert deadline(headers, clock_id="other", arrived_at=3.0) == 8.0


def test_moment_in_the_future_is_not_believed() -> None:
    headers = stamp(5.0, clock_id="host", now=200.0)
    assert deadline(headers, clock_id="host", arrived_at=100.0) == 105.0


@pytest.mark.parametrize("headers", [None, {}, {BUDGET_HEADER: "soon"}])
def test_question_without_a_readable_budget_has_no_deadline(headers: dict[str, str] | None) -> None:
    assert deadline(headers, clock_id="host", arrived_at=1.0) is None


@pytest.mark.parametrize("moment", ["", "host", "host soon"])
def test_unreadable_moment_counts_as_the_arrival(moment: str) -> None:
    assert deadline({BUDGET_HEADER: "1500", SENT_AT_HEADER: moment}, clock_id="host", arrived_at=1.0) == 2.5


def test_clock_is_the_hosts() -> None:
    assert HostClock.of_here() == HostClock.of_here()
    assert " " not in HostClock.of_here().id
