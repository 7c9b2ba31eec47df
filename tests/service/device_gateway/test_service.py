"""The whole service with simulated mowers: found, registered, driven, asked about, stopped, killed, started again."""

import asyncio

import pytest

from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.device import MowerRequest, Nothing
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import OWNER
from edge_gateway.database.pools import open_pool
from edge_gateway.device_gateway.service import DeviceGatewayService
from edge_gateway.device_gateway.simulator.faults import Fault
from tests.eventually import eventually
from tests.service.device_gateway.town import CLOVER, DAISY, Town
from tests.service.device_gateway.yard import Connect


def about(mower_id: str, principal: str = OWNER) -> MowerRequest:
    return MowerRequest(on_behalf_of=principal, account_id=ACCOUNT_ID, mower_id=mower_id)


async def test_simulated_mowers_are_registered_and_report(town: Town) -> None:
    await town.service(mowers=3)
    await town.until(lambda: len({state.mower_id for state in town.states}) == 3)
    names = {request.name for request in town.fleet.registered.values()}
    assert names == {"Daisy", "Clover", "Bramble"}
    assert len({request.model for request in town.fleet.registered.values()}) == 3
    state = town.last()
    assert state is not None
    assert state.position is not None
    assert state.battery_percent is not None


async def test_a_fleet_that_comes_later_is_waited_for(connect: Connect, database_url: str, clock: SystemClock) -> None:
    town = Town(connect, database_url, clock)
    await town.open()
    await town.service()
    await asyncio.sleep(0.3)
    assert town.states == []
    await town.fleet.answer(town.fleet_bus)
    await town.seen(Activity.DOCKED)
    await town.close()


async def test_a_known_mower_is_followed_before_the_fleet_answers(
    connect: Connect, database_url: str, clock: SystemClock
) -> None:
    first = Town(connect, database_url, clock)
    await first.open()
    await first.fleet.answer(first.fleet_bus)
    await first.service()
    await first.seen(Activity.DOCKED)
    await first.close()
    await first.fleet_bus.close()
    town = Town(connect, database_url, clock)
    await town.open()
    await town.service()
    assert (await town.seen(Activity.DOCKED)).mower_id == DAISY
    await town.close()


async def test_a_job_runs_from_the_order_to_the_dock_with_progress_that_never_falls(town: Town) -> None:
    await town.service()
    await town.seen(Activity.DOCKED)
    command_id = await town.order(CommandKind.START_MOW, mower_id=DAISY)
    assert (await town.final(command_id)).status is CommandStatus.CONFIRMED
    await town.seen(Activity.RETURNING)
    docked = await town.seen(Activity.DOCKED)
    assert docked.job is None
    of_the_job = [state for state in town.states if state.job is not None]
    assert {state.job.command_id for state in of_the_job if state.job is not None} == {command_id}
    progress = [state.progress_percent or 0.0 for state in of_the_job]
    assert progress == sorted(progress)
    assert progress[-1] == 100.0
    assert {state.area_id for state in of_the_job} >= {"sim-0001-front-lawn", "sim-0001-herb-corner"}
    times = [state.observed_at for state in town.states]
    assert times == sorted(set(times))


async def test_every_order_reaches_a_simulated_mower(town: Town) -> None:
    await town.service(mowers=2, speed=60)
    await town.seen(Activity.DOCKED, CLOVER)
    for kind, activity in (
        (CommandKind.START_MOW, Activity.MOWING),
        (CommandKind.PAUSE, Activity.PAUSED),
        (CommandKind.RESUME, Activity.MOWING),
        (CommandKind.RETURN_TO_DOCK, Activity.RETURNING),
        (CommandKind.START_MOW, Activity.MOWING),
        (CommandKind.CANCEL_JOB, Activity.IDLE),
        (CommandKind.RETURN_TO_DOCK, Activity.RETURNING),
    ):
        outcome = await town.final(await town.order(kind, mower_id=CLOVER))
        assert (kind, outcome.status, outcome.reason) == (kind, CommandStatus.CONFIRMED, None)
        await town.seen(activity, CLOVER)


