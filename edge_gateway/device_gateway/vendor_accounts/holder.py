"""Runs the provider of one login while this gateway holds its lease: two sessions of one login would end each other's.

The row is looked at now and then, so that a login that the owner renewed or deleted through another gateway begins
anew or ends here as well.
"""

import asyncio
from typing import Any, override

import structlog

from edge_gateway.bus.protocol import EventBus, Lease
from edge_gateway.contracts.errors import ConfigurationError, MowDeckError, UnavailableError
from edge_gateway.contracts.vendor_usage import VendorUsage
from edge_gateway.device_gateway.change_teller import ChangeTeller
from edge_gateway.device_gateway.provider_host import ProviderHost
from edge_gateway.device_gateway.vendor_accounts.repository import Repository, StoredAccount
from edge_gateway.device_gateway.vendor_accounts.vendor import (
    AccountKeeper,
    AccountProvider,
    AccountStatus,
    Login,
    Vendor,
)

_log = structlog.get_logger(__name__)

LOOK_SECONDS = 10.0
"""How often the lease is tried for, and the row looked at."""
LOG_OUT_SECONDS = 5.0


class Holder:
    """Runs one login's provider whenever it may."""

    def __init__(
        self,
        vendor_account_id: str,
        vendor: Vendor,
        *,
        host: ProviderHost,
        bus: EventBus,
        repository: Repository,
        teller: ChangeTeller,
        instance_id: str,
    ) -> None:
        """Run it in the host; nothing happens before `start`."""
        self._id = vendor_account_id
        self._vendor = vendor
        self._host = host
        self._bus = bus
        self._repository = repository
        self._teller = teller
        self._instance_id = instance_id
        self._provider: AccountProvider | None = None
        self._look = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to try for the lease."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"vendor account {self._id}")

    @property
    def usage(self) -> VendorUsage | None:
        """How much of the vendor's cloud the login uses; null while it does not run here."""
        return None if self._provider is None else self._provider.usage

    def look_now(self) -> None:
        """Look at the row now: it was changed."""
        self._look.set()

    async def stop(self) -> None:
        """End the provider and give the lease back."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def end_removed(self) -> None:
        """End the login at the vendor as well: its row is gone."""
        self.look_now()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=2 * LOG_OUT_SECONDS)
        await self.stop()

    async def _run(self) -> None:
        while True:
            try:
                if not await self._hold():
                    return
            except MowDeckError as error:
                _log.warning("login does not run", vendor_account_id=self._id, code=error.code)
            except Exception:  # noqa: BLE001  # one login's fault concerns itself alone: logged, tried again
                _log.exception("login failed for a reason of ours", vendor_account_id=self._id)
            await self._pause()

    async def _hold(self) -> bool:
        """Take the lease and run until it is lost; tell whether to try again."""
        stored = await self._repository.account(self._id)
        if stored is None:
            return False
        lease = await self._bus.acquire_lease(f"vendor-account-{self._id}", holder=self._instance_id)
        if lease is None:
            return True
        try:
            return await self._run_held(stored, lease)
        finally:
            await lease.release()

    async def _run_held(self, stored: StoredAccount, lease: Lease) -> bool:
        """Run the login, anew with each revision; tell whether it is still there when the lease is lost."""
        while lease.held:
            await self._begin(stored, lease)
            ended = "gateway_stopped"
            try:
                current = await self._until_changed(stored, lease)
                if current is None:
                    ended = "account_removed"
                    await self._log_out()
                    return False
                stored = current
            finally:
                await self._end(ended)
        return True

    async def _until_changed(self, stored: StoredAccount, lease: Lease) -> StoredAccount | None:
        """Return the row when it has a new revision or the lease is lost; null when it is gone."""
        lost = asyncio.ensure_future(lease.lost())
        try:
            while lease.held:
                await self._pause(lost)
                try:
                    current = await self._repository.account(self._id)
                except UnavailableError:
                    continue
                if current is None or current.revision != stored.revision:
                    return current
            return stored
        finally:
            lost.cancel()

    async def _begin(self, stored: StoredAccount, lease: Lease) -> None:
        login = Login(vendor_account_id=self._id, username=stored.account.username)
        keeper = HeldAccount(self._repository, self._teller, stored, lease, self._vendor.name)
        try:
            secrets = await self._repository.secrets(self._id)
        except ConfigurationError as error:
            _log.error("login not readable", vendor_account_id=self._id, code=error.code)
            await keeper.status_changed(AccountStatus.REJECTED, error.detail)
            return
        rejected = stored.account.status == AccountStatus.REJECTED
        if not rejected:
            await keeper.status_changed(AccountStatus.STARTING)
        self._provider = await self._vendor.provider(login, keeper, secrets=secrets, rejected=rejected)
        await self._host.run(self._provider)

    async def _log_out(self) -> None:
        if self._provider is None:
            return
        try:
            async with asyncio.timeout(LOG_OUT_SECONDS):
                await self._provider.log_out()
        except TimeoutError:
            _log.info("vendor not told of the end of the login", vendor_account_id=self._id)

    async def _end(self, reason: str) -> None:
        provider, self._provider = self._provider, None
        if provider is not None:
            await self._host.end(provider, reason=reason)

    async def _pause(self, sooner: asyncio.Future[None] | None = None) -> None:
        look = asyncio.ensure_future(self._look.wait())
        try:
            waited: set[asyncio.Future[Any]] = {look} if sooner is None else {look, sooner}
            await asyncio.wait(waited, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            look.cancel()
            self._look.clear()


class HeldAccount(AccountKeeper):
    """A login for its provider, while the lease is held."""

    def __init__(
        self, repository: Repository, teller: ChangeTeller, stored: StoredAccount, lease: Lease, provider: str
    ) -> None:
        """Keep what belongs to this revision, under this lease."""
        self._repository = repository
        self._teller = teller
        self._id = stored.account.id
        self._account_id = stored.account.account_id
        self._status = (stored.account.status, stored.account.detail)
        self._revision = stored.revision
        self._fence = lease.fence
        self._memory = repository.memory(provider)

    @override
    async def save_tokens(self, tokens: str) -> None:
        await self._repository.save_tokens(self._id, tokens, revision=self._revision, fence=self._fence)

    @override
    async def status_changed(self, status: AccountStatus, detail: str | None = None) -> None:
        try:
            await self._repository.save_status(self._id, status, detail, revision=self._revision)
        except UnavailableError as error:
            _log.warning("status of a login not kept", vendor_account_id=self._id, code=error.code)
            return
        if (status, detail) != self._status:
            self._status = (status, detail)
            await self._teller.vendor_account(self._id, self._account_id)

    @override
    async def load(self, vendor_key: str) -> bytes | None:
        return await self._memory.load(vendor_key)

    @override
    async def save(self, vendor_key: str, content: bytes) -> None:
        await self._memory.save(vendor_key, content)
