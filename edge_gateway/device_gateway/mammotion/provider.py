"""The mowers of one Mammotion account: found, driven, and told of when the account works no more."""

import asyncio
import random
from typing import override

import msgspec
import structlog
from pymammotion.data.model.device import Device
from pymammotion.device.handle import DeviceHandle

from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.vendor_usage import VendorUsage
from edge_gateway.device_gateway.mammotion.account_looks import AccountLooks, Looked
from edge_gateway.device_gateway.mammotion.driver import MammotionDriver
from edge_gateway.device_gateway.mammotion.firmware import firmware_of, send_limit_holds
from edge_gateway.device_gateway.mammotion.memory import Memory
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink
from edge_gateway.device_gateway.mammotion.session import Session
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.mammotion.surroundings import MakeBluetooth, Surroundings
from edge_gateway.device_gateway.mammotion.vendor_words import found_mower, is_mower, remembered_mowers
from edge_gateway.device_gateway.provider import Driver, FoundMower, ProviderListener
from edge_gateway.device_gateway.vendor_accounts.vendor import (
    AccountKeeper,
    AccountProvider,
    AccountStatus,
    Login,
    Secrets,
)

_log = structlog.get_logger(__name__)

PROVIDER_NAME = "mammotion"


class MammotionProvider(AccountProvider):
    """The provider of one vendor account."""

    name = PROVIDER_NAME

    def __init__(
        self,
        login: Login,
        keeper: AccountKeeper,
        *,
        secrets: Secrets | None,
        rejected: bool,
        settings: MammotionSettings,
        clock: Clock,
        bluetooth: MakeBluetooth | None = None,
    ) -> None:
        """Connect in `start` with what the secrets hold, unless rejected; without any, `log_in` comes first."""
        self._login = login
        self._keeper = keeper
        self._secrets = secrets
        self._settings = settings
        self._listener: ProviderListener | None = None
        self._drivers: dict[str, MammotionDriver] = {}
        self._session: Session | None = None
        self._connected = False
        self._problem = "account_rejected" if rejected else "not_connected"
        self._connecting: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        looked = Looked(
            session=lambda: self._session if self._connected else None,
            mowers=self._handles,
            came=self._mowers_came,
            looked=self._tell_mowers,
        )
        self._looks = AccountLooks(looked, settings, vendor_account_id=login.vendor_account_id)
        self._surroundings = Surroundings(
            vendor_account_id=login.vendor_account_id,
            settings=settings,
            clock=clock,
            connect=self._connect_driver,
            introduced=self._tell_mowers,
            bluetooth=bluetooth,
        )

    @override
    async def log_in(self, password: str) -> None:
        session = self._new_session()
        try:
            await session.log_in(password)
        except BaseException:
            await session.close()
            raise
        await self._end_connecting()
        before, self._session = self._session, session
        if before is not None:
            await before.close()
        await self._arrived()

    @override
    async def log_out(self) -> None:
        if self._session is not None:
            await self._session.log_out()

    @override
    async def start(self, listener: ProviderListener) -> None:
        self._listener = listener
        await self._tell_mowers()
        if self._connected:
            self._looking = asyncio.get_running_loop().create_task(self._looks.run())
        if self._connected or self._secrets is None:
            return
        if self._problem != "account_rejected":
            self._connecting = asyncio.get_running_loop().create_task(self._connect(self._secrets))

    @override
    async def stop(self) -> None:
        await self._end_connecting()
        looking, self._looking = self._looking, None
        await _ended(looking)
        self._listener = None
        self._connected = False
        for driver in self._drivers.values():
            await driver.detach("gateway_stopped")
        if self._session is not None:
            await self._session.close()
            self._session = None

    @property
    @override
    def usage(self) -> VendorUsage | None:
        if self._session is None:
            return None
        limited = any(send_limit_holds(firmware_of(handle.snapshot.raw)) for handle in self._handles())
        return self._session.traffic.usage(limited=limited)

    @override
    def driver(self, found: FoundMower, *, mower_id: str, account_id: str) -> Driver:
        driver = MammotionDriver(
            found.vendor_key,
            self._surroundings,
            Memory(found.vendor_key, self._keeper),
            mower_id=mower_id,
            account_id=account_id,
        )
        self._drivers[found.vendor_key] = driver
        return driver

    def _new_session(self) -> Session:
        session = Session(
            vendor_account_id=self._login.vendor_account_id,
            username=self._login.username,
            settings=self._settings,
            save=self._save_tokens,
            rejected=self._rejected,
        )
        session.client.on_device_removed = self._removed
        session.client.on_account_in_use_changed = self._in_use_changed
        return session

    async def _save_tokens(self, tokens: str) -> None:
        if self._secrets is not None:
            self._secrets = msgspec.structs.replace(self._secrets, tokens=tokens)
        await self._keeper.save_tokens(tokens)

    async def _connect(self, secrets: Secrets) -> None:
        """Connect, however long the vendor's cloud is away; end when it takes the login no more."""
        wait = self._settings.retry_seconds
        session = self._session = self._new_session()
        while True:
            try:
                if await session.resume(secrets):
                    await self._arrived()
                else:
                    await self._rejected()
            except UnavailableError as error:
                _log.warning(
                    "the vendor's cloud is not reached",
                    vendor_account_id=self._login.vendor_account_id,
                    code=error.code,
                )
                await self._lost(error.code)
                await self._keeper.status_changed(AccountStatus.UNREACHABLE, error.detail)
            else:
                return
            await asyncio.sleep(wait * random.uniform(0.8, 1.2))  # noqa: S311  # jitter, not a secret
            wait = min(wait * 2, self._settings.retry_maximum_seconds)

    async def _arrived(self) -> None:
        self._connected = True
        self._problem = "not_connected"
        await self._keeper.status_changed(AccountStatus.CONNECTED)
        await self._connect_drivers()
        await self._tell_mowers()
        if self._looking is None and self._listener is not None:
            self._looking = asyncio.get_running_loop().create_task(self._looks.run())

    async def _lost(self, reason: str) -> None:
        self._connected = False
        self._problem = reason
        for driver in tuple(self._drivers.values()):
            await self._without_cloud(driver, reason)

    async def _rejected(self) -> None:
        if self._problem == "account_rejected":
            return
        if self._session is not None:
            self._session.hold_still()
        await self._lost("account_rejected")
        await self._keeper.status_changed(
            AccountStatus.REJECTED, "Mammotion no longer accepts the login. Log in again."
        )

    async def _tell_mowers(self) -> None:
        """Tell of the mowers that are connected, else of those that were at the last time."""
        known: list[tuple[str, str, Device | None]] = [
            (handle.device_name, handle.resolved_product_key, handle.snapshot.raw) for handle in self._handles()
        ]
        if not self._connected and self._secrets is not None and self._secrets.tokens is not None:
            known = [(name, key, None) for name, key in remembered_mowers(self._secrets.tokens)]
        for name, key, device in known:
            if self._listener is not None:
                await self._listener.mower_found(found_mower(name, key, device, self._login.vendor_account_id))

    def _handles(self) -> list[DeviceHandle]:
        if self._session is None:
            return []
        handles = self._session.client.device_registry.all_devices
        return [handle for handle in handles if is_mower(handle.device_name, handle.resolved_product_key)]

    async def _connect_driver(self, driver: MammotionDriver) -> None:
        """Give a driver its link, when there is one."""
        session = self._session
        handle = next((handle for handle in self._handles() if handle.device_name == driver.vendor_key), None)
        if session is None or not self._connected:
            await self._without_cloud(driver, self._problem)
        elif handle is None:
            await self._without_cloud(driver, "vendor_removed")
        else:
            await driver.attach(MowerLink(session.client, handle, username=self._login.username))

    async def _without_cloud(self, driver: MammotionDriver, problem: str) -> None:
        """Leave a driver what is near its mower, when something is: the cloud is of no use for this reason (a code)."""
        session, bluetooth = self._session, driver.bluetooth
        if session is None or bluetooth is None or not bluetooth.known:
            await driver.detach(problem)
            return
        handle = await session.client.mower_without_cloud(driver.vendor_key, bluetooth.transport)
        link = MowerLink(session.client, handle, username=self._login.username)
        await driver.attach(link, account_problem=problem)

    async def _connect_drivers(self) -> None:
        for driver in tuple(self._drivers.values()):
            if driver.followed:
                await self._connect_driver(driver)

    async def _mowers_came(self) -> None:
        await self._connect_drivers()
        await self._tell_mowers()

    async def _removed(self, device_name: str, iot_id: str) -> None:
        """Keep a mower that the vendor no longer lists: it may come back, and only its owner deletes it."""
        del iot_id
        _log.warning("the vendor lists a mower no more", mower=device_name)
        if (driver := self._drivers.get(device_name)) is not None:
            await self._without_cloud(driver, "vendor_removed")

    async def _in_use_changed(self, account: str, held: bool) -> None:  # noqa: FBT001  # the library's callback
        del account
        if not held:
            await self._connect_drivers()
            return
        for driver in tuple(self._drivers.values()):
            await self._without_cloud(driver, "account_in_use")

    async def _end_connecting(self) -> None:
        task, self._connecting = self._connecting, None
        if task is not asyncio.current_task():
            await _ended(task)


async def _ended(task: asyncio.Task[None] | None) -> None:
    """End a task, when there is one."""
    if task is not None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
