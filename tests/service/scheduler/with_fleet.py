"""The Scheduler beside the real Fleet."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.fleet import UpdateSiteRequest
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import OWNER
from edge_gateway.database.pools import Pool
from edge_gateway.fleet.service import FleetService
from edge_gateway.fleet.settings import FleetSettings
from tests.service.fleet.house import FleetHouse
from tests.service.scheduler.house import NINE, SchedulerHouse

SECOND = timedelta(seconds=1)


class WholeHouse(SchedulerHouse):
    """The Scheduler beside the real Fleet, with one mower that is reached and docked."""

    mower_id: str
    real: FleetHouse


async def move_site(whole: WholeHouse, time_zone: str) -> None:
    request = UpdateSiteRequest(on_behalf_of=OWNER, account_id="home", site_id="home", time_zone=time_zone)
    await whole.bus.request(routes.SITES_UPDATE, request)


@asynccontextmanager
async def open_with_fleet(bus: JetStreamBus, pool: Pool) -> AsyncIterator[WholeHouse]:
    """Return both at work, a second before nine; the Scheduler's ticks are the test's."""
    whole = WholeHouse(bus, pool)
    whole.clock.moment = NINE - SECOND
    whole.real = FleetHouse(bus, pool)
    whole.real.clock = whole.clock  # type: ignore[assignment]  # both show the time
    whole.real.service = FleetService(
        bus=bus, pool=pool, clock=whole.clock, settings=FleetSettings(sweep_seconds=0.05, grace_seconds=1.0)
    )
    await whole.real.start()
    await move_site(whole, "Europe/Berlin")
    whole.mower_id = await whole.real.add_mower("sim-1")
    await whole.service.open()
    await bus.subscribe("scheduler.*.*", whole.take_event, acknowledge=False)
    await whole.report(Activity.DOCKED, mower_id=whole.mower_id)
    yield whole
    await whole.service.stop()
    await whole.real.stop()
