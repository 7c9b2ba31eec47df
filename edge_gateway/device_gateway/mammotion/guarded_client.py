"""The library's client, held back from one thing: it never sends a password unless the owner just entered it.

Restoring a login that the cloud refuses would send the stored password by itself; repeated, that is what accounts were
banned for, and it throws the owner's phone out each time.
"""

from typing import Any, override

from aiohttp import ClientSession
from pymammotion.client import MammotionClient
from pymammotion.transport.base import AuthError, LoginFailedError

_APP_VERSION = "MowDeck"


class GuardedClient(MammotionClient):
    """A client for one vendor account."""

    def __init__(self) -> None:
        """Log in only through `log_in`."""
        super().__init__(_APP_VERSION)
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
