"""The mowers that run here: found by providers, registered with the fleet, each with a supervisor of its own."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import override

import structlog

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import DeadlineError, UnavailableError
from edge_gateway.contracts.fleet import RegisterMowerRequest
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.device_gateway.actor import Actor
from edge_gateway.device_gateway.provider import FoundMower, Provider, ProviderListener
from edge_gateway.device_gateway.provider_host import ProviderHost
from edge_gateway.device_gateway.repository import KnownMower, Repository
from edge_gateway.device_gateway.supervisor import Supervisor

_log = structlog.get_logger(__name__)

_LONGEST_BACK_OFF_SECONDS = 30.0
_REGISTERED_AT_ONCE = 8
"""A fleet of mowers that is found at once does not overrun the fleet's service."""

type Supervise = Callable[[KnownMower, Provider, FoundMower], Supervisor]
type Key = tuple[str, str]
"""Provider and vendor key."""


class _Entry:
    """One mower that a provider tells of."""

    def __init__(self, provider: Provider, found: FoundMower) -> None:
        self.provider = provider
        self.found = found
        self.known: KnownMower | None = None
        self.supervisor: Supervisor | None = None
        self.task: asyncio.Task[None] | None = None


class _Listener(ProviderListener):
    """Hears one provider for the roster."""

    def __init__(self, provider: Provider, found: Callable[[Provider, FoundMower], Awaitable[None]]) -> None:
        self._provider = provider
        self._found = found

    @override
    async def mower_found(self, found: FoundMower) -> None:
        await self._found(self._provider, found)


