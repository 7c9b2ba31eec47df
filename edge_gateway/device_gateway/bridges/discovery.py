"""Finds ESPHome devices that tell of themselves in the network (mDNS); adding one shows whether it is a bridge."""

import asyncio
from collections.abc import Sequence

import structlog
from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from edge_gateway.contracts.bridges import FoundBridge

_log = structlog.get_logger(__name__)

SERVICE_TYPE = "_esphomelib._tcp.local."
_ASK_MILLISECONDS = 2000
_FIRST_SECONDS = 1.5
"""How long devices take to answer the first question."""


class Discovery:
    """Listens for bridges from the first time on that somebody asks."""

    def __init__(self, *, interfaces: Sequence[str] | None = None) -> None:
        """Listen on these addresses of ours; null: on all."""
        self._interfaces = interfaces
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._found: dict[str, FoundBridge] = {}
        self._asking: set[asyncio.Task[None]] = set()
        self._beginning = asyncio.Lock()

    async def look(self) -> tuple[FoundBridge, ...]:
        """Return what tells of itself, by name; the first time it takes a moment."""
        async with self._beginning:
            if self._zeroconf is None:
                await self._begin()
        return tuple(sorted(self._found.values(), key=lambda bridge: bridge.name))

    async def _begin(self) -> None:
        """Listen; a machine whose network cannot be listened to finds nothing."""
        try:
            if self._interfaces is None:
                self._zeroconf = AsyncZeroconf(ip_version=IPVersion.V4Only)
            else:
                self._zeroconf = AsyncZeroconf(interfaces=list(self._interfaces))
        except OSError as error:
            _log.warning("bridges are not looked for in the network", error=type(error).__name__)
            return
        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE_TYPE, handlers=[self._changed])
        await asyncio.sleep(_FIRST_SECONDS)

    async def stop(self) -> None:
        """Listen no more."""
        for task in tuple(self._asking):
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    def _changed(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Removed:
            self._found.pop(name, None)
            return
        task = asyncio.get_running_loop().create_task(self._ask(zeroconf, service_type, name))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, zeroconf: Zeroconf, service_type: str, name: str) -> None:
        info = AsyncServiceInfo(service_type, name)
        if not await info.async_request(zeroconf, _ASK_MILLISECONDS):
            return
        addresses = info.parsed_addresses(IPVersion.V4Only)
        told = {key: value for key, value in info.decoded_properties.items() if value is not None}
        if not addresses:
            return
        self._found[name] = FoundBridge(
            name=told.get("friendly_name") or name.removesuffix(f".{service_type}"),
            host=addresses[0],
            port=info.port or 0,
            mac=told.get("mac"),
            esphome_version=told.get("version"),
            encrypted="api_encryption" in told,
        )
