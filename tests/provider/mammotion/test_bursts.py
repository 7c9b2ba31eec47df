"""Reports that come in one burst: each is told, with its place."""

from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.mammotion.provider import MammotionProvider
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.emulators.mammotion.member import Member
from tests.provider.mammotion.hands import Followed, MemoryKeeper, follow, restarted

BURST = 30


def say_in_one_burst(member: Member) -> list[tuple[float, float]]:
    """Let the mower report from many places at once; return them as the emulation reckons them."""
    status, garden = member.mower.status, member.mower.garden
    places = []
    for step in range(BURST):
        status.east, status.north = 3.0 + step / 10, 4.0
        member.conversation.report()
        places.append(garden.place(status.east, status.north))
    return places


def shown(mower: Followed, places: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return those of the places that a state that was told shows, in their order."""
    told = [state.position for state in mower.heard.states if state.position is not None]
    return [
        place
        for place in places
        if any(abs(one.latitude - place[0]) < 5e-7 and abs(one.longitude - place[1]) < 5e-7 for one in told)
    ]


async def test_every_report_of_a_burst_is_told_with_its_place(mower: Followed, member: Member) -> None:
    await mower.seen(lambda state: state.position is not None)
    places = say_in_one_burst(member)
    await mower.until(lambda: shown(mower, places)[-1:] == places[-1:])
    assert shown(mower, places) == places


async def test_the_first_reports_after_a_restart_have_their_places(
    provider: MammotionProvider, emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> None:
    first = await follow(provider)
    await first.ready()
    await first.start_mowing()
    await first.seen(lambda state: state.position is not None)
    await first.driver.stop()
    await provider.stop()
    again = restarted(emulator, keeper, settings)
    second = await follow(again)
    await second.is_doing(Activity.MOWING)
    # Before the first report nothing is known; each report that came has a place.
    reported = [state for state in second.heard.states if state.activity is not Activity.UNKNOWN]
    assert all(state.position is not None for state in reported)
    await second.driver.stop()
    await again.stop()
