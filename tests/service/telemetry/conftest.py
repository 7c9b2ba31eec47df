"""A database with Telemetry's schema, a bus, and a fleet that knows some mowers."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import msgspec
import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.memory import MemoryBus
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.fleet import ResolveTargetReply, ResolveTargetRequest, Site, TargetMower
from edge_gateway.contracts.identifiers import state_event_id
from edge_gateway.contracts.mower import Activity, MowerState, Position
from edge_gateway.contracts.principals import OWNER, PermissionCheckReply, PermissionCheckRequest
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.telemetry.service import TelemetryService
from edge_gateway.telemetry.settings import TelemetrySettings

BEGIN = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=1)
SITE = Site(id="home", account_id="home", name="Home", time_zone="Europe/Berlin")


def state(seconds: float, *, mower_id: str = "m1", **changes: Any) -> MowerState:  # noqa: ANN401  # fields by name
    """Return a report of a mowing mower, some seconds after the beginning."""
    report = MowerState(
        mower_id=mower_id,
        account_id="home",
        observed_at=BEGIN + timedelta(seconds=seconds),
        activity=Activity.MOWING,
        battery_percent=80,
        position=Position(latitude=52.5 + seconds / 1e6, longitude=13.4),
    )
    return msgspec.structs.replace(report, **changes)


class StandInFleet:
    """Answers for the fleet: which mowers there are."""

    def __init__(self) -> None:
        """Know two mowers."""
        self.mower_ids = {"m1", "m2"}

    async def resolve(self, question: ResolveTargetRequest) -> ResolveTargetReply:
        """Answer `fleet.targets.resolve`."""
        if question.mower_id not in self.mower_ids or question.mower_id is None:
            raise NotFoundError("target_gone", "There is no such mower.")
        mower = TargetMower(mower_id=question.mower_id, site=SITE, area_ids=None, enabled_area_ids=None, obey_rain=True)
        return ResolveTargetReply(mowers=(mower,), account_owner=OWNER, default_site=SITE)

    async def check(self, question: PermissionCheckRequest) -> PermissionCheckReply:
        """Answer `fleet.permissions.check`."""
        return PermissionCheckReply(allowed={id_: id_ in self.mower_ids for id_ in question.mower_ids})


class Garden:
    """Telemetry at work: publish states, look at what is stored."""

    def __init__(self, bus: EventBus, pool: Pool, fleet: StandInFleet, service: TelemetryService) -> None:
        """Keep the parts."""
        self.bus = bus
        self.pool = pool
        self.fleet = fleet
        self.service = service

    async def publish(self, *states: MowerState) -> None:
        """Publish states as a mower's actor does."""
        for each in states:
            envelope = wrap(
                each,
                id=state_event_id(each.mower_id, each.observed_at),
                type=subjects.STATE_TYPE,
                occurred_at=each.observed_at,
                account_id=each.account_id,
                subject_id=each.mower_id,
            )
            await self.bus.publish(subjects.state_subject(each.mower_id), envelope)

    async def log(self, mower_id: str = "m1") -> list[asyncpg.Record]:
        """Return the rows of a mower's log, oldest first."""
        return await self.pool.fetch(
            "SELECT log.* FROM telemetry.log JOIN telemetry.directory ON number = mower"
            " WHERE mower_id = $1 ORDER BY observed_at",
            mower_id,
        )


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    """Return a pool on a database with Telemetry's schema."""
    await migrate(postgres_url, ["telemetry"])
    pool = await open_pool(postgres_url, application_name="test")
    yield pool
    await pool.close()


@pytest.fixture(params=["memory", "jetstream"])
async def bus(request: pytest.FixtureRequest) -> AsyncIterator[EventBus]:
    """Return a bus: the in-memory twin, then a real server."""
    if request.param == "memory":
        bus: EventBus = MemoryBus(SystemClock())
    else:
        bus = await JetStreamBus.connect(
            request.getfixturevalue("nats_url"), clock=SystemClock(), instance_id="instance-1"
        )
    yield bus
    await bus.close()


@pytest.fixture
async def garden(pool: Pool, bus: EventBus) -> AsyncIterator[Garden]:
    """Return Telemetry at work."""
    clock = SystemClock()
    fleet = StandInFleet()
    await bus.reply(routes.TARGETS_RESOLVE, fleet.resolve)
    await bus.reply(routes.PERMISSIONS_CHECK, fleet.check)
    service = TelemetryService(
        bus=bus,
        pool=pool,
        clock=clock,
        settings=TelemetrySettings(ingest_batch_wait_seconds=0.01),
        instance_id="instance-1",
    )
    await service.start()
    yield Garden(bus, pool, fleet, service)
    await service.stop()
