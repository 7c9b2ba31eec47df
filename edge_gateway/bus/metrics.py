"""What the bus counts. `consumer` is the durable's name, or `live <subject>` for a view without one."""

from prometheus_client import Counter, Gauge, Histogram

DELIVERIES = Counter("mowdeck_bus_deliveries", "Messages that reached a handler.", ["consumer"])
REDELIVERIES = Counter("mowdeck_bus_redeliveries", "Messages that were given back to come again.", ["consumer"])
DROPS = Counter("mowdeck_bus_drops", "Messages that were dropped for good.", ["consumer", "reason"])
HANDLER_ERRORS = Counter("mowdeck_bus_handler_errors", "Handlers that raised.", ["consumer"])
TAKE_OVERS = Counter("mowdeck_bus_take_overs", "Times a consumer was set back to its acknowledge floor.", ["consumer"])
BATCH_SIZE = Histogram(
    "mowdeck_bus_batch_size",
    "Messages in one batch.",
    ["consumer"],
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096),
)
LAG = Gauge("mowdeck_bus_lag", "Messages that wait behind the newest delivered one.", ["consumer"])
REQUESTS = Counter("mowdeck_bus_requests", "Questions that were answered, by what came of them.", ["route", "outcome"])
PUBLISH_FAILURES = Counter("mowdeck_bus_publish_failures", "Events that a stream did not take.", ["stream"])
OUTBOX_PUBLISHED = Counter("mowdeck_bus_outbox_published", "Events that left an outbox.", ["schema"])
OUTBOX_FAILURES = Counter("mowdeck_bus_outbox_failures", "Times an outbox relay had to start again.", ["schema"])
CONNECTED = Gauge("mowdeck_bus_connected", "1 while the bus is connected.")
