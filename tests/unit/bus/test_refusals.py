"""A stream that takes nothing is told of, until it takes something or long after anybody tried."""

from edge_gateway.bus.refusals import Refusals


def test_a_stream_refuses_until_it_takes_something() -> None:
    refusals = Refusals()
    refusals.refused("TELEMETRY")
    refusals.refused("DEVICE")
    refusals.taken("EVENTS")
    assert "(DEVICE, TELEMETRY)" in str(refusals.reason)
    assert "Make room on the disk" in str(refusals.reason)
    refusals.taken("DEVICE")
    refusals.taken("TELEMETRY")
    assert refusals.reason is None


def test_a_refusal_counts_for_a_minute() -> None:
    now = 100.0
    refusals = Refusals(monotonic=lambda: now)
    refusals.refused("TELEMETRY")
    now = 159.0
    assert "(TELEMETRY)" in str(refusals.reason)
    now = 161.0
    assert refusals.reason is None
