"""Looks now and then at what an account has: mowers that came into it, and the newest firmware of all of them."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence

import msgspec
import structlog
from pymammotion.device.handle import DeviceHandle

from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.device_gateway.mammotion.firmware import take_check
from edge_gateway.device_gateway.mammotion.session import Session
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings

_log = structlog.get_logger(__name__)


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What an account's looks need of their provider."""

    session: Callable[[], Session | None]
    """The session, while it is connected."""
    mowers: Callable[[], Sequence[DeviceHandle]]
    """The mowers that it knows."""
    came: Callable[[], Awaitable[None]]
    """Hears that there are mowers that were not there before."""
    looked: Callable[[], Awaitable[None]]
    """Hears that something of the mowers may be known anew."""


class AccountLooks:
    """The looks at one account. Nothing hangs on them: what the cloud does not tell stays as it was."""

    def __init__(
        self,
        looked: Looked,
        settings: MammotionSettings,
        *,
        vendor_account_id: str,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Look as often as the settings say."""
        self._looked = looked
        self._settings = settings
        self._account = vendor_account_id
        self._monotonic = monotonic
        self._asked_at: float | None = None
        self._asked_for: frozenset[str] = frozenset()
        self._firmware_untold = False

    async def run(self) -> None:
        """Look until cancelled: for firmware at once, for mowers, which the account has just told, a while later."""
        while True:
            await self._look_for_firmware()
            await self._looked.looked()
            wait = self._settings.look_for_mowers_seconds * random.uniform(0.9, 1.1)  # noqa: S311  # jitter
            await asyncio.sleep(wait)
            await self._look_for_mowers()

    async def _look_for_mowers(self) -> None:
        """Find mowers that come into the account later, or back: shared, added, hidden for a while."""
        session = self._looked.session()
        if session is None:
            return
        try:
            came = await session.look_for_mowers()
        except MowDeckError as error:
            _log.info("the account's mowers were not read", vendor_account_id=self._account, code=error.code)
            return
        if came:
            await self._looked.came()

    async def _look_for_firmware(self) -> None:
        """Ask for the newest firmware of all mowers, in one request, when it is time or one of them is new."""
        session = self._looked.session()
        # One that is only reached nearby has no id at the vendor.
        mowers = {handle.iot_id: handle for handle in self._looked.mowers() if handle.iot_id}
        if session is None or not mowers or not self._wants_firmware(frozenset(mowers)):
            return
        try:
            checks = await session.check_firmware(list(mowers))
        except MowDeckError as error:
            if not self._firmware_untold:
                _log.info("the newest firmware was not told", vendor_account_id=self._account, code=error.code)
            self._firmware_untold = True
            return
        if checks is None:
            return
        self._asked_at, self._asked_for, self._firmware_untold = self._monotonic(), frozenset(mowers), False
        for check in checks:
            if (handle := mowers.get(check.device_id)) is not None:
                take_check(handle.snapshot.raw, check)

    def _wants_firmware(self, iot_ids: frozenset[str]) -> bool:
        if self._asked_at is None or not iot_ids <= self._asked_for:
            return True
        return self._monotonic() - self._asked_at >= self._settings.look_for_firmware_seconds
