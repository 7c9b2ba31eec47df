"""Answers the routes of logins at vendors and keeps a holder for each login."""

import asyncio
from collections.abc import Iterable
from typing import override

import asyncpg
import msgspec
import structlog

from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.errors import (
    InvalidError,
    MowDeckError,
    NotFoundError,
    UnavailableError,
)
from edge_gateway.contracts.fleet import (
    Asking,
    CreateVendorAccountRequest,
    DeleteVendorAccountRequest,
    ListVendorAccountsReply,
    UpdateVendorAccountRequest,
    VendorAccount,
)
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.database.secrets import SecretBox
from edge_gateway.device_gateway.change_teller import ChangeTeller
from edge_gateway.device_gateway.provider_host import ProviderHost
from edge_gateway.device_gateway.provider_host import VendorAccounts as VendorAccountsProtocol
from edge_gateway.device_gateway.rights import check_household
from edge_gateway.device_gateway.vendor_accounts.holder import Holder
from edge_gateway.device_gateway.vendor_accounts.repository import Repository, StoredAccount, account_exists
from edge_gateway.device_gateway.vendor_accounts.vendor import (
    AccountKeeper,
    AccountStatus,
    Login,
    Secrets,
    Vendor,
)

_log = structlog.get_logger(__name__)

LOGIN_SECONDS = 20.0
RETRY_SECONDS = 5.0
LONGEST_NAME = 254


class VendorAccounts(VendorAccountsProtocol):
    """The room of logins at vendors."""

    def __init__(
        self,
        host: ProviderHost,
        *,
        bus: EventBus,
        pool: asyncpg.Pool[asyncpg.Record],
        clock: Clock,
        box: SecretBox,
        vendors: Iterable[Vendor],
        instance_id: str,
    ) -> None:
        """Run providers in the host, as this instance."""
        self._host = host
        self._bus = bus
        self._clock = clock
        self._repository = Repository(pool, box)
        self._teller = ChangeTeller(bus, clock)
        self._vendors = {vendor.name: vendor for vendor in vendors}
        self._instance_id = instance_id
        self._holders: dict[str, Holder] = {}
        self._replies: list[Subscription] = []
        self._beginning: asyncio.Task[None] | None = None

    @override
    async def start(self) -> None:
        self._replies = [
            await self._bus.reply(routes.VENDOR_ACCOUNTS_LIST, self.list),
            await self._bus.reply(routes.VENDOR_ACCOUNTS_CREATE, self.create),
            await self._bus.reply(routes.VENDOR_ACCOUNTS_UPDATE, self.update),
            await self._bus.reply(routes.VENDOR_ACCOUNTS_DELETE, self.delete),
        ]
        self._beginning = asyncio.get_running_loop().create_task(self._begin(), name="vendor accounts")

    @override
    async def stop(self) -> None:
        for reply in self._replies:
            await reply.unsubscribe()
        self._replies.clear()
        if self._beginning is not None:
            self._beginning.cancel()
            await asyncio.gather(self._beginning, return_exceptions=True)
        await asyncio.gather(*(holder.stop() for holder in self._holders.values()))
        self._holders.clear()

    async def list(self, question: Asking) -> ListVendorAccountsReply:
        """Return the account's logins."""
        await check_household(self._bus, question)
        stored = await self._repository.accounts(question.account_id)
        return ListVendorAccountsReply(items=tuple(self._with_usage(one.account) for one in stored))

    async def create(self, question: CreateVendorAccountRequest) -> VendorAccount:
        """Log in, and keep the login when the vendor takes it.

        Raises `InvalidError` naming the field (`login_refused`: password), `ConflictError` (`vendor_account_exists`),
        `UnavailableError`.
        """
        await check_household(self._bus, question)
        vendor = self._vendors.get(question.provider)
        if vendor is None:
            raise InvalidError(
                "unknown_provider",
                f"There are no logins at {question.provider}.",
                remedy=f"Use one of: {', '.join(sorted(self._vendors))}.",
                field="provider",
            )
        username = _filled(question.username.strip(), "username")
        password = _filled(question.password, "password")
        if await self._repository.is_known(account_id=question.account_id, provider=vendor.name, username=username):
            raise account_exists(username)
        login = Login(vendor_account_id=new_id(), username=username)
        secrets = await _logged_in(vendor, login, password)
        account = VendorAccount(
            id=login.vendor_account_id,
            account_id=question.account_id,
            provider=vendor.name,
            username=username,
            status=AccountStatus.CONNECTED,
            created_at=self._clock.now(),
        )
        await self._repository.add(account, secrets)
        self._hold(account.id, vendor)
        await self._teller.vendor_account(account.id, account.account_id)
        return account

    async def update(self, question: UpdateVendorAccountRequest) -> VendorAccount:
        """Log in again with a new password; the login of before stays when it is refused."""
        await check_household(self._bus, question)
        stored = await self._found(question.vendor_account_id, question.account_id)
        password = _filled(question.password, "password")
        vendor = self._vendor(stored)
        login = Login(vendor_account_id=stored.account.id, username=stored.account.username)
        secrets = await _logged_in(vendor, login, password)
        if not await self._repository.renew(stored.account.id, secrets):
            raise _not_found()
        self._hold(stored.account.id, vendor)
        await self._teller.vendor_account(stored.account.id, question.account_id)
        return (await self._found(stored.account.id, question.account_id)).account

    async def delete(self, question: DeleteVendorAccountRequest) -> Nothing:
        """Forget a login; its mowers stay in the fleet, unavailable."""
        await check_household(self._bus, question)
        stored = await self._found(question.vendor_account_id, question.account_id)
        await self._repository.remove(stored.account.id)
        if (holder := self._holders.pop(stored.account.id, None)) is not None:
            await holder.end_removed()
        await self._host.release_account(stored.account.id, reason="account_removed")
        await self._teller.vendor_account(stored.account.id, question.account_id, removed=True)
        return Nothing()

    async def _begin(self) -> None:
        """Hold every known login; a database that is away is waited for."""
        while True:
            try:
                for stored in await self._repository.accounts():
                    if stored.account.provider in self._vendors:
                        self._hold(stored.account.id, self._vendor(stored))
            except UnavailableError as error:
                _log.warning("logins not read yet", code=error.code)
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return

    def _with_usage(self, account: VendorAccount) -> VendorAccount:
        holder = self._holders.get(account.id)
        return account if holder is None else msgspec.structs.replace(account, usage=holder.usage)

    def _hold(self, vendor_account_id: str, vendor: Vendor) -> None:
        holder = self._holders.get(vendor_account_id)
        if holder is not None:
            holder.look_now()
            return
        holder = self._holders[vendor_account_id] = Holder(
            vendor_account_id,
            vendor,
            host=self._host,
            bus=self._bus,
            repository=self._repository,
            teller=self._teller,
            instance_id=self._instance_id,
        )
        holder.start()

    async def _found(self, vendor_account_id: str, account_id: str) -> StoredAccount:
        stored = await self._repository.account(vendor_account_id)
        if stored is None or stored.account.account_id != account_id:
            raise _not_found()
        return stored

    def _vendor(self, stored: StoredAccount) -> Vendor:
        return self._vendors[stored.account.provider]


