"""An order to a running job that fails or is refused is given again within bounds, each once."""

from datetime import timedelta

from edge_gateway.contracts.commands import CommandStatus
from edge_gateway.contracts.errors import UnavailableError, UnsafeError
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import OWNER, Relation
from tests.service.scheduler.garden import Garden

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
OTHER = "user:other"


async def test_an_order_that_failed_is_given_again_with_back_off(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    await garden.tick(10)
    garden.house.fleet.end_command(CommandStatus.EXPIRED, "expired")
    await garden.tick(10.01)
    assert len(garden.orders) == 1
    await garden.tick(11)
    assert garden.orders == [("return_to_dock", "rain:1"), ("return_to_dock", "rain:2")]


async def test_an_order_that_fleet_could_not_take_keeps_its_key(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    garden.house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
    await garden.tick(10)
    await garden.tick(10.01)
    assert len(garden.house.fleet.asked) == 2
    await garden.tick(11)
    garden.house.fleet.refusal = None
    await garden.tick(13)
    assert garden.orders == [("return_to_dock", "rain:1")]
    assert {question.key.partition(":")[2] for question in garden.house.fleet.asked[1:]} == {"rain:1"}


async def test_an_order_that_is_refused_for_good_is_tried_again_under_another_key(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    garden.house.fleet.refusal = UnsafeError("unsafe", "Not now.")
    await garden.tick(10)
    garden.house.fleet.refusal = None
    await garden.tick(11)
    assert garden.orders == [("return_to_dock", "rain:2")]


async def test_when_the_owner_lost_the_right_the_account_s_owner_sends_it_home(garden: Garden) -> None:
    garden.house.fleet.known.add(OTHER)
    garden.made = await garden.house.create(principal=OTHER, duration_minutes=240)
    await garden.tick(0)
    await garden.report(Activity.MOWING, 1)
    await garden.tick(2)
    garden.house.fleet.denied = {(OTHER, Relation.CAN_CONTROL)}
    await garden.rain()
    await garden.tick(10)
    assert [(order.issued_by, order.key.partition(":")[2]) for order in garden.house.fleet.follow_ups] == [
        (OWNER, "rain:1")
    ]
    await garden.tick(12)
    assert len(garden.orders) == 1


async def test_a_silent_fleet_is_asked_again(garden: Garden) -> None:
    await garden.mow()
    await garden.rain()
    await garden.house.fleet.stop()
    await garden.tick(10)
    await garden.house.fleet.start(garden.house.bus)
    await garden.tick(12)
    assert garden.orders == [("return_to_dock", "rain:1")]
