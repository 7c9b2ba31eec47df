"""What the device gateway counts."""

from prometheus_client import Counter, Gauge

STATES = Counter(
    "mowdeck_device_gateway_states_total", "Reports of mowers by what became of them.", ["provider", "fate"]
)
"""Fates: `published`, `reordered` (overtaken by a newer one), `repeated` (heard before)."""
EVENTS_LOST = Counter(
    "mowdeck_device_gateway_events_lost_total",
    "Events that never reached the bus, by kind and reason.",
    ["kind", "reason"],
)
"""Reasons: `full` (too many waited while the bus was away), `stopped`, `refused` (the bus does not take it)."""
EVENTS_PENDING = Gauge("mowdeck_device_gateway_events_pending", "Events that wait for the bus.")
OUTCOMES = Counter(
    "mowdeck_device_gateway_outcomes_total", "Outcomes of orders as they were published.", ["kind", "status"]
)
ACTORS = Gauge("mowdeck_device_gateway_actors", "Mowers that this gateway drives now.")
