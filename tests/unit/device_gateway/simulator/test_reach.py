"""Whether a simulated machine is reached."""

import pytest

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.device_gateway.simulator.faults import Fault
from edge_gateway.device_gateway.simulator.reach import Reach, check_link


def test_a_machine_without_a_fault_is_reached() -> None:
    assert Reach(speed=1).unavailable_reason(Fault.NONE, now=0.0) is None


def test_a_broken_link_is_known_at_once() -> None:
    assert Reach(speed=1).unavailable_reason(Fault.OFFLINE, now=0.0) == "link_lost"
    with pytest.raises(UnavailableError) as raised:
        check_link(Fault.OFFLINE)
    assert raised.value.code == "link_lost"


def test_silence_counts_after_a_minute_of_the_machine() -> None:
    reach = Reach(speed=10)
    assert reach.unavailable_reason(Fault.SILENT, now=100.0) is None
    assert reach.unavailable_reason(Fault.SILENT, now=105.9) is None
    assert reach.unavailable_reason(Fault.SILENT, now=106.0) == "silent"


def test_a_word_ends_the_silence() -> None:
    reach = Reach(speed=1)
    assert reach.unavailable_reason(Fault.SILENT, now=0.0) is None
    assert reach.unavailable_reason(Fault.NONE, now=30.0) is None
    assert reach.unavailable_reason(Fault.SILENT, now=60.0) is None
    assert reach.unavailable_reason(Fault.SILENT, now=119.9) is None


def test_a_silent_machine_can_be_sent_to() -> None:
    check_link(Fault.SILENT)
