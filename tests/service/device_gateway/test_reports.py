"""What an actor tells: states in order, map and availability after a restart, what a bus that is away costs."""

import asyncio
from datetime import timedelta

import msgspec
from prometheus_client import REGISTRY

from edge_gateway.contracts import subjects
from edge_gateway.contracts.commands import CommandKind
from edge_gateway.contracts.identifiers import state_event_id
from edge_gateway.contracts.mower import Activity, MowerState
from edge_gateway.device_gateway.settings import DeviceGatewaySettings
from tests.eventually import eventually
from tests.service.device_gateway.outside import MOWER_ID
from tests.service.device_gateway.scripted_mower import ScriptedDriver
from tests.service.device_gateway.yard import Yard


def source_time(driver: ScriptedDriver, seconds: float) -> None:
    """Have the mower's next report observed this many seconds before now."""
    at = driver.mower.clock.now() - timedelta(seconds=seconds)
    driver.mower.state = msgspec.structs.replace(driver.mower.state, observed_at=at)


async def test_states_are_published_with_ids_that_follow_from_them(yard: Yard) -> None:
    life = await yard.life()
    yard.mower.become(Activity.IDLE)
    await life.driver.report()
    await yard.until(lambda: len(yard.states) == 2)
    envelope = await yard.bus.last(subjects.state_subject(MOWER_ID))
    assert envelope is not None
    state = envelope.decode(MowerState)
    assert envelope.id == state_event_id(MOWER_ID, state.observed_at)
    assert (envelope.subject_id, envelope.account_id, envelope.occurred_at) == (MOWER_ID, "home", state.observed_at)


async def test_a_report_that_was_overtaken_is_dropped(yard: Yard) -> None:
    life = await yard.life()
    yard.mower.become(Activity.IDLE)
    await life.driver.report()
    yard.mower.become(Activity.MOWING)
    source_time(life.driver, 5)
    await life.driver.report()
    yard.mower.become(Activity.PAUSED)
    await life.driver.report()
    await yard.until(lambda: yard.states[-1].activity is Activity.PAUSED)
    assert [state.activity for state in yard.states] == [Activity.DOCKED, Activity.IDLE, Activity.PAUSED]


async def test_a_report_heard_twice_is_told_once(yard: Yard) -> None:
    life = await yard.life()
    await life.driver.report()
    await life.driver.report()
    yard.mower.become(Activity.IDLE)
    await life.driver.report()
    await yard.until(lambda: yard.states[-1].activity is Activity.IDLE)
    assert len(yard.states) == 2


async def test_times_go_on_rising_after_a_restart_with_a_clock_that_went_back(yard: Yard) -> None:
    first = await yard.life()
    await first.stop()
    sent = yard.states[-1].observed_at
    yard.clock.offset -= timedelta(seconds=30)
    yard.mower.become(Activity.IDLE)
    await yard.life()
    await yard.until(lambda: yard.states[-1].activity is Activity.IDLE)
    assert yard.states[-1].observed_at == sent + timedelta(microseconds=1)


async def test_times_restart_from_the_receipt_when_the_last_lies_far_ahead(yard: Yard) -> None:
    first = await yard.life()
    await first.stop()
    yard.clock.offset -= timedelta(minutes=10)
    state = yard.mower.become(Activity.IDLE)
    await yard.life()
    await yard.until(lambda: yard.states[-1].activity is Activity.IDLE)
    assert yard.states[-1].observed_at == state.observed_at


async def test_after_a_restart_map_and_availability_are_told_again(yard: Yard) -> None:
    first = await yard.life()
    await yard.until(lambda: len(yard.maps) == 1 and bool(yard.availabilities))
    await first.kill()
    yard.availabilities.clear()
    await yard.life()
    await yard.until(lambda: len(yard.maps) == 2 and bool(yard.availabilities))
    assert yard.maps[0] == yard.maps[1]
    assert yard.availabilities[-1].available


async def test_a_map_is_told_when_it_changes_and_only_then(yard: Yard) -> None:
    life = await yard.life()
    await yard.until(lambda: len(yard.maps) == 1)
    actor = life.supervisor.actor
    known = life.driver.map
    assert actor is not None
    assert known is not None
    await actor.map_changed(msgspec.structs.replace(known, observed_at=yard.clock.now()))
    changed = msgspec.structs.replace(known, areas=known.areas[:1], observed_at=yard.clock.now())
    await actor.map_changed(changed)
    await yard.until(lambda: len(yard.maps) == 2)
    assert yard.maps[-1] == changed


