"""What Telemetry is asked over the bus."""

from datetime import datetime

import msgspec

from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.mower import Activity, MowerState


class LatestStatesRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`telemetry.states.latest`: the last state of each mower; services and the API ask it for themselves."""

    account_id: str
    mower_ids: tuple[str, ...] | None = None
    """Null is all of the account."""


class LatestStatesReply(msgspec.Struct, frozen=True, kw_only=True):
    """A mower that never reported is missing."""

    items: tuple[MowerState, ...]


class HistoryRequest(Asking, frozen=True, kw_only=True):
    """`telemetry.history.list` and `telemetry.positions.list`: [since, until), oldest first, in pages."""

    mower_id: str
    since: datetime
    until: datetime
    after: datetime | None = None
    """The `next` of the page before."""
    limit: int = 1000
    """1 to 5000."""


class HistoryRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a mower reported, but for its position."""

    observed_at: datetime
    activity: Activity
    battery_percent: int | None = None
    charging: bool | None = None
    area_id: str | None = None
    progress_percent: float | None = None
    job_id: str | None = None
    problem_code: str | None = None


class HistoryReply(msgspec.Struct, frozen=True, kw_only=True):
    """A page of history."""

    items: tuple[HistoryRow, ...]
    next: datetime | None = None


class PositionRow(msgspec.Struct, frozen=True, kw_only=True):
    """Where a mower was."""

    observed_at: datetime
    latitude: float
    longitude: float


class PositionsReply(msgspec.Struct, frozen=True, kw_only=True):
    """A page of positions."""

    items: tuple[PositionRow, ...]
    next: datetime | None = None