async def test_a_killed_service_finds_the_mower_where_it_went_on(town: Town, database_url: str) -> None:
    service = await town.service(speed=200)
    await town.seen(Activity.DOCKED)
    command_id = await town.order(CommandKind.START_MOW, mower_id=DAISY)
    await town.final(command_id)
    before = await town.seen(Activity.MOWING)
    pool = await open_pool(database_url, application_name="test")
    kept = await pool.fetchval("SELECT machine FROM device_gateway.simulated_mower")
    await service.stop()
    # A kill would have left what was kept at the machine's last change.
    await pool.execute("UPDATE device_gateway.simulated_mower SET machine = $1", kept)
    await pool.close()
    await asyncio.sleep(0.5)
    restarted_at = town.clock.now()
    await town.service(speed=200)
    await town.until(lambda: town.states[-1].observed_at >= restarted_at)
    after = town.states[-1]
    assert after.job is not None
    assert before.job is not None
    assert (after.job.id, after.job.command_id) == (before.job.id, command_id)
    assert after.progress_percent is not None
    assert before.progress_percent is not None
    assert after.progress_percent > before.progress_percent + 2, "it mowed on while the gateway was away"


async def test_a_silent_mower_leaves_the_outcome_unknown_and_becomes_unavailable(town: Town) -> None:
    service = await town.service(speed=100)
    await town.seen(Activity.DOCKED)
    await town.until(lambda: bool(town.availabilities) and town.availabilities[-1].available)
    await (await town.driver(service)).set_fault(Fault.SILENT)
    outcome = await town.final(await town.order(CommandKind.START_MOW, mower_id=DAISY))
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "outcome_unknown")
    await town.until(lambda: not town.availabilities[-1].available)
    assert town.availabilities[-1].reason == "silent"
    await (await town.driver(service)).set_fault(Fault.NONE)
    await town.until(lambda: town.availabilities[-1].available)


async def test_a_broken_link_is_told_and_nothing_is_sent_later(town: Town) -> None:
    service = await town.service(speed=100)
    await town.seen(Activity.DOCKED)
    command_id = await town.order(
        CommandKind.PUT_SETTING, mower_id=DAISY, setting=("simulated_fault", Fault.OFFLINE.value)
    )
    await town.final(command_id)
    await town.until(lambda: bool(town.availabilities) and not town.availabilities[-1].available)
    outcome = await town.final(await town.order(CommandKind.START_MOW, mower_id=DAISY))
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "unavailable")
    await town.final(await town.order(CommandKind.PUT_SETTING, mower_id=DAISY, setting=("simulated_fault", "none")))
    await town.until(lambda: town.availabilities[-1].available)
    await town.final(await town.order(CommandKind.REFRESH, mower_id=DAISY))
    assert list((await town.driver(service)).frames) == []


async def test_maps_and_settings_are_answered_to_who_may_see_the_mower(town: Town) -> None:
    service = await town.service()
    await town.seen(Activity.DOCKED)
    reply = await town.bus.request(routes.MAPS_GET, about(DAISY))
    assert reply.map is not None
    assert [area.name for area in reply.map.areas] == ["Front lawn", "Herb corner"]
    await town.final(await town.order(CommandKind.PUT_SETTING, mower_id=DAISY, setting=("cutting_height_mm", 30)))
    settings = await town.bus.request(routes.SETTINGS_LIST, about(DAISY))
    assert {setting.key: setting.value for setting in settings.items}["cutting_height_mm"] == 30
    problems = await town.bus.request(routes.PROBLEMS_GET, about(DAISY))
    assert (problems.current, problems.log) == (None, ())
    for route in (routes.MAPS_GET, routes.SETTINGS_LIST, routes.PROBLEMS_GET):
        with pytest.raises(NotFoundError):
            await town.bus.request(route, about(DAISY, "user:stranger"))
    await service.stop()


async def test_a_replica_that_does_not_drive_the_mower_answers_from_the_database(town: Town) -> None:
    first = await town.service()
    await town.seen(Activity.DOCKED)
    await eventually(lambda: stored_settings(town, first))
    second = await town.service(instance_id="instance-2", mowers=1)
    assert second.roster.actor(DAISY) is None
    assert (await second._map(about(DAISY))).map is not None  # noqa: SLF001  # the queue group chooses who answers
    assert (await second._list_settings(about(DAISY))).items  # noqa: SLF001  # the same
    await first.stop()

    async def taken_over() -> bool:
        return second.roster.actor(DAISY) is not None

    await eventually(taken_over)
    assert (await town.final(await town.order(CommandKind.START_MOW, mower_id=DAISY))).status == "confirmed"


async def stored_settings(town: Town, service: DeviceGatewayService) -> bool:
    del town
    repository = service._repository  # noqa: SLF001  # written behind the driver's back: nothing tells of it
    return bool(await repository.settings(DAISY)) and await repository.map(DAISY) is not None


async def test_it_says_whether_it_can_work(town: Town) -> None:
    await town.service()
    health = await town.bus.request(routes.health_route("device_gateway"), Nothing())
    assert (health.service, health.ready) == ("device_gateway", True)