async def test_an_orderly_stop_says_that_the_mower_is_unavailable(yard: Yard) -> None:
    life = await yard.life()
    await yard.until(lambda: bool(yard.availabilities))
    await life.stop()
    await yard.until(lambda: not yard.availabilities[-1].available)
    assert yard.availabilities[-1].reason == "gateway_stopped"


async def test_a_lost_link_is_told_at_once_and_its_return_too(yard: Yard) -> None:
    life = await yard.life()
    await yard.until(lambda: bool(yard.availabilities))
    yard.mower.link_broken = True
    await life.driver.report_link()
    await yard.until(lambda: not yard.availabilities[-1].available)
    assert yard.availabilities[-1].reason == "link_lost"
    yard.mower.link_broken = False
    await life.driver.report_link()
    await yard.until(lambda: yard.availabilities[-1].available)


async def test_a_bus_that_is_away_holds_nobody_up_and_loses_nothing(yard: Yard) -> None:
    life = await yard.life()
    await yard.until(lambda: len(yard.states) == 1)
    life.fate.bus_away = True
    for number in range(50):
        yard.mower.become(Activity.MOWING, battery_percent=number)
        async with asyncio.timeout(0.5):
            await life.driver.report()
    life.fate.bus_away = False
    await yard.until(lambda: len(yard.states) == 51)
    assert [state.battery_percent for state in yard.states[1:]] == list(range(50))


async def test_of_too_many_that_wait_the_oldest_are_lost_and_counted(yard: Yard) -> None:
    life = await yard.life(settings=DeviceGatewaySettings(pending_states_max=10))
    await yard.until(lambda: len(yard.states) == 1)
    lost = lost_states()
    life.fate.bus_away = True
    for number in range(25):
        yard.mower.become(Activity.MOWING, battery_percent=number)
        await life.driver.report()
    life.fate.bus_away = False
    await yard.until(lambda: len(yard.states) == 11)
    assert [state.battery_percent for state in yard.states[1:]] == list(range(15, 25))
    assert lost_states() - lost == 15


async def test_when_the_lease_is_regained_what_was_heard_meanwhile_is_told_and_orders_come_again(yard: Yard) -> None:
    life = await yard.life()
    await yard.until(lambda: len(yard.states) == 1)
    life.fate.bus_away = True
    await life.leases[-1].release()
    for number in range(5):
        yard.mower.become(Activity.MOWING, battery_percent=number)
        await life.driver.report()
    await asyncio.sleep(0.2)
    assert len(yard.states) == 1
    life.fate.bus_away = False
    await yard.until(lambda: len(yard.states) == 6)
    assert len(life.drivers) == 1, "the mower was followed all the time"
    command_id = await yard.order(CommandKind.PAUSE)
    assert (await yard.final(command_id)).status == "confirmed"


async def test_when_another_gateway_has_taken_over_what_waited_is_not_told(yard: Yard) -> None:
    first = await yard.life()
    await yard.until(lambda: len(yard.states) == 1)
    first.fate.bus_away = True
    await first.leases[-1].release()
    yard.mower.become(Activity.MOWING, battery_percent=11)
    await first.driver.report()
    second = await yard.life(holder="instance-2")
    yard.mower.become(Activity.MOWING, battery_percent=22)
    await second.driver.report()
    first.fate.bus_away = False

    async def let_go() -> bool:
        return first.supervisor.actor is None

    await eventually(let_go)
    yard.mower.become(Activity.MOWING, battery_percent=33)
    await second.driver.report()
    await yard.until(lambda: yard.states[-1].battery_percent == 33)
    published = [envelope.decode(MowerState) for envelope in first.fate.published if envelope.type == "telemetry.mower"]
    assert [state.battery_percent for state in published] == [None]


def lost_states() -> float:
    return (
        REGISTRY.get_sample_value("mowdeck_device_gateway_events_lost_total", {"kind": "state", "reason": "full"})
        or 0.0
    )
