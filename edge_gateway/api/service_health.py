"""Whether the services live: asked over the bus, kept for the events' greeting and for the mowers' availability."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

import structlog

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.device import Health, Nothing
from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.contracts.routes import health_route

_log = structlog.get_logger(__name__)

ASK_SECONDS = 2.0
"""How long a service may take to say that it is well."""

SILENT_ROUNDS = 2
"""So many rounds in a row without an answer make a service dead: one may be a hiccup."""

DEVICE_GATEWAY = "device_gateway"

type AliveHandler = Callable[[bool], Awaitable[None]]


async def ask_health(bus: EventBus, services: Sequence[str]) -> Mapping[str, Health]:
    """Ask all services at once; one that does not answer is not ready, and the detail says why."""
    answers = await asyncio.gather(*(_ask_one(bus, service) for service in services))
    return {health.service: health for health in answers}


async def _ask_one(bus: EventBus, service: str) -> Health:
    try:
        return await bus.request(health_route(service), Nothing(), timeout_seconds=ASK_SECONDS)
    except MowDeckError as error:
        return Health(service=service, ready=False, detail=error.detail)


class ServiceWatch:
    """Asks the services again and again, and tells when the device gateway falls silent or comes back."""

    def __init__(
        self, bus: EventBus, services: Sequence[str], *, interval_seconds: float, gateway_alive_changed: AliveHandler
    ) -> None:
        """Ask `services` every `interval_seconds`."""
        self._bus = bus
        self._services = services
        self._interval_seconds = interval_seconds
        self._gateway_alive_changed = gateway_alive_changed
        self._silent_rounds = 0
        self._gateway_alive = True
        self._task: asyncio.Task[None] | None = None
        self.ready: dict[str, bool] = dict.fromkeys(services, False)

    async def start(self) -> None:
        """Ask once, then go on asking."""
        await self._round()
        self._task = asyncio.create_task(self._run(), name="api service watch")

    async def stop(self) -> None:
        """Stop asking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._interval_seconds)
            await self._round()

    async def _round(self) -> None:
        answers = await ask_health(self._bus, self._services)
        self.ready = {service: health.ready for service, health in answers.items()}
        health = answers.get(DEVICE_GATEWAY)
        if health is None:
            return
        # A gateway that answers lives, also while it is not ready to work.
        answered = health.ready or health.started_at is not None
        self._silent_rounds = 0 if answered else self._silent_rounds + 1
        alive = self._silent_rounds < SILENT_ROUNDS
        if alive != self._gateway_alive:
            self._gateway_alive = alive
            _log.warning("device gateway silent") if not alive else _log.info("device gateway back")
            await self._gateway_alive_changed(alive)
