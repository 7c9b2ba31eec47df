"""Mowers of the vendor's older cloud that come into the account later: found, followed, their requests counted."""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast, override

import pytest
from pymammotion.transport.aliyun_mqtt import AliyunMQTTConfig, AliyunMQTTTransport
from pymammotion.transport.base import TransportAvailability

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.device_gateway.mammotion.older_cloud import count_requests
from edge_gateway.device_gateway.mammotion.provider import MammotionProvider
from edge_gateway.device_gateway.mammotion.session import Session
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.vendor_accounts.vendor import Login
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.provider.mammotion.hands import Found, MemoryKeeper

OLDER = "Luba-OLD001"


class OlderCloud:
    """The library's client for the older cloud, answering from here: its hosts cannot be emulated."""

    def __init__(self) -> None:
        """Have one mower, and a share that waits."""
        self.devices = [SimpleNamespace(device_name=OLDER, iot_id="iot-older", product_key="a1UBFdq6nNz")]
        self.shares = [SimpleNamespace(record_id="share-1", status=-1), SimpleNamespace(record_id="share-0", status=1)]
        self.confirmed: list[str] = []

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever else is counted
        """Answer nothing else."""

        async def answer(*_: object, **__: object) -> None:
            raise AssertionError(name)

        return answer

    async def get_shared_notice_list(self) -> Any:  # noqa: ANN401  # as the library's model
        """Tell what was shared."""
        return SimpleNamespace(data=SimpleNamespace(data=self.shares))

    async def confirm_share(self, records: list[str]) -> None:
        """Accept what was shared."""
        self.confirmed += records

    async def list_binding_by_account(self) -> Any:  # noqa: ANN401  # as the library's model
        """Tell which mowers there are."""
        return SimpleNamespace(data=SimpleNamespace(data=self.devices))

    def to_cache(self) -> dict[str, Any]:
        """Keep nothing."""
        return {}


class LinkInHand(AliyunMQTTTransport):
    """The link to the older cloud, up as soon as it is asked for."""

    @property
    @override
    def availability(self) -> TransportAvailability:
        return TransportAvailability.CONNECTED

    @override
    async def connect(self) -> None:
        await self._notify_availability(TransportAvailability.CONNECTED)


@pytest.fixture
async def provider(
    emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> AsyncIterator[MammotionProvider]:
    """Return a provider that looks for new mowers all the time."""
    login = Login(vendor_account_id="vendor-account-1", username=emulator.account.username)
    eager = settings.model_copy(update={"look_for_mowers_seconds": 0.2})
    provider = MammotionProvider(login, keeper, secrets=None, rejected=False, settings=eager, clock=SystemClock())
    await provider.log_in(emulator.account.password)
    yield provider
    await provider.stop()


async def test_a_mower_of_the_older_cloud_that_comes_later_is_found(
    provider: MammotionProvider, emulator: MammotionEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    session: Session = provider._session  # type: ignore[assignment]  # noqa: SLF001  # it is connected
    account = session.client.account_registry.get(emulator.account.username)
    assert account is not None
    older = OlderCloud()
    config = AliyunMQTTConfig(
        host="127.0.0.1",
        client_id_base="c",
        username="u",
        device_name="d",
        product_key="p",
        device_secret="s",  # noqa: S106  # of nobody
        iot_token="t",  # noqa: S106  # of nobody
    )

    def link(gateway: Any, _: object) -> AliyunMQTTTransport:  # noqa: ANN401  # the stand-in
        count_requests(gateway, session.traffic)
        return LinkInHand(config, gateway)

    monkeypatch.setattr(session.client, "_setup_aliyun_transport", link)
    count_requests(cast("Any", older), session.traffic)
    account.cloud_client = cast("Any", older)
    before = session.traffic.requests_in_window
    found = Found()
    await provider.start(found)
    await found.until(lambda: OLDER in {mower.vendor_key for mower in found.mowers})
    assert older.confirmed[:1] == ["share-1"], "what was shared is accepted, once it is asked for"
    assert session.traffic.requests_in_window >= before + 6, "three of this cloud, three of the other"
    handle = session.client.device_registry.get_by_name(OLDER)
    assert handle is not None
    assert handle.availability.mqtt is TransportAvailability.CONNECTED
