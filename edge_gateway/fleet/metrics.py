"""What the Fleet counts."""

from prometheus_client import Counter

ISSUED = Counter(
    "mowdeck_fleet_issued_commands",
    "Orders by origin and outcome: accepted, repeated, or the code of the refusal.",
    ["origin", "outcome"],
)
CLOSED = Counter(
    "mowdeck_fleet_closed_commands", "Commands closed without a report of their end, by reason.", ["reason"]
)
