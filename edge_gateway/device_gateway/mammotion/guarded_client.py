"""The library's client, held back from two things: a password that nobody just entered, and forgetting mowers.

Restoring a login that the cloud refuses would send the stored password by itself; repeated, that is what accounts were
banned for, and it throws the owner's phone out each time. A list of mowers that misses some is the vendor's hiccup
until the cloud says of a mower itself that it is gone.
"""

from typing import Any, override

from aiohttp import ClientSession
from pymammotion.account.registry import AccountSession
from pymammotion.aliyun.cloud_gateway import CloudIOTGateway
from pymammotion.client import MammotionClient
from pymammotion.data.model.device import MowingDevice
from pymammotion.device.handle import DeviceHandle
from pymammotion.transport.aliyun_mqtt import AliyunMQTTTransport
from pymammotion.transport.base import AuthError, LoginFailedError
from pymammotion.transport.ble import BLETransport
from pymammotion.transport.mqtt import MQTTTransport

from edge_gateway.device_gateway.mammotion.early_subscription import subscribe_before_telling
from edge_gateway.device_gateway.mammotion.frame_guard import drop_broken_frames
from edge_gateway.device_gateway.mammotion.older_cloud import count_requests, listed
from edge_gateway.device_gateway.mammotion.traffic import Traffic

_APP_VERSION = "MowDeck"


class GuardedClient(MammotionClient):
    """A client for one vendor account."""

    def __init__(self, traffic: Traffic) -> None:
        """Log in only through `log_in`; count through `traffic` what the HTTP session does not see."""
        super().__init__(_APP_VERSION)
        self.traffic = traffic
        self._owner_asked = False
        self._renewed = False

    async def log_in(self, username: str, password: str, session: ClientSession) -> None:
        """Log in with a password that the owner entered."""
        self._owner_asked = True
        try:
            await self.login_and_initiate_cloud(username, password, session)
        finally:
            self._owner_asked = False

    async def restore(self, username: str, cache: dict[str, Any], session: ClientSession) -> None:
        """Go on with a login of before; raises `LoginFailedError` when the cloud takes it no more."""
        self._renewed = False
        await self.restore_credentials(username, "", cache, session)

    @override
    async def login_and_initiate_cloud(self, account: str, password: str, session: ClientSession | None = None) -> None:
        if self._owner_asked:
            await super().login_and_initiate_cloud(account, password, session)
            return
        # The library gave the restored login up. Its access token may be dead while the refresh token is not.
        known = self.account_registry.get(account)
        manager = None if known is None else known.token_manager
        if manager is None or self._renewed:
            raise LoginFailedError(account, "the stored login is no longer accepted")
        self._renewed = True
        try:
            await manager.refresh_invoke_token()
        except AuthError as error:
            raise LoginFailedError(account, "the stored login is no longer accepted") from error
        await self.restore_credentials(account, "", self.to_cache(), session)

    async def look_for_mowers(self, username: str) -> bool:
        """Ask the account for its mowers and shares, register new ones; tell whether there are new ones.

        Three requests, two or three more where the account has a login at the cloud of older models. Raises what the
        library raises, unless there are new ones: then the other cloud is asked the next time.
        """
        session = self.account_registry.get(username)
        if session is None or session.mammotion_http is None:
            return False
        before = set(session.device_ids)
        owned = await session.mammotion_http.get_user_device_list()
        iot_ids = {one.device_name: one.iot_id for one in owned.data or [] if one.device_name and one.iot_id}
        await self._bootstrap_mammotion_mqtt(username, session.mammotion_http, session, iot_ids, skip_ids=before)
        try:
            await self._look_in_older_cloud(session, iot_ids, skip_ids=before)
        except Exception:
            if set(session.device_ids) == before:
                raise
        fresh = set(session.device_ids) - before
        for handle in self.device_registry.for_account(session.account_id):
            if handle.device_name in fresh:
                _tell_that_links_are_up(handle)
        return bool(fresh)

    async def _look_in_older_cloud(
        self, session: AccountSession, iot_ids: dict[str, str], *, skip_ids: set[str]
    ) -> None:
        """Register the mowers of the older cloud that are new, and connect to it when they are its first."""
        gateway = session.cloud_client
        if gateway is None:
            return
        new = [one for one in await listed(gateway) if one.device_name and one.device_name not in skip_ids]
        if not new:
            return
        transport = session.aliyun_transport or self._setup_aliyun_transport(gateway, session)
        for one in new:
            await self._register_aliyun_device(
                one.device_name,
                iot_ids.get(one.device_name) or one.iot_id,
                transport,
                session.user_account,
                one.product_key,
                acct_session=session,
            )
        if session.aliyun_transport is None:
            session.aliyun_transport = transport
            await transport.connect()

    async def mower_without_cloud(self, name: str, transport: BLETransport) -> DeviceHandle:
        """Return the handle of a mower that is reached over this Bluetooth link, made if there is none.

        A later login takes the same handle over.
        """
        handle = self.device_registry.get_by_name(name)
        if handle is not None:
            return handle
        # Bluetooth is opened by us alone, so the library is told to prefer none.
        return await self._ensure_device_handle(
            acct_session=None,
            device_id=name,
            device_name=name,
            initial_device=MowingDevice(name=name),
            ble=transport,
            prefer_ble=False,
        )

    @override
    async def _drop_unlisted_mammotion_devices(self, acct_session: AccountSession, listed: set[str]) -> None:
        """Drop nothing: the cloud says of a mower itself when it is gone."""

    @override
    async def _ensure_device_handle(self, **keywords: Any) -> DeviceHandle:
        handle = await super()._ensure_device_handle(**keywords)
        drop_broken_frames(handle)
        return handle

    @override
    async def _connect_iot(self, cloud_client: CloudIOTGateway) -> None:  # type: ignore[override]  # static in the library, called as ours
        count_requests(cloud_client, self.traffic)
        await super()._connect_iot(cloud_client)

    @override
    def _setup_aliyun_transport(
        self, cloud_client: CloudIOTGateway, acct_session: AccountSession
    ) -> AliyunMQTTTransport:
        count_requests(cloud_client, self.traffic)
        return super()._setup_aliyun_transport(cloud_client, acct_session)

    @override
    def _setup_mammotion_transport(self, *arguments: Any) -> MQTTTransport:
        transport = super()._setup_mammotion_transport(*arguments)
        subscribe_before_telling(transport)
        return transport


def _tell_that_links_are_up(handle: DeviceHandle) -> None:
    """Tell a handle how its links are: it hears only of changes, and the account's were up before it came."""
    for kind, availability in handle.transport_status().items():
        handle.update_availability(kind, availability)
