"""The table of routes, and the aiohttp application made from it."""

from collections.abc import Sequence

import msgspec
from aiohttp import web

from edge_gateway.api.authentication import check_token
from edge_gateway.api.endpoints import AnyEndpoint
from edge_gateway.api.events.socket import EventsSocket
from edge_gateway.api.http import HttpHandler, answer_errors, handle
from edge_gateway.api.lending.socket import LendingSocket
from edge_gateway.api.openapi import PREFIX, document
from edge_gateway.api.paths import pattern
from edge_gateway.api.probes import Probes
from edge_gateway.api.settings import ApiSettings


def make_application(
    endpoints: Sequence[AnyEndpoint],
    events: EventsSocket,
    lending: LendingSocket,
    probes: Probes,
    *,
    settings: ApiSettings,
    token: str,
) -> web.Application:
    """Return the application that serves these endpoints, the WebSockets and the probes."""
    application = web.Application(middlewares=[answer_errors], client_max_size=settings.body_limit_bytes)
    router = application.router
    paths = {endpoint.path for endpoint in endpoints}
    for endpoint in endpoints:
        handler = handle(endpoint, token=token, timeout_seconds=settings.request_timeout_seconds)
        router.add_route(endpoint.method, PREFIX + pattern(endpoint.path, paths), handler)
    router.add_route("GET", f"{PREFIX}/events", events.handle)
    router.add_route("GET", f"{PREFIX}/bluetooth", lending.handle)
    router.add_route("GET", f"{PREFIX}/openapi.json", _openapi(endpoints, token))
    for path, handler in probes.handlers.items():
        router.add_get(path, handler)
    return application


def _openapi(endpoints: Sequence[AnyEndpoint], token: str) -> HttpHandler:
    encoded = msgspec.json.encode(document(endpoints))

    async def handler(request: web.Request) -> web.StreamResponse:
        check_token(request.headers, token)
        return web.Response(body=encoded, content_type="application/json", charset="utf-8")

    return handler
