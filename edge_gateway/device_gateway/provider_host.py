"""Where providers run: started and stopped one by one, while the gateway works.

The service is the host. Vendor accounts (`vendor_accounts/`) are given it, make a provider only when a login exists
or is being made (an import of a vendor's library happens then and not before), and let it run here.
"""

from typing import Protocol

from edge_gateway.device_gateway.provider import Provider


class ProviderHost(Protocol):
    """Runs providers: their mowers are registered with the fleet and each gets an actor."""

    async def run(self, provider: Provider) -> None:
        """Start a provider; mowers that it tells of are followed from then on.

        Raises what `Provider.start` raises; the provider is not kept then.
        """
        ...

    async def end(self, provider: Provider, *, reason: str) -> None:
        """Stop a provider and let go of its mowers: they become unavailable with this reason (a code).

        Nothing happens when it does not run here.
        """
        ...

    async def release_account(self, vendor_account_id: str, *, reason: str) -> None:
        """Let go of the mowers of one vendor account: they stay in the fleet, unavailable with this reason."""
        ...


class VendorAccounts(Protocol):
    """Logins at vendors: answers the routes `device_gateway.vendor_accounts.*` and runs their providers in the host."""

    async def start(self) -> None:
        """Reply to the routes and begin to log in; returns at once, a vendor that does not answer blocks nothing."""
        ...

    async def stop(self) -> None:
        """Stop replying and end the providers that it runs."""
        ...


class Bridges(Protocol):
    """Bluetooth bridges: answers the routes `device_gateway.bridges.*` and runs them."""

    async def start(self) -> None:
        """Reply to the routes and begin to connect; returns at once, a bridge that does not answer blocks nothing."""
        ...

    async def stop(self) -> None:
        """Stop replying and let go of the bridges."""
        ...


class Lending(Protocol):
    """Bluetooth that Home Assistant lends: answers the routes `device_gateway.bluetooth.*`."""

    async def start(self) -> None:
        """Reply to the routes, if no other copy of the gateway does."""
        ...

    async def stop(self) -> None:
        """Stop replying and let go of what is lent."""
        ...
