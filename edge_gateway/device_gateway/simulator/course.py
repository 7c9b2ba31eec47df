"""The course of a simulated machine between two moments of the gateway's clock. Pure."""

from datetime import datetime, timedelta

import msgspec

from edge_gateway.device_gateway.simulator.machine import Body, Machine, happen, pass_time, seconds_to_event

_NEAR_SECONDS = 1e-6


def advance(machine: Machine, body: Body, *, to: datetime, speed: float) -> tuple[Machine, bool]:
    """Return the machine at `to`, or at the first thing that happens before, and whether something happened.

    `speed`: the machine's seconds per second of the clock. A clock that went back stands still for the machine.
    """
    left_seconds = (to - machine.as_of).total_seconds() * speed
    if left_seconds <= 0:
        return msgspec.structs.replace(machine, as_of=to), False
    event_seconds = seconds_to_event(machine, body)
    if event_seconds > left_seconds + _NEAR_SECONDS:
        return msgspec.structs.replace(pass_time(machine, body, left_seconds), as_of=to), False
    as_of = min(machine.as_of + timedelta(seconds=event_seconds / speed), to)
    happened = happen(pass_time(machine, body, event_seconds), body)
    return msgspec.structs.replace(happened, as_of=as_of), True


def seconds_until_event(machine: Machine, body: Body, *, speed: float) -> float:
    """Return in how many seconds of the clock something happens by itself; infinity when nothing does."""
    return seconds_to_event(machine, body) / speed
