"""`/healthz`, `/readyz` and `/metrics`: for supervisors, without a token."""

from collections.abc import Callable

import msgspec
from aiohttp import web
from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from edge_gateway.api.http import HttpHandler, json_answer
from edge_gateway.api.service_health import ask_health
from edge_gateway.bus.protocol import EventBus


class Alive(msgspec.Struct, frozen=True, kw_only=True):
    """`/healthz`."""

    alive: bool = True


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """`/readyz`: 200 when everything is ready, else 503."""

    ready: bool
    services: dict[str, bool]
    """The bus, every service, and the API itself (`api`)."""
    reasons: dict[str, str]
    """Why, by what is not ready."""


class Probes:
    """The handlers of the probes."""

    def __init__(self, bus: EventBus, services: tuple[str, ...], *, events_open: Callable[[], bool]) -> None:
        """Ask `services` over `bus`; `events_open` tells whether readers of the events can join."""
        self._bus = bus
        self._services = services
        self._events_open = events_open

    @property
    def handlers(self) -> dict[str, HttpHandler]:
        """Which path each one answers."""
        return {"/healthz": self.alive, "/readyz": self.ready, "/metrics": self.metrics}

    async def alive(self, _request: web.Request) -> web.StreamResponse:
        """Answer: the program runs."""
        return json_answer(Alive())

    async def ready(self, _request: web.Request) -> web.StreamResponse:
        """Answer whether bus and services (each with its database) can work, and which one cannot, and why."""
        if (bus_reason := await self._bus.why_not_ready()) is None:
            answers = await ask_health(self._bus, self._services)
            states = {"bus": True} | {service: health.ready for service, health in answers.items()}
            reasons = {
                service: health.detail or "It is not ready and does not say why."
                for service, health in answers.items()
                if not health.ready
            }
        else:
            states = {"bus": False} | dict.fromkeys(self._services, False)
            reasons = {"bus": bus_reason}
        # Ready means that a client which now connects is served, and its events are part of that.
        states["api"] = self._events_open()
        if not states["api"]:
            reasons["api"] = "It has not yet read the mowers and schedules that it tells of; it tries again by itself."
        ready = all(states.values())
        return json_answer(Readiness(ready=ready, services=states, reasons=reasons), status=200 if ready else 503)

    async def metrics(self, _request: web.Request) -> web.StreamResponse:
        """Answer the metrics in the Prometheus text format."""
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})
