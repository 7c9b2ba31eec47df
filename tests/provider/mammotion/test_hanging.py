"""A cloud that takes requests and never answers: given up in time, with the shortest patience that can be set here."""

import pytest

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.device_gateway.mammotion.provider import MammotionProvider
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.vendor_accounts.vendor import Login
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.emulators.mammotion.faults import HttpFault
from tests.provider.mammotion.hands import Followed, MemoryKeeper

INVOKE = "/thing/service/invoke"


@pytest.fixture
def settings(settings: MammotionSettings) -> MammotionSettings:
    """Return settings with which a request is soon given up."""
    return settings.model_copy(update={"http_timeout_seconds": 1.0})


async def test_a_hanging_cloud_is_given_up_in_time(mower: Followed, emulator: MammotionEmulator) -> None:
    emulator.faults.http.append(HttpFault(path=INVOKE, hang=True))
    with pytest.raises(UnavailableError):
        await mower.driver.refresh()


@pytest.mark.parametrize(
    "fault",
    [HttpFault(path="/oauth2/token", status=503), HttpFault(path="/oauth2/token", hang=True)],
    ids=["failing", "hanging"],
)
async def test_a_login_while_the_cloud_is_away_is_no_wrong_password(
    emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings, fault: HttpFault
) -> None:
    emulator.faults.http.append(fault)
    provider = MammotionProvider(
        Login(vendor_account_id="vendor-account-1", username=emulator.account.username),
        keeper,
        secrets=None,
        rejected=False,
        settings=settings,
        clock=SystemClock(),
    )
    with pytest.raises(UnavailableError):
        await provider.log_in(emulator.account.password)
    await provider.stop()
