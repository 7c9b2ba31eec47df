"""What is known of orders: never less than before, and not without end."""

import asyncio

from custom_components.mowdeck.client.command import Command, CommandStatus
from custom_components.mowdeck.orders import REMEMBERED, Orders


def command(status: CommandStatus, command_id: str = "command-1") -> Command:
    return Command(id=command_id, mower_id="mower-1", status=status, reason=None)


async def test_an_outcome_that_is_known_already_is_not_waited_for() -> None:
    orders = Orders()
    orders.observe(command(CommandStatus.CONFIRMED))
    known = await orders.outcome(command(CommandStatus.ACCEPTED), seconds=60)
    assert known.status is CommandStatus.CONFIRMED


async def test_two_may_wait_for_the_same_order() -> None:
    orders = Orders()
    waiting = [asyncio.create_task(orders.outcome(command(CommandStatus.ACCEPTED), seconds=5)) for _ in range(2)]
    await asyncio.sleep(0)
    orders.observe(command(CommandStatus.FAILED))
    assert [known.status for known in await asyncio.gather(*waiting)] == [CommandStatus.FAILED] * 2


async def test_without_an_end_the_farthest_status_is_what_is_known() -> None:
    orders = Orders()
    orders.observe(command(CommandStatus.ACKNOWLEDGED))
    orders.observe(command(CommandStatus.SENT))
    known = await orders.outcome(command(CommandStatus.ACCEPTED), seconds=0.01)
    assert known.status is CommandStatus.ACKNOWLEDGED


async def test_old_orders_are_forgotten() -> None:
    orders = Orders()
    for number in range(REMEMBERED + 1):
        orders.observe(command(CommandStatus.CONFIRMED, f"command-{number}"))
    forgotten = await orders.outcome(command(CommandStatus.ACCEPTED, "command-0"), seconds=0.01)
    assert forgotten.status is CommandStatus.ACCEPTED
