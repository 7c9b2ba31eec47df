"""What the API counts."""

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter(
    "mowdeck_api_requests",
    "Requests by route (the pattern, never the ids), method and status.",
    ["route", "method", "status"],
)
REQUEST_SECONDS = Histogram("mowdeck_api_request_seconds", "How long requests took.", ["route", "method"])
READERS = Gauge("mowdeck_api_event_readers", "Connected readers of the events.")
BUS_READY = Gauge("mowdeck_api_bus_ready", "Whether the bus was reached when it was last looked at (1) or not (0).")
CHANGES = Counter("mowdeck_api_event_changes", "Changes that readers of the events were told of.")
UNREADABLE = Counter("mowdeck_api_events_unreadable", "Events of the bus that could not be shown, by type.", ["type"])
DROPPED_READERS = Counter("mowdeck_api_event_readers_dropped", "Readers that were dropped, by reason.", ["reason"])
SNAPSHOTS = Counter("mowdeck_api_event_snapshots", "Snapshots sent, by reason.", ["reason"])
