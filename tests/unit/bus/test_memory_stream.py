"""A stream in memory keeps what JetStream would."""

from datetime import UTC, datetime, timedelta

import msgspec

from edge_gateway.bus.limits import DUPLICATE_WINDOW
from edge_gateway.bus.memory.stream import MemoryStream
from edge_gateway.contracts import subjects


class SetClock:
    """Tells the moment that a test sets."""

    def __init__(self) -> None:
        """Start somewhere."""
        self.moment = datetime(2026, 11, 30, 12, tzinfo=UTC)

    def now(self) -> datetime:
        """Return the set moment."""
        return self.moment


def stream(definition: subjects.Stream) -> tuple[MemoryStream, SetClock]:
    clock = SetClock()
    return MemoryStream(definition, clock), clock


def kept(stream: MemoryStream) -> list[str]:
    return [event.id for event in stream.events()]


def test_events_end_with_their_age() -> None:
    orders, clock = stream(subjects.COMMANDS)
    orders.publish("commands.mower.a", "1", b"")
    clock.moment += timedelta(seconds=29)
    orders.publish("commands.mower.a", "2", b"")
    assert kept(orders) == ["1", "2"]
    clock.moment += timedelta(seconds=1)
    assert kept(orders) == ["2"]
    clock.moment += timedelta(seconds=30)
    assert orders.last("commands.mower.a") is None


def test_only_the_newest_of_a_subject_is_kept_where_that_is_said() -> None:
    device, _ = stream(subjects.DEVICE)
    for number in range(3):
        device.publish("device.mower.a.map", f"a{number}", b"")
        device.publish("device.mower.b.map", f"b{number}", b"")
    assert kept(device) == ["a2", "b2"]


def test_oldest_ends_when_the_stream_is_full() -> None:
    small, _ = stream(msgspec.structs.replace(subjects.TELEMETRY, max_bytes=10))
    for number in range(5):
        small.publish("telemetry.mower.a", str(number), b"1234")
    assert kept(small) == ["3", "4"]


def test_same_id_is_dropped_within_the_window_only() -> None:
    states, clock = stream(subjects.TELEMETRY)
    states.publish("telemetry.mower.a", "1", b"")
    states.publish("telemetry.mower.a", "1", b"")
    assert len(kept(states)) == 1
    clock.moment += DUPLICATE_WINDOW
    states.publish("telemetry.mower.a", "1", b"")
    assert len(kept(states)) == 2
