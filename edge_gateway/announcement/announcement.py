"""Announces the API in the network by mDNS, follows the machine's addresses, and takes its leave when it stops."""

import asyncio
from collections.abc import Callable

import ifaddr
import msgspec
import structlog
from zeroconf import Error as ZeroconfError
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

_log = structlog.get_logger(__name__)

SERVICE_TYPE = "_mowdeck._tcp.local."

LOOK_SECONDS = 60.0
"""How often it is looked whether the machine has other addresses: a network may come after the gateway."""

_LONGEST_LABEL_BYTES = 50
"""Of the 63 that mDNS allows: a second gateway of the same name gets a number behind it."""

_LONGEST_NAME_BYTES = 200
"""Of the 255 that a property has room for, with its own name."""


class Announced(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of the gateway. There is no secret in it: everybody in the network hears it."""

    gateway_id: str
    name: str
    version: str
    api_min: int
    api_max: int

    def properties(self) -> dict[str, str]:
        """Return it as the integration reads it."""
        return {
            "gateway_id": self.gateway_id,
            "name": _cut(self.name, _LONGEST_NAME_BYTES),
            "version": self.version,
            "api_min": str(self.api_min),
            "api_max": str(self.api_max),
        }


class Announcement:
    """A part of the program that tells of the gateway; a network that does not carry it is told of once."""

    name = "announcement"

    def __init__(
        self, announced: Announced, *, port: Callable[[], int], addresses: Callable[[], tuple[str, ...]]
    ) -> None:
        """Announce this, with the API's port when it is known, under the addresses that there are."""
        self._announced = announced
        self._port = port
        self._addresses = addresses
        self._shown: tuple[str, ...] = ()
        self._zeroconf: AsyncZeroconf | None = None
        self._info: AsyncServiceInfo | None = None
        self._complained = False
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin; returns at once."""
        self._task = asyncio.create_task(self._run(), name="announce the gateway")

    async def stop(self) -> None:
        """Take leave, so that nobody looks for it any more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self._withdraw()

    async def _run(self) -> None:
        while True:
            try:
                addresses = self._addresses()
                if addresses != self._shown:
                    await self._withdraw()
                    await self._announce(addresses)
            except Exception:  # noqa: BLE001  # whatever fails here must not end the looking; it is logged
                _log.exception("addresses not looked at")
            await asyncio.sleep(LOOK_SECONDS)

    async def _announce(self, addresses: tuple[str, ...]) -> None:
        if not addresses:
            return
        label = _cut(self._announced.name, _LONGEST_LABEL_BYTES)
        info = AsyncServiceInfo(
            SERVICE_TYPE,
            f"{label}.{SERVICE_TYPE}",
            port=self._port(),
            properties=self._announced.properties(),
            # A name of its own: the machine's may be announced by the machine.
            server=f"mowdeck-{self._announced.gateway_id.lower()}.local.",
            parsed_addresses=list(addresses),
        )
        try:
            self._zeroconf = AsyncZeroconf(interfaces=list(addresses))
            self._info = info
            await (await self._zeroconf.async_register_service(info, allow_name_change=True))
        except (OSError, ZeroconfError) as error:
            await self._withdraw()
            if not self._complained:
                self._complained = True
                _log.warning("the gateway is not announced in the network", error=repr(error))
            return
        self._shown = addresses
        _log.info("gateway announced", name=info.name, addresses=addresses, port=info.port)

    async def _withdraw(self) -> None:
        zeroconf, info = self._zeroconf, self._info
        self._zeroconf = self._info = None
        self._shown = ()
        if zeroconf is None:
            return
        try:
            if info is not None:
                await (await zeroconf.async_unregister_service(info))
        except (OSError, ZeroconfError) as error:
            _log.debug("no leave taken in the network", error=repr(error))
        finally:
            await zeroconf.async_close()


def own_addresses() -> tuple[str, ...]:
    """Return the IPv4 addresses of this machine."""
    return tuple(str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4)


def _cut(text: str, longest_bytes: int) -> str:
    """Return as much of a text as there is room for."""
    return text.encode()[:longest_bytes].decode(errors="ignore")
