"""What the Mammotion provider counts."""

from prometheus_client import Counter, Gauge

REQUESTS = Counter(
    "mowdeck_mammotion_requests_total",
    "Requests to the vendor's cloud by vendor account, kind and outcome.",
    ["vendor_account_id", "kind", "outcome"],
)
"""Kinds: `login`, `refresh`, `send`, `broker_login`, `devices`, `firmware`, `wake`, `other`. Outcomes: `ok`, `refused`
(4xx), `failed` (5xx), `rate_limited` (429), `unreachable`, `held_back` (not sent: we back off)."""
SENDS_IN_WINDOW = Gauge(
    "mowdeck_mammotion_sends_in_window",
    "Messages to mowers within the last 12 hours; older models have a budget of 600.",
    ["vendor_account_id"],
)
REQUESTS_IN_WINDOW = Gauge(
    "mowdeck_mammotion_requests_in_window",
    "Requests of any kind to the vendor's cloud within the last 12 hours.",
    ["vendor_account_id"],
)
BACKING_OFF = Gauge(
    "mowdeck_mammotion_backing_off", "1 while requests to the vendor's cloud are held back.", ["vendor_account_id"]
)
REPORTS = Counter(
    "mowdeck_mammotion_reports_total", "State reports that mowers sent over the vendor's cloud.", ["vendor_account_id"]
)
BROKEN_FRAMES = Counter("mowdeck_mammotion_broken_frames_total", "Frames of mowers that could not be read.")
