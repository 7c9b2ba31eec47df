"""Serves the page to Home Assistant alone, from the program's first moment to its last."""

import os
from collections.abc import Awaitable, Callable
from http import HTTPStatus

import structlog
from aiohttp import web

from edge_gateway.contracts.errors import ConfigurationError, MowDeckError
from edge_gateway.ingress import language, memory
from edge_gateway.ingress.gathering import Backup, Gatherer
from edge_gateway.ingress.page import render
from edge_gateway.ingress.settings import IngressSettings

_log = structlog.get_logger(__name__)

_LOOPBACK = ("127.0.0.1", "::1")
_HEADERS = {
    "Cache-Control": "no-store",
    # Nothing of the page may come from elsewhere, run, or send anything; Home Assistant shows it in a frame.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; "
    "form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Ingress:
    """A part of the program that is there before the servers are, so that it can say what they wait for."""

    name = "ingress"

    def __init__(
        self,
        settings: IngressSettings,
        gatherer: Gatherer,
        *,
        backup: Callable[[], Backup],
        log: Callable[[], tuple[str, ...]],
        plans: Callable[[], Awaitable[bytes]],
    ) -> None:
        """Ask the callables anew for each page."""
        self._settings = settings
        self._gatherer = gatherer
        self._backup = backup
        self._log = log
        self._plans = plans
        self._runner: web.AppRunner | None = None
        self._was_alive = False
        self.port = 0
        """Where it listens, once it is started."""

    async def start(self) -> None:
        """Listen; raises `ConfigurationError` (`page_port`) when the address cannot be had."""
        application = web.Application(middlewares=[self._admit])
        application.router.add_get("/", self._page)
        application.router.add_get("/plans.json", self._plans_file)
        application.router.add_get("/healthz", self._healthz)
        self._runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._settings.host, self._settings.port or 0).start()
        except OSError as error:
            await self._runner.cleanup()
            raise ConfigurationError(
                code="page_port",
                detail=f"MOWDECK_INGRESS_PORT={self._settings.port}: cannot listen there ({error.strerror}).",
            ) from error
        self.port = self._runner.addresses[0][1]
        _log.info("page listens", port=self.port)

    async def stop(self) -> None:
        """Stop listening."""
        if self._runner:
            await self._runner.cleanup()

    @web.middleware
    async def _admit(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Let in whom the connection itself comes from; what a request says of its origin counts nothing."""
        peer = request.transport.get_extra_info("peername") if request.transport else None
        address = str(peer[0]) if peer else ""
        watched = request.path == "/healthz" and address in _LOOPBACK
        if address not in self._settings.allowed and not watched:
            _log.info("the page was refused to a stranger", address=address)
            raise web.HTTPForbidden(text=f"{language.read(_language(request)).page['only_inside']}\n")
        answer = await handler(request)
        answer.headers.update(_HEADERS)
        return answer

    async def _page(self, request: web.Request) -> web.StreamResponse:
        gathered = await self._gatherer.gather(
            backup=self._backup(), log=self._log(), memory_bytes=memory.used_bytes(os.getpid())
        )
        answer = web.Response(text=render(gathered, _language(request)), content_type="text/html")
        answer.headers["Vary"] = "Accept-Language"
        return answer

    async def _plans_file(self, _request: web.Request) -> web.StreamResponse:
        try:
            body = await self._plans()
        except MowDeckError as error:
            raise web.HTTPServiceUnavailable(text=f"{error.detail}\n") from error
        return web.Response(body=body, content_type="application/json")

    async def _healthz(self, _request: web.Request) -> web.StreamResponse:
        """Answer 200 while the program starts, then what its API says; a silent API that once lived is not well."""
        alive = await self._gatherer.alive()
        self._was_alive |= alive is True
        well = alive is not False and not (alive is None and self._was_alive)
        words = {True: "alive", False: "the API does not answer", None: "starting"}[alive]
        return web.Response(text=f"{words}\n", status=HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE)


def _language(request: web.Request) -> str:
    """Return the browser's: Home Assistant passes its wish on, and says nothing of its own user's."""
    return language.chosen(request.headers.get("Accept-Language", ""))
