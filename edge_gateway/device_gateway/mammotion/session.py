"""One vendor account's session in the vendor's cloud: logged in, kept, saved at each turn of its tokens, or rejected.

The cloud turns both tokens over with each refresh. One that is not saved before the process ends is lost, and with it
the login, so a save that fails is tried again until it succeeds.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import structlog
from pymammotion.http.model.http import CheckDeviceVersion, UnauthorizedExceptionError
from pymammotion.transport.base import AuthError, TransportType

from edge_gateway.contracts.errors import InvalidError, MowDeckError, UnavailableError
from edge_gateway.device_gateway.mammotion.errors import translated, unavailable
from edge_gateway.device_gateway.mammotion.guarded_client import GuardedClient
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.mammotion.traffic import Traffic, a_person_waits
from edge_gateway.device_gateway.mammotion.vendor_words import tokens_text
from edge_gateway.device_gateway.vendor_accounts.vendor import Secrets

_log = structlog.get_logger(__name__)

SAVE_RETRY_SECONDS = 5.0

type Save = Callable[[str], Awaitable[None]]
"""Keeps the login's tokens (a JSON text, secret); raises when it could not."""
type Rejected = Callable[[], Awaitable[None]]


class Session:
    """The session of one vendor account."""

    def __init__(
        self,
        *,
        vendor_account_id: str,
        username: str,
        settings: MammotionSettings,
        save: Save,
        rejected: Rejected,
    ) -> None:
        """Keep tokens through `save`; tell `rejected` once when the cloud takes the login no more."""
        self.username = username
        self._vendor_account_id = vendor_account_id
        self._settings = settings
        self._save = save
        self._rejected = rejected
        self._traffic = Traffic(
            vendor_account_id,
            first_wait_seconds=settings.retry_seconds,
            longest_wait_seconds=settings.retry_maximum_seconds,
        )
        self.client = GuardedClient(self._traffic)
        self._http: aiohttp.ClientSession | None = None
        self._saving: asyncio.Task[None] | None = None
        self._tokens: str | None = None
        self._unsaved: str | None = None
        self.client.on_credentials_updated = self._tokens_turned
        self.client.on_unrecoverable_auth_error = self._login_is_dead

    async def log_in(self, password: str) -> None:
        """Log in with a password that the owner entered.

        Raises `InvalidError` (`login_refused`, field `password`), `UnavailableError`.
        """
        self._traffic.open()
        try:
            with a_person_waits():
                await self.client.log_in(self.username, password, self._open_http())
        except AuthError:
            raise login_refused() from None
        except Exception as error:  # noqa: BLE001  # the library raises its own, the HTTP client's and the system's
            # Without the cause: its text may hold the password.
            raise _unreachable(error) from None
        await self._tokens_turned()

    async def resume(self, secrets: Secrets) -> bool:
        """Go on with what the secrets hold; tell whether the cloud takes it. Raises `UnavailableError`."""
        if secrets.tokens is not None:
            return await self.restore(secrets.tokens)
        # A login whose tokens were never kept: the password is used, once.
        try:
            await self.log_in(secrets.password)
        except InvalidError:
            return False
        return True

    async def restore(self, tokens: str) -> bool:
        """Go on with the login that was kept; tell whether the cloud still takes it.

        Raises `UnavailableError` when the cloud cannot be asked now.
        """
        try:
            # A refresh during an earlier try may have turned them over.
            await self.client.restore(self.username, json.loads(self._tokens or tokens), self._open_http())
        except AuthError, UnauthorizedExceptionError:
            return False
        except Exception as error:  # noqa: BLE001  # the library raises its own, the HTTP client's and the system's
            raise _unreachable(error) from None
        await self._tokens_turned()
        return True

    @property
    def traffic(self) -> Traffic:
        """The requests of the account."""
        return self._traffic

    async def look_for_mowers(self) -> bool:
        """Look whether the account has mowers that are not known yet, unless its cloud is to be left alone.

        Raises `UnavailableError` and the like when the cloud does not tell.
        """
        if not self._traffic.has_room:
            return False
        try:
            return await self.client.look_for_mowers(self.username)
        except Exception as error:  # noqa: BLE001  # the library raises its own, the HTTP client's and the system's
            raise translated(error) from None

    async def check_firmware(self, iot_ids: list[str]) -> list[CheckDeviceVersion] | None:
        """Ask which firmware these mowers have and which they could have; null when the cloud is to be left alone.

        One request. Raises `UnavailableError` and the like when the cloud does not tell.
        """
        http = self.client.mammotion_http
        if http is None or not self._traffic.has_room:
            return None
        try:
            answer = await http.get_device_ota_firmware(iot_ids)
        except Exception as error:  # noqa: BLE001  # the library raises its own, the HTTP client's and the system's
            raise translated(error) from None
        if answer.code != 0 or answer.data is None:
            raise unavailable("vendor_failed", vendor_code=answer.code)
        return answer.data

    def hold_still(self) -> None:
        """Ask nothing of the cloud any more."""
        self._traffic.close()

    async def close(self) -> None:
        """Disconnect; the login stays good for the next time."""
        self.client.on_credentials_updated = None
        self.client.on_unrecoverable_auth_error = None
        await self.client.stop()
        if self._saving is not None:
            self._saving.cancel()
            await asyncio.gather(self._saving, return_exceptions=True)
        if self._unsaved is not None:
            await self._save_now()
        if self._http is not None:
            await self._http.close()

    async def log_out(self) -> None:
        """End the login at the vendor, when the vendor can be told."""
        http = self.client.mammotion_http
        if http is None:
            return
        try:
            await http.logout()
        except Exception:  # noqa: BLE001  # the login is thrown away all the same
            _log.info("the vendor was not told of the log-out", vendor_account_id=self._vendor_account_id)

    def _open_http(self) -> aiohttp.ClientSession:
        if self._http is None:
            self._http = aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=self._settings.http_timeout_seconds),
                middlewares=(self._traffic,),
            )
        return self._http

    async def _tokens_turned(self) -> None:
        cache: dict[str, Any] = self.client.to_cache()
        if not cache:
            return
        self._unsaved = self._tokens = tokens_text(cache)
        if not await self._save_now() and (self._saving is None or self._saving.done()):
            self._saving = asyncio.get_running_loop().create_task(self._save_until_done())

    async def _save_now(self) -> bool:
        tokens = self._unsaved
        if tokens is None:
            return True
        try:
            await self._save(tokens)
        except MowDeckError as error:
            _log.error("tokens of a login are not kept yet", vendor_account_id=self._vendor_account_id, code=error.code)
            return False
        if self._unsaved is tokens:
            self._unsaved = None
        return True

    async def _save_until_done(self) -> None:
        while True:
            await asyncio.sleep(SAVE_RETRY_SECONDS)
            if await self._save_now():
                return

    async def _login_is_dead(self, account: str, transport: TransportType, error: Exception) -> None:
        del account, transport, error
        self._traffic.close()
        _log.warning("the vendor takes a login no more", vendor_account_id=self._vendor_account_id)
        await self._rejected()


def login_refused() -> InvalidError:
    """Return the error for a username or password that the vendor refuses."""
    return InvalidError(
        "login_refused",
        "Mammotion refused the username or the password.",
        remedy="Check both in the vendor's app; logins through Google or Apple have no password here.",
        field="password",
    )


def _unreachable(error: Exception) -> UnavailableError:
    found = translated(error)
    if isinstance(found, UnavailableError) and found.code != "vendor_failed":
        return found
    return UnavailableError(
        "vendor_unreachable",
        "Mammotion's cloud could not be reached.",
        remedy="Check the internet connection, or try again later.",
    )
