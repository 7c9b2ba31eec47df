"""How long firings take, with the real Fleet; and whether two replicas ever fire one twice."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta

import msgspec

from benchmarks.ingest_parts.servers import Cpu, Servers
from benchmarks.scheduler_parts import stored
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.fleet import RegisterMowerRequest, UpdateSiteRequest
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.contracts.mower import Activity, MowerAvailability, MowerState
from edge_gateway.contracts.principals import OWNER
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.fleet.service import FleetService
from edge_gateway.fleet.settings import FleetSettings
from edge_gateway.scheduler.service import SchedulerService
from edge_gateway.scheduler.settings import SchedulerSettings

AT_ONCE = 50
WAIT_SECONDS = 900.0


_HEARD = "SELECT least((SELECT count(*) FROM fleet.availability), (SELECT count(*) FROM fleet.area))"


class Clock:
    """Stands at nine."""

    def now(self) -> datetime:
        """Return nine o'clock."""
        return stored.DUE_AT


class House(msgspec.Struct, frozen=True, kw_only=True):
    """Fleet with its mowers, and what replicas of the Scheduler need."""

    bus: JetStreamBus
    url: str
    pool: Pool
    mower_ids: list[str]

    def scheduler(self, bus: JetStreamBus, pool: Pool) -> SchedulerService:
        """Return another replica; its ticks are ours."""
        settings = SchedulerSettings(weather_provider="static", static_weather="dry")
        return SchedulerService(bus=bus, pool=pool, clock=Clock(), settings=settings)


@asynccontextmanager
async def house(servers: Servers, mowers: int) -> AsyncIterator[House]:
    """Return Fleet at work with so many mowers that are reached, docked and have a map."""
    url = await servers.new_database()
    await migrate(url, ["fleet", "scheduler"])
    async with AsyncExitStack() as stack:
        bus = await connected(servers, stack)
        pool = await pooled(url, stack)
        fleet = FleetService(bus=bus, pool=pool, clock=Clock(), settings=FleetSettings())
        await fleet.start()
        stack.push_async_callback(fleet.stop)
        request = UpdateSiteRequest(on_behalf_of=OWNER, account_id="home", site_id="home", time_zone="Europe/Berlin")
        await bus.request(routes.SITES_UPDATE, request)
        limit = asyncio.Semaphore(AT_ONCE)
        mower_ids = await asyncio.gather(*(_add(bus, limit, number) for number in range(mowers)))
        async with asyncio.timeout(WAIT_SECONDS):
            # Nothing of the preparation is left to be done when the clock begins to run.
            while await pool.fetchval(_HEARD) < mowers:  # noqa: ASYNC110 - another service writes it
                await asyncio.sleep(0.1)
        yield House(bus=bus, url=url, pool=pool, mower_ids=list(mower_ids))


async def connected(servers: Servers, stack: AsyncExitStack) -> JetStreamBus:
    """Return a connection to the bus."""
    bus = await JetStreamBus.connect(servers.nats_url, clock=SystemClock(), instance_id=new_id())
    stack.push_async_callback(bus.close)
    return bus


async def pooled(url: str, stack: AsyncExitStack) -> Pool:
    """Return a pool like a service's own."""
    pool = await open_pool(url, application_name="benchmark")
    stack.push_async_callback(pool.close)
    return pool


async def _add(bus: JetStreamBus, limit: asyncio.Semaphore, number: int) -> str:
    async with limit:
        request = RegisterMowerRequest(
            account_id="home", provider="simulator", vendor_key=str(number), name=f"{number}"
        )
        mower_id = (await bus.request(routes.MOWERS_REGISTER, request, timeout_seconds=30)).mower.id
        before = stored.DUE_AT - timedelta(minutes=5)
        area = Area(id="area", vendor_key="1", name="Lawn")
        for subject, kind, payload in (
            (
                subjects.map_subject(mower_id),
                subjects.MAP_TYPE,
                MowerMap(mower_id=mower_id, account_id="home", observed_at=before, complete=True, areas=(area,)),
            ),
            (
                subjects.state_subject(mower_id),
                subjects.STATE_TYPE,
                MowerState(mower_id=mower_id, account_id="home", observed_at=before, activity=Activity.DOCKED),
            ),
            (
                subjects.availability_subject(mower_id),
                subjects.AVAILABILITY_TYPE,
                MowerAvailability(mower_id=mower_id, account_id="home", available=True, changed_at=before),
            ),
        ):
            envelope = wrap(payload, id=new_id(), type=kind, occurred_at=before, account_id="home", subject_id=mower_id)
            await bus.publish(subject, envelope)
        return mower_id


class Fired(msgspec.Struct, frozen=True):
    """What it took."""

    seconds: float
    cpu: Cpu


async def seconds_to_fire(servers: Servers, *, due: int, stored_schedules: int) -> Fired:
    """Return what one replica takes to claim, decide and record what is due at one moment."""
    async with house(servers, due) as around, AsyncExitStack() as stack:
        await stored.write(around.pool, around.mower_ids, due=due, others=stored_schedules - due)
        replica = around.scheduler(await connected(servers, stack), await pooled(around.url, stack))
        await replica.open()
        began, before = time.perf_counter(), servers.cpu()
        await replica.tick()
        fired = Fired(time.perf_counter() - began, servers.cpu().since(before))
        await replica.stop()
        started = await around.pool.fetchval("SELECT count(*) FROM scheduler.run WHERE outcome = 'started'")
        if started != due:
            message = f"{started} of {due} were started"
            raise RuntimeError(message)
    return fired


async def count_double_fires(servers: Servers, *, firings: int, mowers: int = 500) -> int:
    """Return how many of the occurrences that two replicas fire at the same time were ordered more than once."""
    async with house(servers, mowers) as around, AsyncExitStack() as stack:
        replicas = []
        for _ in range(2):
            bus = await connected(servers, stack)
            replica = around.scheduler(bus, await pooled(around.url, stack))
            await replica.open()
            stack.push_async_callback(replica.stop)
            replicas.append(replica)
        done = 0
        while done < firings:
            await around.pool.execute("TRUNCATE scheduler.schedule, scheduler.run CASCADE")
            await stored.write(around.pool, around.mower_ids, due=mowers, others=0)
            await around.pool.execute("UPDATE scheduler.schedule SET id = $1 || id", f"{done}-")
            await asyncio.gather(*(replica.tick() for replica in replicas))
            done += mowers
        ordered = await around.pool.fetchval("SELECT count(*) FROM fleet.command")
        per_occurrence = await around.pool.fetchval("SELECT count(DISTINCT schedule_id) FROM fleet.command")
        if per_occurrence != done:
            message = f"{per_occurrence} of {done} were fired"
            raise RuntimeError(message)
    return int(ordered) - int(per_occurrence)
