"""Login, discovery, state and map of a mower over the cloud."""

from dataclasses import replace

from pymammotion.proto import ReportInfoCfg, RptAct

from edge_gateway.contracts.mower import Activity, LinkKind
from edge_gateway.device_gateway.mammotion.provider import MammotionProvider
from edge_gateway.device_gateway.vendor_accounts.vendor import AccountStatus
from tests.emulators.mammotion.control import start_from_app
from tests.emulators.mammotion.member import Member
from tests.eventually import eventually
from tests.provider.mammotion.hands import Followed, Found, MemoryKeeper, follow


async def test_the_account_s_mower_is_found_with_its_model(provider: MammotionProvider, member: Member) -> None:
    found = Found()
    await provider.start(found)
    mower = await found.first()
    assert (mower.vendor_key, mower.serial_number) == (member.name, member.name)
    assert mower.model == "Luba VP"
    assert mower.vendor_account_id == "vendor-account-1"


async def test_a_login_tells_that_it_is_connected_and_keeps_its_tokens(
    provider: MammotionProvider, keeper: MemoryKeeper
) -> None:
    assert provider.name == "mammotion"
    assert keeper.statuses == [(AccountStatus.CONNECTED, None)]
    assert keeper.tokens


async def test_the_firmware_is_told_when_it_is_known(mower: Followed, member: Member) -> None:
    await mower.found.until(lambda: mower.found.mowers[-1].firmware_version is not None)
    assert mower.found.mowers[-1].firmware_version == member.mower.model.firmware


async def test_on_its_dock_it_is_docked_and_full(mower: Followed) -> None:
    state = await mower.is_doing(Activity.DOCKED)
    assert state.on_charger
    assert state.battery_percent == 100
    assert not state.charging
    assert state.job is None
    assert state.progress_percent is None
    assert state.problem is None


async def test_a_report_that_says_what_one_before_said_is_heard(provider: MammotionProvider, member: Member) -> None:
    session = provider._session  # noqa: SLF001  # nobody follows the mower yet
    assert session is not None
    (handle,) = session.client.device_registry.all_devices

    async def reported() -> bool:
        member.conversation.reports.configure(ReportInfoCfg(act=RptAct.RPT_START, count=1))
        return handle.last_report_data_at > 0

    await eventually(reported)
    mower = await follow(provider)
    await mower.ready()
    await mower.driver.stop()


async def test_it_is_available_over_the_cloud(mower: Followed) -> None:
    (link,) = mower.driver.availability.links
    assert link.kind is LinkKind.CLOUD
    assert link.connected
    assert link.heard_at is not None


async def test_the_map_is_complete_with_areas_in_metres(mower: Followed, member: Member) -> None:
    known = mower.driver.map
    assert known is not None
    assert known.complete
    assert {area.name: area.size_m2 for area in known.areas} == {"Front lawn": 48.0, "Back lawn": 50.0}
    assert {area.vendor_key for area in known.areas} == {str(area.hash) for area in member.mower.garden.areas}
    assert len(known.obstacles) == 1
    assert len(known.no_go_zones) == 1


async def test_without_the_base_station_s_place_there_is_no_position(
    provider: MammotionProvider, member: Member
) -> None:
    member.mower.garden = replace(member.mower.garden, origin_known=False)
    mower = await follow(provider)
    await mower.ready()
    await mower.start_mowing()
    assert all(state.position is None for state in mower.heard.states)
    assert mower.driver.map is not None
    assert mower.driver.map.origin_latitude is None
    await mower.driver.stop()


async def test_the_position_follows_from_the_base_station(mower: Followed) -> None:
    state = await mower.seen(lambda state: state.position is not None)
    assert state.position is not None
    assert abs(state.position.latitude - 52.52) < 1e-5
    assert abs(state.position.longitude - 13.405) < 1e-5
    assert state.position.heading_degrees is None


async def test_a_question_of_the_library_s_own_does_not_end_the_reports(mower: Followed, member: Member) -> None:
    await mower.start_mowing()
    await mower.until(lambda: member.conversation.reports.running)
    for _ in range(3):
        member.announce()
        before = len(mower.heard.states)
        await mower.until(lambda before=before: len(mower.heard.states) >= before + 4, seconds=3)  # type: ignore[misc]  # bound now
    assert member.conversation.reports.running


async def test_a_change_that_the_vendor_s_app_made_is_seen_soon(mower: Followed, member: Member) -> None:
    await mower.is_doing(Activity.DOCKED)
    assert start_from_app(member) == 0
    state = await mower.is_doing(Activity.MOWING)
    assert state.job is not None
    assert state.job.command_id is None
