"""How few requests a mower costs: none on its dock, one stream while it is out, none while it sleeps."""

import asyncio

from edge_gateway.contracts.mower import Activity
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.emulators.mammotion.member import Member
from tests.eventually import eventually
from tests.provider.mammotion.hands import Followed

LOOK_SECONDS = 2.5
"""Longer than the time after which a silent mower is asked."""


async def sends_while_nothing_happens(emulator: MammotionEmulator) -> int:
    """Return how many messages left for mowers within some seconds: the absence of something has no event."""
    before = emulator.cloud.orders_sent
    await asyncio.sleep(LOOK_SECONDS)
    return emulator.cloud.orders_sent - before


async def test_on_its_dock_it_is_left_alone(mower: Followed, emulator: MammotionEmulator) -> None:
    await mower.settled()
    assert await sends_while_nothing_happens(emulator) == 0


async def test_while_it_mows_its_reports_come_without_asking(mower: Followed, emulator: MammotionEmulator) -> None:
    await mower.start_mowing()
    await mower.until(lambda: emulator.member().conversation.reports.running)
    await asyncio.sleep(1.5)  # until the order's closer watch is over
    heard = len(mower.heard.states)
    assert await sends_while_nothing_happens(emulator) == 0
    assert len(mower.heard.states) > heard + 5


async def test_asleep_it_is_not_woken_by_questions(
    mower: Followed, emulator: MammotionEmulator, member: Member
) -> None:
    await mower.settled()
    member.fall_asleep()
    calls = len(emulator.cloud.calls)
    assert await sends_while_nothing_happens(emulator) == 0
    assert len(emulator.cloud.calls) == calls
    assert mower.driver.availability.available


async def test_home_again_it_is_told_to_be_quiet(mower: Followed, member: Member) -> None:
    await mower.start_mowing()
    await mower.driver.cancel_job(mower.may_move)
    await mower.driver.return_to_dock(mower.may_move)
    await mower.is_doing(Activity.DOCKED)

    async def quiet() -> bool | None:
        return None if member.conversation.reports.running else True

    assert await eventually(quiet)
