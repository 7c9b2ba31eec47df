"""Providers without a login: they run from the start, and one that cannot start yet is tried again."""

import asyncio
from collections.abc import Iterable

import structlog

from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.device_gateway.provider import Provider
from edge_gateway.device_gateway.provider_host import ProviderHost

_log = structlog.get_logger(__name__)

_LONGEST_BACK_OFF_SECONDS = 30.0


class LocalProviders:
    """Starts each of them, whatever becomes of the others: a mower that is switched off keeps nothing else away."""

    def __init__(self, host: ProviderHost, providers: Iterable[Provider], *, retry_seconds: float) -> None:
        """Let them run in this host, which also stops them."""
        self._host = host
        self._providers = tuple(providers)
        self._retry_seconds = retry_seconds
        self._starting: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to start them; returns at once."""
        self._starting = [
            asyncio.create_task(self._run(provider), name=f"start of {provider.name}") for provider in self._providers
        ]

    async def stop(self) -> None:
        """Try no more."""
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)

    async def _run(self, provider: Provider) -> None:
        seconds = self._retry_seconds
        while True:
            try:
                await self._host.run(provider)
            except MowDeckError as error:
                _log.warning("provider does not start yet", provider=provider.name, code=error.code)
            except Exception:  # noqa: BLE001  # whatever is wrong with one vendor: logged, and tried again later
                _log.exception("provider cannot start", provider=provider.name)
                seconds = _LONGEST_BACK_OFF_SECONDS
            else:
                return
            await asyncio.sleep(seconds)
            seconds = min(seconds * 2, _LONGEST_BACK_OFF_SECONDS)