class Roster(ProviderHost):
    """Runs providers and the supervisors of their mowers."""

    def __init__(self, supervise: Supervise, *, bus: EventBus, repository: Repository, retry_seconds: float) -> None:
        """Prepare; `supervise` makes the supervisor of a mower."""
        self._supervise = supervise
        self._bus = bus
        self._repository = repository
        self._retry_seconds = retry_seconds
        self._known: dict[Key, KnownMower] = {}
        self._entries: dict[Key, _Entry] = {}
        self._others: dict[Key, list[tuple[Provider, FoundMower]]] = {}
        """Providers that tell of a mower that another one has already: one of them takes over when that one ends."""
        self._providers: list[Provider] = []
        self._registering = asyncio.Semaphore(_REGISTERED_AT_ONCE)

    def remember(self, known: Iterable[KnownMower]) -> None:
        """Take the mowers of an earlier life: they are followed before the fleet answers."""
        self._known.update({(mower.provider, mower.vendor_key): mower for mower in known})

    def actor(self, mower_id: str) -> Actor | None:
        """Return the actor of a mower that is driven here."""
        for entry in self._entries.values():
            if entry.known is not None and entry.known.mower_id == mower_id and entry.supervisor is not None:
                return entry.supervisor.actor
        return None

    def absent(self) -> tuple[KnownMower, ...]:
        """Return the known mowers that no provider here tells of."""
        return tuple(known for key, known in self._known.items() if key not in self._entries)

    @override
    async def run(self, provider: Provider) -> None:
        self._providers.append(provider)
        try:
            await provider.start(_Listener(provider, self._mower_found))
        except BaseException:
            self._providers.remove(provider)
            await self._release([key for key, entry in self._entries.items() if entry.provider is provider], None)
            raise

    @override
    async def end(self, provider: Provider, *, reason: str) -> None:
        if provider not in self._providers:
            return
        self._providers.remove(provider)
        for others in self._others.values():
            others[:] = [other for other in others if other[0] is not provider]
        await self._release([key for key, entry in self._entries.items() if entry.provider is provider], reason)
        await provider.stop()

    @override
    async def release_account(self, vendor_account_id: str, *, reason: str) -> None:
        for others in self._others.values():
            others[:] = [other for other in others if other[1].vendor_account_id != vendor_account_id]
        keys = [key for key, entry in self._entries.items() if entry.found.vendor_account_id == vendor_account_id]
        await self._release(keys, reason)

    async def stop(self) -> None:
        """Let go of all mowers and stop all providers."""
        self._others.clear()
        await self._release(list(self._entries), "gateway_stopped")
        for provider in self._providers:
            await provider.stop()
        self._providers.clear()

    async def _release(self, keys: list[Key], reason: str | None) -> None:
        entries = [self._entries.pop(key) for key in keys]
        for entry in entries:
            if entry.task is not None:
                entry.task.cancel()
        await asyncio.gather(*(entry.task for entry in entries if entry.task is not None), return_exceptions=True)
        await asyncio.gather(
            *(
                entry.supervisor.stop(reason=reason or "gateway_stopped")
                for entry in entries
                if entry.supervisor is not None
            )
        )
        for key in keys:
            if others := self._others.get(key):
                await self._mower_found(*others.pop(0))

    async def _mower_found(self, provider: Provider, found: FoundMower) -> None:
        key = (provider.name, found.vendor_key)
        entry = self._entries.get(key)
        if entry is not None and entry.provider is not provider:
            _log.info("mower is found twice, the first keeps it", vendor_key=found.vendor_key)
            others = [other for other in self._others.get(key, []) if other[0] is not provider]
            self._others[key] = [*others, (provider, found)]
            return
        if entry is not None:
            if entry.found == found:
                return
            entry.found = found
            if entry.task is not None:
                entry.task.cancel()
        else:
            entry = self._entries[key] = _Entry(provider, found)
            entry.known = self._known.get(key)
            self._begin(entry)
        entry.task = asyncio.create_task(self._keep_registered(entry), name=f"registration of {found.vendor_key}")

    async def _keep_registered(self, entry: _Entry) -> None:
        """Register a mower; a new one is followed from then on, one that the fleet knows otherwise under its new id."""
        known = await self._registered(entry.provider, entry.found)
        self._known[known.provider, known.vendor_key] = known
        if entry.known == known:
            return
        before, entry.known = entry.known, known
        if entry.supervisor is not None and before is not None and before.mower_id != known.mower_id:
            _log.warning("mower has a new id in the fleet", before=before.mower_id, now=known.mower_id)
            supervisor, entry.supervisor = entry.supervisor, None
            await supervisor.stop(reason="not_found")
        self._begin(entry)

    def _begin(self, entry: _Entry) -> None:
        if entry.known is not None and entry.supervisor is None:
            entry.supervisor = self._supervise(entry.known, entry.provider, entry.found)
            entry.supervisor.start()

    async def _registered(self, provider: Provider, found: FoundMower) -> KnownMower:
        """Return the mower as the fleet knows it, asked until it answers, and stored here."""
        request = RegisterMowerRequest(
            account_id=ACCOUNT_ID,
            provider=provider.name,
            vendor_key=found.vendor_key,
            vendor_account_id=found.vendor_account_id,
            name=found.name,
            model=found.model,
            firmware_version=found.firmware_version,
            newest_firmware_version=found.newest_firmware_version,
            serial_number=found.serial_number,
        )
        seconds = self._retry_seconds
        while True:
            try:
                async with self._registering:
                    answer = await self._bus.request(routes.MOWERS_REGISTER, request)
                known = KnownMower(
                    mower_id=answer.mower.id,
                    account_id=answer.mower.account_id,
                    provider=provider.name,
                    vendor_key=found.vendor_key,
                    vendor_account_id=found.vendor_account_id,
                )
                if self._known.get((known.provider, known.vendor_key)) != known:
                    await self._repository.save_mower(known)
            except (UnavailableError, DeadlineError) as error:
                _log.info("mower not registered yet", vendor_key=found.vendor_key, code=error.code)
            except Exception:  # noqa: BLE001  # whatever is wrong with one mower: logged, and tried again later
                _log.exception("mower cannot be registered", vendor_key=found.vendor_key)
                seconds = _LONGEST_BACK_OFF_SECONDS
            else:
                return known
            await asyncio.sleep(seconds)
            seconds = min(seconds * 2, _LONGEST_BACK_OFF_SECONDS)
