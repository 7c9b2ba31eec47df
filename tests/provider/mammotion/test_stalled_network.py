"""A network that carries nothing for a while, and goes on: what was ordered meanwhile does not arrive afterwards.

The real kernel's own network stands still, below every program: nobody is told, and what was written waits to be sent
again. In a network of the test's own, so it needs root.
"""

import asyncio

import pytest

from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.contracts.mower import Activity, LinkKind
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from tests.app.network import make_network, stand_still
from tests.emulators.esphome_bridge.bridge import EmulatedBridge
from tests.emulators.mammotion.address import emulator_port
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.provider.mammotion.hands import orders
from tests.provider.mammotion.near import KEY, cut, near, uses

ORDER_SECONDS = 30.0
"""An order's life: its outcome is told within it."""


async def play(settings: MammotionSettings) -> None:
    """Order a pause over a bridge while nothing is carried, and see what becomes of it."""
    emulator = MammotionEmulator(speed=20, report_period_factor=0.1)
    await emulator.start(port=emulator_port())
    emulator.add_mower()
    async with near(emulator, settings) as place:
        bridge = EmulatedBridge([place.face.peripheral], key=KEY)
        await place.add(bridge)
        mower = await place.follow()
        await uses(mower, LinkKind.BRIDGE)
        await mower.ready()
        # Nothing but the bridge: an order that it does not carry is carried by nobody.
        await cut(emulator)
        await uses(mower, LinkKind.BRIDGE)
        await mower.start_mowing("Front lawn")
        let_through, carried = mower.asked, orders(place.member)

        await stand_still(still=True)
        with pytest.raises(MowDeckError) as told:
            async with asyncio.timeout(ORDER_SECONDS):
                await mower.driver.pause(mower.may_move)
        assert mower.asked == let_through + 1, "its frame was written"
        assert told.value.code == "outcome_unknown"
        await place.until(lambda: not place.neighbourhood.bridges["bridge-1"].facts().connected)
        await stand_still(still=False)

        await uses(mower, LinkKind.BRIDGE)
        await mower.is_doing(Activity.MOWING)
        assert orders(place.member) == carried
        # It is not deaf to orders now: the next one is carried out, and it alone.
        await mower.driver.pause(mower.may_move)
        await mower.is_doing(Activity.PAUSED)
        assert len(orders(place.member)) == len(carried) + 1
    await emulator.stop()


@pytest.mark.needs_root
@pytest.mark.timeout(120)
def test_what_was_ordered_while_the_network_stood_still_does_not_arrive_when_it_goes_on(
    settings: MammotionSettings,
) -> None:
    network = make_network()
    try:
        network.run(play(settings), seconds=100)
    finally:
        network.close()
