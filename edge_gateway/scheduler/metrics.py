"""What is counted."""

from prometheus_client import Counter, Histogram

RECORDED = Counter(
    "mowdeck_scheduler_runs_recorded_total", "Revisions of runs that were recorded.", ["outcome", "reason"]
)
FAILED_TICKS = Counter(
    "mowdeck_scheduler_failed_ticks_total", "Steps of ticks that failed and are tried again.", ["step"]
)
TICK_SECONDS = Histogram("mowdeck_scheduler_tick_seconds", "How long a tick took.")
FORECASTS = Counter(
    "mowdeck_scheduler_forecasts_total", "Requests to a weather service by how they ended.", ["provider", "result"]
)
