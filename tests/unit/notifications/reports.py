"""Reports of mowers, and judging them in the order in which they come."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from edge_gateway.contracts.commands import CommandKind
from edge_gateway.contracts.mower import Activity, Job, MowerAvailability, MowerState, Position, Problem
from edge_gateway.contracts.notifications import Corner, Notification, NotificationCode
from edge_gateway.notifications import judging
from edge_gateway.notifications.geofence import Drawn, Geofence, of_drawn
from edge_gateway.notifications.hysteresis import Holds
from edge_gateway.notifications.rules import Thresholds
from edge_gateway.notifications.watch import BladeReport, Order, Watch

BEGIN = datetime(2026, 6, 1, 9, tzinfo=UTC)
LATER = BEGIN + timedelta(days=1)
CLEAR = timedelta(seconds=30)
THRESHOLDS = Thresholds(
    low_battery_percent=10,
    standstill=timedelta(seconds=600),
    holds={
        NotificationCode.ERROR: Holds(end=CLEAR),
        NotificationCode.STUCK: Holds(end=CLEAR),
        NotificationCode.BATTERY_LOW: Holds(end=CLEAR),
        NotificationCode.OFFLINE: Holds(begin=timedelta(seconds=300), end=CLEAR),
        NotificationCode.LEFT_GEOFENCE: Holds(begin=timedelta(seconds=10), end=CLEAR),
        NotificationCode.RESUMED_BY_ITSELF: Holds(begin=timedelta(seconds=20)),
    },
)
HOME = Position(latitude=52.0, longitude=13.0)
STREET = Position(latitude=52.01, longitude=13.0)
"""More than a kilometre north."""
GARDEN_DRAWN = Drawn(
    boundary=(
        Corner(latitude=51.9999, longitude=12.9999),
        Corner(latitude=51.9999, longitude=13.0001),
        Corner(latitude=52.0001, longitude=13.0001),
        Corner(latitude=52.0001, longitude=12.9999),
    ),
    margin_metres=5,
)
GARDEN: Geofence = of_drawn(GARDEN_DRAWN)
STUCK = Problem(code="stuck")
LIFTED = Problem(code="lifted", vendor_code="2801")
JOB = Job(id="job-1", resumable=True)

type Report = MowerState | MowerAvailability | Order | BladeReport


def at(seconds: float) -> datetime:
    """Return a moment, some seconds after the beginning."""
    return BEGIN + timedelta(seconds=seconds)


def state(seconds: float, activity: Activity = Activity.MOWING, **changes: Any) -> MowerState:  # noqa: ANN401  # fields by name
    """Return a report."""
    report = MowerState(
        mower_id="m1", account_id="home", observed_at=at(seconds), activity=activity, battery_percent=80, position=HOME
    )
    return msgspec.structs.replace(report, **changes)


def reach(seconds: float, *, available: bool, reason: str | None = None, mower_id: str = "m1") -> MowerAvailability:
    """Return whether a mower is reached."""
    return MowerAvailability(
        mower_id=mower_id, account_id="home", available=available, reason=reason, changed_at=at(seconds)
    )


def order(seconds: float, kind: CommandKind, mower_id: str = "m1") -> Order:
    """Return an order that went out."""
    return Order(command_id=f"c{seconds}", mower_id=mower_id, account_id="home", kind=kind, issued_at=at(seconds))


class Judge:
    """Keeps the watches and what was told."""

    def __init__(self, *, geofence: Geofence | None = GARDEN, now: datetime = LATER) -> None:
        """Know no mower yet."""
        self.watches: dict[str, Watch] = {}
        self.told: list[Notification] = []
        self.geofence = geofence
        self.now = now

    def take(self, *reports: Report) -> list[Notification]:
        """Judge reports; return what they tell."""
        before = len(self.told)
        for report in reports:
            watch = self.watches.get(report.mower_id, Watch(mower_id=report.mower_id, account_id="home"))
            self.watches[report.mower_id], told = self._judge(watch, report)
            self.told += told
        return self.told[before:]

    def wait(self, until: datetime) -> list[Notification]:
        """Let a tick pass."""
        before = len(self.told)
        for mower_id, watch in self.watches.items():
            self.watches[mower_id], told = judging.settle_all(watch, until, thresholds=THRESHOLDS)
            self.told += told
        return self.told[before:]

    @property
    def wrong(self) -> list[NotificationCode]:
        """What is wrong now."""
        return [finding.code for watch in self.watches.values() for finding in judging.findings(watch)]

    def _judge(self, watch: Watch, report: Report) -> judging.Judged:
        match report:
            case MowerState():
                return judging.judge_state(watch, report, geofence=self.geofence, thresholds=THRESHOLDS, now=self.now)
            case MowerAvailability():
                return judging.judge_availability(watch, report, thresholds=THRESHOLDS, now=self.now)
            case Order():
                return judging.judge_order(watch, report, thresholds=THRESHOLDS)
            case BladeReport():
                return judging.judge_blade(watch, report, thresholds=THRESHOLDS)


def short(told: Iterable[Notification]) -> list[tuple[str, str, float]]:
    """Return code, phase and second of events."""
    return [(each.code.value, each.phase.value, (each.at - BEGIN).total_seconds()) for each in told]
