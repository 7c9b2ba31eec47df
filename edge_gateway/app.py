"""The program: data folder, servers, database, bus, services; started in this order and stopped in the reverse one."""

import asyncio
import signal
from collections.abc import Coroutine, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog

from edge_gateway import companions, full_disk
from edge_gateway.backup import restoration
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.protocol import EventBus
from edge_gateway.composition import FACTORIES, House
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.contracts.service import Service
from edge_gateway.database import migration_files, pools
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import Pool
from edge_gateway.instance import Instance
from edge_gateway.local_servers import LocalServers
from edge_gateway.settings import Settings

_log = structlog.get_logger(__name__)

_STOP_SECONDS = 8.0
"""For everything together, so that SIGTERM is obeyed in under ten with what comes before and after."""
_SERVICE_STOP_SECONDS = 3.0
_COMPANION_STOP_SECONDS = 0.5


class Gateway:
    """One running program."""

    def __init__(
        self, settings: Settings, folder: Path, services: Sequence[str], *, clock: SystemClock | None = None
    ) -> None:
        """Say what is to run; nothing is touched yet. A clock of the caller's own may be moved while it runs."""
        self._settings = settings
        self._folder = folder
        self._names = services
        self._clock = clock or SystemClock(timedelta(seconds=settings.program.clock_offset_seconds))
        self._instance: Instance | None = None
        self._servers: LocalServers | None = None
        self._bus: EventBus | None = None
        self._pools: list[Pool] = []
        self._services: list[Service] = []
        self._companions: list[Service] = []

    async def start(self) -> None:
        """Start everything; whoever is told of an error, or cancels, calls `stop` too."""
        restoration.put_missing_files_back(self._folder)
        self._instance = instance = Instance.open(self._folder)
        # First of all: it shows what the start waits for.
        await self._accompany(companions.make_page(self._settings, instance, self._clock))
        _log.info("starting", data_folder=str(instance.folder), services=", ".join(self._names))
        self._servers = LocalServers(self._settings.program, instance)
        addresses = await self._servers.start()
        await migrate(
            addresses.database_url, [name for name in self._names if (migration_files.FOLDER / name).is_dir()]
        )
        self._bus = await JetStreamBus.connect(addresses.nats_url, clock=self._clock, instance_id=instance.gateway_id)

        async def open_pool(service: str) -> Pool:
            pool = await pools.open_pool(addresses.database_url, application_name=f"mowdeck {service}")
            self._pools.append(pool)
            return pool

        house = House(bus=self._bus, clock=self._clock, settings=self._settings, instance=instance, open_pool=open_pool)
        for name in self._names:
            service = await FACTORIES[name](house)
            # One that fails half-way stops what it began.
            self._services.append(service)
            await service.start()
            _log.debug("service started", service=name)
        if "api" in self._names:
            await self._accompany(companions.make_discovery(self._settings, instance))

    async def _accompany(self, companion: Service | None) -> None:
        if companion:
            self._companions.append(companion)
            await companion.start()

    async def stop(self) -> None:
        """Stop what was started: services, bus, pools, NATS, PostgreSQL; never longer than 8 s."""
        patience = _Patience(_STOP_SECONDS)
        for companion in reversed(self._companions):
            await _bounded(companion.stop(), companion.name, _COMPANION_STOP_SECONDS)
        for service in reversed(self._services):
            await _bounded(service.stop(), service.name, min(_SERVICE_STOP_SECONDS, patience.left(keep=4.0)))
        if self._bus:
            await _bounded(self._bus.close(), "bus", patience.left(keep=3.2))
        for pool in self._pools:
            if not await _bounded(pool.close(), "pool", patience.left(keep=2.7)):
                pool.terminate()
        if self._servers:
            await self._servers.stop(patience.left)
        if self._instance:
            self._instance.close()
        _log.info("stopped")


async def run(settings: Settings, folder: Path, services: Sequence[str]) -> None:
    """Run until SIGTERM or SIGINT, also in the middle of starting; raises what kept it from starting."""
    told_to_stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told_to_stop.set)
    gateway = Gateway(settings, folder, services)
    began = loop.time()
    starting = asyncio.create_task(gateway.start())
    stop = asyncio.create_task(told_to_stop.wait())
    try:
        await asyncio.wait({starting, stop}, return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            _raise_of(starting, folder)
            _log.info("ready", seconds=round(loop.time() - began, 1))
            await stop
        _log.info("stopping")
    finally:
        starting.cancel()
        stop.cancel()
        await asyncio.wait({starting, stop}, timeout=2)
        await gateway.stop()


def _raise_of(starting: asyncio.Task[None], folder: Path) -> None:
    """Raise what kept the program from starting."""
    try:
        starting.result()
    except MowDeckError as error:
        raise full_disk.explained(folder, error) from error


class _Patience:
    """The time that is left for stopping, of which later steps keep a part."""

    def __init__(self, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._ends = self._loop.time() + seconds

    def left(self, *, keep: float) -> float:
        least = 0.1
        return max(least, self._ends - self._loop.time() - keep)


async def _bounded(work: Coroutine[Any, Any, None], what: str, seconds: float) -> bool:
    """Do a step of the stop; whatever becomes of it, the next step comes. Tells whether it was done."""
    task = asyncio.ensure_future(work)
    await asyncio.wait({task}, timeout=seconds)
    if not task.done():
        task.cancel()
        _log.warning("does not stop in time", what=what, seconds=round(seconds, 1))
        return False
    if not task.cancelled() and (error := task.exception()):
        _log.error("could not stop cleanly", what=what, exc_info=error)
        return False
    return True
