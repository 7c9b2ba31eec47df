"""How long firings take, with the real Fleet; and whether two replicas ever fire one twice."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import msgspec

from benchmarks.ingest_parts.servers import Cpu, Servers
from benchmarks.scheduler_parts import stored
from benchmarks.scheduler_parts.replica import Clock, connected, opened, pooled, process
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.fleet import RegisterMowerRequest, UpdateSiteRequest
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.contracts.mower import Activity, MowerAvailability, MowerState
from edge_gateway.contracts.principals import OWNER
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import Pool
from edge_gateway.fleet.service import FleetService
from edge_gateway.fleet.settings import FleetSettings

AT_ONCE = 50
WAIT_SECONDS = 900.0


_HEARD_BY_FLEET = "SELECT least((SELECT count(*) FROM fleet.availability), (SELECT count(*) FROM fleet.area))"
_HEARD_BY_SCHEDULER = """
    SELECT count(*) FROM scheduler.mower
    WHERE observed_at IS NOT NULL AND available IS NOT NULL AND area_ids IS NOT NULL
"""


class House(msgspec.Struct, frozen=True, kw_only=True):
    """Fleet at work, and what replicas of the Scheduler need."""

    bus: JetStreamBus
    url: str
    pool: Pool

    async def add_mowers(self, count: int) -> list[str]:
        """Add mowers that are reached, docked and have a map; return their ids when Fleet has heard of all that."""
        limit = asyncio.Semaphore(AT_ONCE)
        mower_ids = await asyncio.gather(*(_add(self.bus, limit, number) for number in range(count)))
        await self.until(_HEARD_BY_FLEET, count)
        return list(mower_ids)

    async def until(self, query: str, count: int) -> None:
        """Wait until a count has come so far: nothing of the preparation is left when the clock begins to run."""
        async with asyncio.timeout(WAIT_SECONDS):
            while await self.pool.fetchval(query) < count:  # noqa: ASYNC110 - another service writes it
                await asyncio.sleep(0.1)


@asynccontextmanager
async def house(servers: Servers) -> AsyncIterator[House]:
    """Return Fleet at work, without a mower."""
    url = await servers.new_database()
    await migrate(url, ["fleet", "scheduler"])
    async with AsyncExitStack() as stack:
        bus = await connected(servers.nats_url, stack)
        pool = await pooled(url, stack)
        fleet = FleetService(bus=bus, pool=pool, clock=Clock(), settings=FleetSettings())
        await fleet.start()
        stack.push_async_callback(fleet.stop)
        request = UpdateSiteRequest(on_behalf_of=OWNER, account_id="home", site_id="home", time_zone="Europe/Berlin")
        await bus.request(routes.SITES_UPDATE, request)
        yield House(bus=bus, url=url, pool=pool)


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


class Doubles(msgspec.Struct, frozen=True):
    """What two replicas did side by side."""

    count: int
    """Occurrences that were ordered more than once."""
    firings: int
    by_replica: tuple[int, ...]
    """How many starts each of them ordered: neither stood by."""


class Fired(msgspec.Struct, frozen=True):
    """What it took."""

    seconds: float
    cpu: Cpu


async def seconds_to_fire(servers: Servers, *, due: int, stored_schedules: int) -> Fired:
    """Return what one replica takes to claim, decide and record what is due at one moment.

    It was there before its mowers and has heard of them, as in life.
    """
    async with house(servers) as around, AsyncExitStack() as stack:
        replica = await opened(servers.nats_url, around.url, stack)
        mower_ids = await around.add_mowers(due)
        await around.until(_HEARD_BY_SCHEDULER, due)
        await stored.write(around.pool, mower_ids, due=due, others=stored_schedules - due)
        began, before = time.perf_counter(), servers.cpu()
        await replica.tick()
        fired = Fired(time.perf_counter() - began, servers.cpu().since(before))
        started = await around.pool.fetchval("SELECT count(*) FROM scheduler.run WHERE outcome = 'started'")
        if started != due:
            message = f"{started} of {due} were started"
            raise RuntimeError(message)
    return fired


async def count_double_fires(servers: Servers, *, firings: int, mowers: int = 500) -> Doubles:
    """Count the occurrences that two replicas, each a process of its own, ordered more than once.

    Both are told to tick at the same moment, with as many due as there are mowers, again and again.
    """
    async with house(servers) as around, AsyncExitStack() as stack:
        replicas = [await stack.enter_async_context(process(servers.nats_url, around.url)) for _ in range(2)]
        mower_ids = await around.add_mowers(mowers)
        fired_by = [0, 0]
        done = 0
        while done < firings:
            await around.pool.execute("TRUNCATE scheduler.schedule, scheduler.run CASCADE")
            await stored.write(around.pool, mower_ids, due=mowers, others=0)
            await around.pool.execute("UPDATE scheduler.schedule SET id = $1 || id", f"{done}-")
            claimed = await asyncio.gather(*(replica.tick() for replica in replicas))
            fired_by = [sum(pair) for pair in zip(fired_by, claimed, strict=True)]
            done += mowers
        ordered = await around.pool.fetchval("SELECT count(*) FROM fleet.command")
        per_occurrence = await around.pool.fetchval("SELECT count(DISTINCT schedule_id) FROM fleet.command")
        if per_occurrence != done:
            message = f"{per_occurrence} of {done} were fired"
            raise RuntimeError(message)
    return Doubles(int(ordered) - int(per_occurrence), done, tuple(fired_by))
