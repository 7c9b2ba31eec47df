"""An office: the room of logins, the bus it answers on, a host that runs providers, and a vendor that can be told."""

import asyncio
from collections.abc import Callable
from typing import override

from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.errors import ForbiddenError, InvalidError, UnavailableError
from edge_gateway.contracts.fleet import (
    Asking,
    CreateVendorAccountRequest,
    DeleteVendorAccountRequest,
    UpdateVendorAccountRequest,
    VendorAccount,
)
from edge_gateway.contracts.principals import PermissionCheckReply, PermissionCheckRequest, Relation
from edge_gateway.database.pools import Pool
from edge_gateway.database.secrets import SecretBox
from edge_gateway.device_gateway.provider import Driver, FoundMower, Provider, ProviderListener
from edge_gateway.device_gateway.provider_host import ProviderHost
from edge_gateway.device_gateway.vendor_accounts.accounts import VendorAccounts
from edge_gateway.device_gateway.vendor_accounts.vendor import (
    AccountKeeper,
    AccountProvider,
    AccountStatus,
    Login,
    Secrets,
    Vendor,
)

OWNER, GUEST, STRANGER = "user:owner", "user:guest", "user:stranger"
SECONDS = 15.0


class Host(ProviderHost, ProviderListener):
    """Runs providers and remembers what happened to them."""

    def __init__(self) -> None:
        """Run nothing yet."""
        self.running: list[Provider] = []
        self.ended: list[str] = []
        self.released: list[tuple[str, str]] = []
        self.found: list[FoundMower] = []
        self.news = asyncio.Event()

    @override
    async def run(self, provider: Provider) -> None:
        self.running.append(provider)
        await provider.start(self)
        self.news.set()

    @override
    async def end(self, provider: Provider, *, reason: str) -> None:
        if provider in self.running:
            self.running.remove(provider)
            await provider.stop()
            self.ended.append(reason)
            self.news.set()

    @override
    async def release_account(self, vendor_account_id: str, *, reason: str) -> None:
        self.released.append((vendor_account_id, reason))

    @override
    async def mower_found(self, found: FoundMower) -> None:
        self.found.append(found)
        self.news.set()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true, looked at after each thing that happens."""
        async with asyncio.timeout(SECONDS):
            while not true():
                self.news.clear()
                await self.news.wait()


class ScriptedVendor(Vendor):
    """A vendor whose one right password is known."""

    name = "scripted"

    def __init__(self) -> None:
        """Take the password `right`."""
        self.right = "right"
        self.away = False
        self.hangs = False
        self.logins: list[tuple[str, str]] = []
        self.log_outs = 0
        self.providers: list[ScriptedProvider] = []

    @override
    async def provider(
        self, login: Login, keeper: AccountKeeper, *, secrets: Secrets | None, rejected: bool
    ) -> AccountProvider:
        provider = ScriptedProvider(self, login, keeper, secrets=secrets, rejected=rejected)
        self.providers.append(provider)
        return provider


class ScriptedProvider(AccountProvider):
    """The provider of one login."""

    name = "scripted"

    def __init__(
        self,
        vendor: ScriptedVendor,
        login: Login,
        keeper: AccountKeeper,
        *,
        secrets: Secrets | None,
        rejected: bool,
    ) -> None:
        """Be what it is made with."""
        self.vendor = vendor
        self.login = login
        self.keeper = keeper
        self.secrets = secrets
        self.rejected = rejected
        self.stopped = False

    @override
    async def log_in(self, password: str) -> None:
        self.vendor.logins.append((self.login.username, password))
        if self.vendor.hangs:
            await asyncio.Event().wait()
        if self.vendor.away:
            raise UnavailableError("vendor_unreachable", "The vendor does not answer.")
        if password != self.vendor.right:
            raise InvalidError("login_refused", "The vendor refused the password.", field="password")
        await self.keeper.save_tokens(f"tokens-{len(self.vendor.logins)}")

    @override
    async def log_out(self) -> None:
        self.vendor.log_outs += 1

    @override
    async def start(self, listener: ProviderListener) -> None:
        if not self.rejected:
            await self.keeper.status_changed(AccountStatus.CONNECTED)

    @override
    async def stop(self) -> None:
        self.stopped = True

    @override
    def driver(self, found: FoundMower, *, mower_id: str, account_id: str) -> Driver:
        raise NotImplementedError


class Office:
    """One gateway's room of logins, asked over the bus."""

    def __init__(self, bus: EventBus, pool: Pool, box: SecretBox, vendor: Vendor, *, instance_id: str = "one") -> None:
        """Put it together."""
        self.bus = bus
        self.pool = pool
        self.host = Host()
        self.room = VendorAccounts(
            self.host,
            bus=bus,
            pool=pool,
            clock=SystemClock(),
            box=box,
            vendors=[vendor],
            instance_id=instance_id,
        )

    async def create(
        self,
        username: str = "anna@example.com",
        password: str = "right",  # noqa: S107  # of a scripted vendor
        *,
        who: str = OWNER,
        provider: str = "scripted",
    ) -> VendorAccount:
        """Ask for a new login."""
        question = CreateVendorAccountRequest(
            on_behalf_of=who, account_id="home", provider=provider, username=username, password=password
        )
        return await self.bus.request(routes.VENDOR_ACCOUNTS_CREATE, question, timeout_seconds=10)

    async def update(self, vendor_account_id: str, password: str, *, who: str = OWNER) -> VendorAccount:
        """Ask for a login with another password."""
        question = UpdateVendorAccountRequest(
            on_behalf_of=who, account_id="home", vendor_account_id=vendor_account_id, password=password
        )
        return await self.bus.request(routes.VENDOR_ACCOUNTS_UPDATE, question, timeout_seconds=10)

    async def delete(self, vendor_account_id: str, *, who: str = OWNER) -> None:
        """Ask to forget a login."""
        question = DeleteVendorAccountRequest(on_behalf_of=who, account_id="home", vendor_account_id=vendor_account_id)
        await self.bus.request(routes.VENDOR_ACCOUNTS_DELETE, question, timeout_seconds=10)

    async def list(self, *, who: str = OWNER) -> tuple[VendorAccount, ...]:
        """Ask for all logins."""
        question = Asking(on_behalf_of=who, account_id="home")
        return (await self.bus.request(routes.VENDOR_ACCOUNTS_LIST, question)).items


async def answer_for_the_fleet(bus: EventBus) -> Subscription:
    """Let the owner manage mowers, the guest not, and know nobody else."""

    async def check(question: PermissionCheckRequest) -> PermissionCheckReply:
        if question.principal == STRANGER:
            raise ForbiddenError("unknown_principal", "Nobody knows you.")
        allowed = question.principal == OWNER and question.relation is Relation.CAN_MANAGE_MOWERS
        return PermissionCheckReply(allowed={question.account_id: allowed})

    return await bus.reply(routes.PERMISSIONS_CHECK, check)
