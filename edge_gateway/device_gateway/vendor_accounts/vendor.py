"""What a vendor with logins is to this room: it makes a provider for each login."""

from enum import StrEnum
from typing import Protocol, override

import msgspec

from edge_gateway.contracts.vendor_usage import VendorUsage
from edge_gateway.device_gateway.provider import Provider
from edge_gateway.device_gateway.vendor_memory import MemoryStore


class AccountStatus(StrEnum):
    """How a login is."""

    STARTING = "starting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"
    """The vendor does not answer; tried again by itself."""
    REJECTED = "rejected"
    """The vendor takes it no more; only the owner can log in again."""


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """A login without its secrets."""

    vendor_account_id: str
    username: str


class Secrets(msgspec.Struct, frozen=True, kw_only=True):
    """The secrets of a login. Its text shows none of them."""

    password: str
    tokens: str | None = None
    """What the vendor gave at the last login or since; null when there was none."""

    @override
    def __repr__(self) -> str:
        """Show nothing."""
        return "Secrets(<hidden>)"

    __str__ = __repr__


class AccountKeeper(MemoryStore, Protocol):
    """What a provider asks of the account that it runs for."""

    async def save_tokens(self, tokens: str) -> None:
        """Keep the login's tokens; raises `UnavailableError` when they are not kept now."""
        ...

    async def status_changed(self, status: AccountStatus, detail: str | None = None) -> None:
        """Hear how the login is; `detail` is a sentence when it is not connected."""
        ...


class AccountProvider(Provider, Protocol):
    """A provider that runs for one login."""

    async def log_in(self, password: str) -> None:
        """Log in with a password that the owner just entered; a login that works stays when this one is refused.

        Raises `InvalidError` (`login_refused`, field `password`), `UnavailableError`.
        """
        ...

    async def log_out(self) -> None:
        """End the login at the vendor, when the vendor can be told. The provider is stopped afterwards."""
        ...

    @property
    def usage(self) -> VendorUsage | None:
        """How much of the vendor's cloud the login uses; null when that is not counted."""
        return None


class Vendor(Protocol):
    """A vendor whose mowers are reached through a login."""

    name: str
    """The provider's: `mammotion`."""

    async def provider(
        self, login: Login, keeper: AccountKeeper, *, secrets: Secrets | None, rejected: bool
    ) -> AccountProvider:
        """Return the provider of a login: with secrets it goes on with what they hold, without it waits for `log_in`.

        `rejected`: the vendor took the login no more, so nothing is asked of it; its mowers are still told of.
        The vendor's library is imported here and not before.
        """
        ...
