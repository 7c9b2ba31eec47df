"""What Telemetry counts."""

from prometheus_client import Counter, Gauge, Histogram

STATES = Counter("mowdeck_telemetry_states_total", "States by what became of them.", ["effect"])
BATCH_SECONDS = Histogram(
    "mowdeck_telemetry_batch_seconds",
    "How long a batch took from arrival to commit.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
BATCH_STATES = Histogram(
    "mowdeck_telemetry_batch_states", "How many states a batch held.", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 1000)
)
HOUSEKEEPING_FAILURES = Counter(
    "mowdeck_telemetry_housekeeping_failures_total", "Steps of housekeeping that failed.", ["step"]
)
PURGED_MONTHS = Counter("mowdeck_telemetry_purged_months_total", "Months of the log that were purged.")
PARTITIONS_HELD = Gauge(
    "mowdeck_telemetry_partitions_held", "Partitions that this copy takes in; counted where there are several."
)
