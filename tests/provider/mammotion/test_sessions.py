"""Logins, restarts from what was kept, and who may send a password."""

import asyncio
import logging

import pytest

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.errors import InvalidError, UnavailableError
from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.mammotion.provider import MammotionProvider
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.vendor_accounts.vendor import AccountStatus, Login, Secrets
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.emulators.mammotion.faults import HttpFault
from tests.emulators.mammotion.geometry import rectangle
from tests.eventually import eventually
from tests.provider.mammotion.hands import Followed, MemoryKeeper, follow, restarted


async def test_a_restart_goes_on_without_a_login(
    provider: MammotionProvider, emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> None:
    first = await follow(provider)
    await first.ready()
    job_id = await first.start_mowing()
    areas = first.area_ids()
    await first.driver.stop()
    await provider.stop()
    again = restarted(emulator, keeper, settings)
    second = await follow(again)
    await second.ready()
    state = await second.is_doing(Activity.MOWING)
    assert emulator.account.password_logins == 1
    assert emulator.account.refreshes == 0
    assert second.area_ids() == areas
    assert state.job is not None
    assert state.job.id == job_id
    await second.driver.stop()
    await again.stop()


async def test_an_area_that_was_redrawn_while_nobody_looked_keeps_its_id(
    provider: MammotionProvider, emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> None:
    first = await follow(provider)
    await first.ready()
    front, back = first.area_ids("Front lawn"), first.area_ids("Back lawn")
    await first.driver.stop()
    await provider.stop()
    mower = emulator.member().mower
    mower.garden = mower.garden.with_area("Front lawn", rectangle(1.5, 2.0, 9.0, 6.5)).renamed("Back lawn", "Orchard")
    again = restarted(emulator, keeper, settings)
    second = await follow(again)
    await second.ready()
    assert second.area_ids("Front lawn") == front
    assert second.area_ids("Orchard") == back
    await second.driver.stop()
    await again.stop()


async def test_a_restart_with_a_dead_access_token_turns_it_over(
    provider: MammotionProvider, emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> None:
    await provider.stop()
    emulator.account.access_token = "another"  # noqa: S105  # of an emulated account
    again = restarted(emulator, keeper, settings)
    followed = await follow(again)
    await followed.ready()
    assert emulator.account.password_logins == 1
    assert emulator.account.refreshes == 1
    await followed.driver.stop()
    await again.stop()


async def test_a_restart_with_a_dead_login_never_sends_the_password(
    provider: MammotionProvider, emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> None:
    await provider.stop()
    emulator.account.end_session()
    again = restarted(emulator, keeper, settings)
    followed = await follow(again)
    await followed.available(reason="account_rejected")
    assert keeper.statuses[-1][0] is AccountStatus.REJECTED
    assert emulator.account.password_logins == 1
    await followed.driver.stop()
    await again.stop()


async def test_a_login_known_to_be_rejected_is_not_tried(
    provider: MammotionProvider, emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> None:
    await provider.stop()
    calls = len(emulator.cloud.calls)
    again = restarted(emulator, keeper, settings, rejected=True)
    followed = await follow(again)
    await followed.available(reason="account_rejected")
    assert len(emulator.cloud.calls) == calls
    await followed.driver.stop()
    await again.stop()


async def test_a_cloud_that_is_away_at_the_start_is_waited_for(
    provider: MammotionProvider, emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> None:
    await provider.stop()
    emulator.faults.http.append(HttpFault(path="/device/list", status=503))
    emulator.faults.http.append(HttpFault(path="/oauth2/token", status=503))
    emulator.faults.http.append(HttpFault(path="/v1/user/device/page", status=503))
    again = restarted(emulator, keeper, settings)
    followed = await follow(again)
    assert followed.found.mowers[0].vendor_key == emulator.member().name, "known from the last time"
    emulator.faults.clear()
    await followed.ready()
    assert emulator.account.password_logins == 1
    await followed.driver.stop()
    await again.stop()


async def test_a_wrong_password_is_told_with_its_field_and_no_secret(
    emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> None:
    login = Login(vendor_account_id="vendor-account-1", username=emulator.account.username)
    provider = MammotionProvider(login, keeper, secrets=None, rejected=False, settings=settings, clock=SystemClock())
    with pytest.raises(InvalidError) as caught:
        await provider.log_in("wrong-and-secret")
    assert (caught.value.code, caught.value.field) == ("login_refused", "password")
    assert "wrong-and-secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert keeper.tokens is None
    await provider.stop()


async def test_a_refused_new_password_leaves_the_running_login_alone(
    mower: Followed, provider: MammotionProvider
) -> None:
    with pytest.raises(InvalidError):
        await provider.log_in("wrong")
    await mower.start_mowing()


async def test_tokens_that_could_not_be_kept_are_kept_later(
    mower: Followed, emulator: MammotionEmulator, keeper: MemoryKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edge_gateway.device_gateway.mammotion.session.SAVE_RETRY_SECONDS", 0.05)
    keeper.refuse = True
    emulator.faults.http.append(HttpFault(path="/thing/service/invoke", status=401, times=1))
    await mower.driver.refresh()
    refreshed = emulator.account.refresh_token
    assert refreshed is not None
    assert refreshed not in (keeper.tokens or "")
    keeper.refuse = False

    async def kept() -> bool:
        return refreshed in (keeper.tokens or "")

    await eventually(kept, seconds=3)


async def test_no_secret_reaches_the_log(
    emulator: MammotionEmulator,
    keeper: MemoryKeeper,
    settings: MammotionSettings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    logger = logging.getLogger("pymammotion")
    before = logger.level
    logger.setLevel(logging.DEBUG)
    try:
        provider = MammotionProvider(
            Login(vendor_account_id="vendor-account-1", username=emulator.account.username),
            keeper,
            secrets=None,
            rejected=False,
            settings=settings,
            clock=SystemClock(),
        )
        await provider.log_in(emulator.account.password)
        followed = await follow(provider)
        await followed.ready()
        emulator.faults.http.append(HttpFault(path="/thing/service/invoke", status=401, times=1))
        emulator.faults.http.append(
            HttpFault(path="/oauth2/token", grant="refresh_token", status=200, code=500, times=1)
        )
        with pytest.raises(UnavailableError):
            await followed.driver.refresh()
        await asyncio.sleep(0)
        await followed.driver.stop()
        await provider.stop()
    finally:
        logger.setLevel(before)
    text = caplog.text
    assert emulator.account.password not in text
    for secret in (emulator.account.access_token, emulator.account.refresh_token):
        assert secret is not None
        assert secret not in text
    assert repr(Secrets(password="p4ss", tokens="t0k")) == "Secrets(<hidden>)"  # noqa: S106  # invented here
