"""What Notifications counts."""

from prometheus_client import Counter, Histogram

REPORTS = Counter("mowdeck_notifications_reports_total", "Reports by what became of them.", ["kind", "effect"])
EVENTS = Counter("mowdeck_notifications_events_total", "Events by code and phase.", ["code", "phase"])
BATCH_SECONDS = Histogram(
    "mowdeck_notifications_batch_seconds",
    "How long a batch took from arrival to commit.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
