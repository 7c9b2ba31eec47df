"""Orders that move nothing, and orders that meet a bus, a database or a driver that is not ready."""

import asyncio

from edge_gateway.contracts.commands import CommandKind, CommandStatus
from tests.service.device_gateway.yard import ALL_STATUSES, Yard


async def test_settings_and_refresh_move_nothing(yard: Yard) -> None:
    life = await yard.life()
    command_id = await yard.order(CommandKind.PUT_SETTING, setting=("height_mm", 55))
    assert (await yard.final(command_id)).status is CommandStatus.CONFIRMED
    assert yard.statuses(command_id) == ALL_STATUSES
    assert life.driver.settings[0].value == 55
    outcome = await yard.final(await yard.order(CommandKind.PUT_SETTING))
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "missing")
    assert outcome.values["field"] == "setting_key"
    assert yard.mower.frames == []


async def test_what_cannot_be_recorded_is_not_sent(yard: Yard) -> None:
    life = await yard.life()
    life.fate.database_away = True
    command_id = await yard.order(CommandKind.START_MOW)
    outcome = await yard.final(command_id)
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "unavailable")
    assert outcome.values["code"] == "database_unavailable"
    assert yard.mower.frames == []
    life.fate.database_away = False
    assert (await yard.final(await yard.order(CommandKind.START_MOW))).status is CommandStatus.CONFIRMED


async def test_orders_wait_for_a_bus_that_is_away_and_are_carried_out_once(yard: Yard) -> None:
    life = await yard.life()
    life.fate.bus_away = True
    command_id = await yard.order(CommandKind.START_MOW)
    await asyncio.sleep(0.2)
    assert yard.mower.frames == []
    life.fate.bus_away = False
    assert (await yard.final(command_id)).status is CommandStatus.CONFIRMED
    assert yard.mower.frames == ["start"]


async def test_an_order_that_comes_while_the_driver_starts_is_carried_out_then(yard: Yard) -> None:
    yard.mower.may_connect.clear()
    life = await yard.unborn()
    starting = asyncio.create_task(life.start())
    await yard.mower.connecting.wait()
    command_id = await yard.order(CommandKind.START_MOW)
    await asyncio.sleep(0.1)
    assert yard.mower.frames == []
    yard.mower.may_connect.set()
    await starting
    assert (await yard.final(command_id)).status is CommandStatus.CONFIRMED


async def test_a_driver_that_cannot_start_is_tried_again_and_its_mower_unavailable_meanwhile(yard: Yard) -> None:
    yard.mower.broken_starts = 2
    await yard.life()
    await yard.until(lambda: bool(yard.availabilities) and yard.availabilities[-1].available)
    assert yard.availabilities[0].reason == "driver_not_started"
    assert (await yard.final(await yard.order(CommandKind.START_MOW))).status is CommandStatus.CONFIRMED
