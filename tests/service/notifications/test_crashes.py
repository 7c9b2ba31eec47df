"""Killed at each step, or taken over by another replica: no event is lost, none is told twice."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import create_subprocess_exec
from collections.abc import Sequence

import asyncpg
import pytest

from edge_gateway.bus.protocol import Delivery, EventBus, Verdict
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.mower import Activity
from edge_gateway.database.pools import Pool
from edge_gateway.embedded.nats_server import NatsServer
from edge_gateway.notifications.intake import Intake
from tests.background_loop import BackgroundLoop
from tests.eventually import eventually
from tests.service.notifications.conftest import Connect
from tests.service.notifications.garden import SETTINGS, Garden, StandIns, at, error, state
from tests.service.notifications.victim import STEPS

pytestmark = pytest.mark.timeout(120)
REPORTS = (
    error(0),
    error(1),
    state(10),
    state(100),
    error(200, mower_id="m2"),
    state(300, Activity.IDLE, battery_percent=3),
    state(301, Activity.IDLE, battery_percent=3),
)
EXPECTED = [("error", "began"), ("error", "ended"), ("error", "began"), ("battery_low", "began")]


async def _until_all_is_told(garden: Garden) -> None:
    async def judged() -> bool:
        return await garden.judged_until() == at(301) and await garden.judged_until("m2") == at(200)

    await eventually(judged, seconds=20)

    async def heard() -> bool:
        return len(garden.heard) >= len(EXPECTED)

    await eventually(heard)
    told = await garden.told()
    assert len(told) == len(set(told)) == len(EXPECTED)
    # Of different mowers there is no order.
    assert sorted(garden.heard) == sorted(EXPECTED)
    assert len({envelope.id for envelope in garden.published}) == len(garden.published)


@pytest.mark.parametrize("step", STEPS)
async def test_killed_at_any_step_nothing_is_lost_and_nothing_is_told_twice(
    step: str, nats_url: str, postgres_url: str, pool: Pool, jetstream: EventBus
) -> None:
    garden = Garden(jetstream, pool, StandIns(), SystemClock())
    await garden.stand_ins.answer(garden.bus)
    await garden.listen()
    # The durables exist from here on.
    await garden.service.start()
    await garden.service.stop()
    victim = await create_subprocess_exec(
        sys.executable, "-m", "tests.service.notifications.victim", nats_url, postgres_url, step
    )
    try:
        await garden.publish(*REPORTS)
        async with asyncio.timeout(30):
            status = await victim.wait()
    finally:
        if victim.returncode is None:
            victim.kill()
            await victim.wait()
    assert status == -signal.SIGKILL

    # The same instance takes its own lease at once.
    garden.service = garden.make_service()
    await garden.service.start()
    await _until_all_is_told(garden)
    await garden.service.stop()


async def test_what_comes_again_after_the_commit_is_not_told_again(
    garden: Garden, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = Intake.handle
    batches = 0
    answered = asyncio.Event()

    async def forgetful(intake: Intake, deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        nonlocal batches
        verdicts = await handle(intake, deliveries)
        batches += 1
        if batches <= 3:
            message = "the answer is lost"
            raise OSError(message)
        answered.set()
        return verdicts

    await garden.service.stop()
    monkeypatch.setattr(Intake, "handle", forgetful)
    garden.service = garden.make_service()
    await garden.service.start()

    await garden.publish(*REPORTS)
    async with asyncio.timeout(20):
        await answered.wait()
    await _until_all_is_told(garden)
    assert batches > 3


async def test_connections_killed_while_reports_come(garden: Garden, postgres_url: str) -> None:
    # Not through the pool: it would lend one of the connections that are just being killed.
    killer = await asyncpg.connect(postgres_url)
    for report in REPORTS:
        await garden.publish(report)
        await killer.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    await killer.close()
    # One that is dying must not be lent to this test either.
    await garden.pool.expire_connections()
    await _until_all_is_told(garden)


async def test_two_replicas_hand_over_and_tell_everything_once(garden: Garden, connect: Connect) -> None:
    other_bus = await connect()
    other = garden.make_service(other_bus, instance_id="instance-2")
    await other.start()

    await garden.publish(*REPORTS[:3])

    async def begun() -> bool:
        return len(await garden.told()) >= 1

    await eventually(begun)
    await garden.service.stop()
    await garden.publish(*REPORTS[3:])
    await _until_all_is_told(garden)

    garden.service = garden.make_service()
    await garden.service.start()
    await other.stop()
    await garden.publish(error(400, battery_percent=3))

    async def told_by_the_first() -> bool:
        return len(await garden.told()) == len(EXPECTED) + 1

    await eventually(told_by_the_first)


async def test_an_older_holder_of_the_lease_is_refused(garden: Garden) -> None:
    await garden.publish(error(0))

    async def told() -> bool:
        return bool(await garden.told())

    await eventually(told)
    await garden.pool.execute("UPDATE notifications.intake SET fence = fence + 1")
    stale = garden.service.intake

    with pytest.raises(UnavailableError, match="taken over"):
        await stale.judge([state(1)])
    assert len(await garden.told()) == 1


async def test_a_bus_that_waits_for_the_lease_starts_all_the_same(garden: Garden, connect: Connect) -> None:
    other = garden.make_service(await connect(), instance_id="instance-2", settings=SETTINGS)
    async with asyncio.timeout(10):
        await other.start()
    await other.stop()


async def test_the_bus_is_killed_while_reports_come(
    nats_server: NatsServer, server_loop: BackgroundLoop, jetstream: EventBus, pool: Pool
) -> None:
    garden = Garden(jetstream, pool, StandIns(), SystemClock())
    await garden.start()
    process_id = nats_server.process_id
    assert process_id is not None
    await garden.publish(*REPORTS[:3])
    os.kill(process_id, signal.SIGKILL)
    await asyncio.to_thread(server_loop.run, nats_server.exited())
    await asyncio.to_thread(server_loop.run, nats_server.start())
    await garden.publish(*REPORTS[3:])
    await _until_all_is_told(garden)
    await garden.service.stop()


_NO_ROOM = """
CREATE SEQUENCE notifications.refusals;
CREATE FUNCTION notifications.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM nextval('notifications.refusals');
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
END $$;
CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON notifications.watch
    FOR EACH ROW EXECUTE FUNCTION notifications.refuse();
"""
"""The server refuses as it does without room; a sequence counts what is rolled back, too."""


async def test_nothing_is_lost_while_the_disk_of_the_database_is_full(garden: Garden) -> None:
    await garden.pool.execute(_NO_ROOM)
    await garden.publish(*REPORTS)

    async def refused_thrice() -> bool:
        return bool(await garden.pool.fetchval("SELECT is_called AND last_value >= 3 FROM notifications.refusals"))

    await eventually(refused_thrice, seconds=20)
    assert garden.heard == []
    await garden.pool.execute("DROP TRIGGER refuse ON notifications.watch")
    await _until_all_is_told(garden)
