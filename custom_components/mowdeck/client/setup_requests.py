"""The requests that set a gateway up: logins at makers' clouds, Bluetooth bridges, groups."""

from collections.abc import Mapping
from typing import Any

from .bridge import Bridge, FoundBridge
from .group import Group
from .transport import MEET_TIMEOUT, Transport
from .vendor_account import VendorAccount


class SetupRequests(Transport):
    """What a gateway can be given. Secrets go there and come back from nowhere."""

    async def get_vendor_accounts(self) -> tuple[VendorAccount, ...]:
        """Return the logins at makers' clouds."""
        return (await self._ask("GET", "vendor-accounts")).objects("items", VendorAccount.read)

    async def create_vendor_account(self, *, provider: str, username: str, password: str) -> VendorAccount:
        """Log in at a maker's cloud; a refused login leaves nothing."""
        body = {"provider": provider, "username": username, "password": password}
        return VendorAccount.read(await self._ask("POST", "vendor-accounts", body, patience=MEET_TIMEOUT))

    async def update_vendor_account(self, vendor_account_id: str, *, password: str) -> VendorAccount:
        """Log in again with a new password."""
        path = f"vendor-accounts/{vendor_account_id}"
        return VendorAccount.read(await self._ask("PATCH", path, {"password": password}, patience=MEET_TIMEOUT))

    async def delete_vendor_account(self, vendor_account_id: str) -> None:
        """Forget a login; its mowers stay, unavailable."""
        await self._request("DELETE", f"vendor-accounts/{vendor_account_id}", patience=MEET_TIMEOUT)

    async def get_bridges(self) -> tuple[Bridge, ...]:
        """Return the gateway's Bluetooth bridges."""
        return (await self._ask("GET", "bridges")).objects("items", Bridge.read)

    async def get_found_bridges(self) -> tuple[FoundBridge, ...]:
        """Return the devices that tell of themselves in the gateway's network."""
        return (await self._ask("GET", "bridges/found")).objects("items", FoundBridge.read)

    async def create_bridge(self, fields: Mapping[str, Any]) -> Bridge:
        """Add a bridge (`host`, `port`, `key`, `name`); it is met first, and given a key if it has none."""
        return Bridge.read(await self._ask("POST", "bridges", fields, patience=MEET_TIMEOUT))

    async def update_bridge(self, bridge_id: str, changes: Mapping[str, Any]) -> Bridge:
        """Change the named fields of a bridge (those of `create_bridge` and `expected_mac`)."""
        return Bridge.read(await self._ask("PATCH", f"bridges/{bridge_id}", changes, patience=MEET_TIMEOUT))

    async def delete_bridge(self, bridge_id: str) -> None:
        """Forget a bridge."""
        await self._request("DELETE", f"bridges/{bridge_id}")

    async def create_group(self, fields: Mapping[str, Any]) -> Group:
        """Make a group (`name`, `mower_ids`, `max_concurrent`)."""
        return Group.read(await self._ask("POST", "groups", fields))

    async def update_group(self, group_id: str, changes: Mapping[str, Any]) -> Group:
        """Change the named fields of a group; its mowers are given whole."""
        return Group.read(await self._ask("PATCH", f"groups/{group_id}", changes))

    async def delete_group(self, group_id: str) -> None:
        """Remove a group; refused while schedules plan with it."""
        await self._request("DELETE", f"groups/{group_id}")