class _FirstLogin(AccountKeeper):
    """Holds the tokens of a login that is not kept yet."""

    def __init__(self) -> None:
        self.tokens: str | None = None

    @override
    async def save_tokens(self, tokens: str) -> None:
        self.tokens = tokens

    @override
    async def status_changed(self, status: AccountStatus, detail: str | None = None) -> None:
        del status, detail

    @override
    async def load(self, vendor_key: str) -> bytes | None:
        del vendor_key
        return None

    @override
    async def save(self, vendor_key: str, content: bytes) -> None:
        del vendor_key, content


async def _logged_in(vendor: Vendor, login: Login, password: str) -> Secrets:
    """Log in once and let go; the tokens go on where this ends."""
    keeper = _FirstLogin()
    provider = await vendor.provider(login, keeper, secrets=None, rejected=False)
    try:
        async with asyncio.timeout(LOGIN_SECONDS):
            await provider.log_in(password)
    except TimeoutError:
        raise UnavailableError(
            "vendor_unreachable", "The vendor's cloud does not answer.", remedy="Try again later."
        ) from None
    except MowDeckError as error:
        _log.info("login at the vendor failed", provider=vendor.name, code=error.code)
        raise
    finally:
        await provider.stop()
    return Secrets(password=password, tokens=keeper.tokens)


def _filled(value: str, field: str) -> str:
    if not value or len(value) > LONGEST_NAME:
        raise InvalidError("invalid", f"The {field} has 1 to {LONGEST_NAME} characters.", field=field)
    return value


def _not_found() -> NotFoundError:
    return NotFoundError("not_found", "There is no such login.", field="vendor_account_id")
