"""A Supervisor that takes messages of discovery: who may send, what is new, what is passed on to Home Assistant."""

import asyncio
from http import HTTPStatus
from typing import Any

from aiohttp import web

HOST = "172.30.32.2"
"""The Supervisor's address in the network of the apps; also where its ingress comes from."""


class FakeSupervisor:
    """Answers like the real one; `refusals` times it is not ready first."""

    def __init__(self, *, token: str, services: tuple[str, ...], refusals: int = 0) -> None:
        """Know the app's token and the services of its `discovery:`."""
        self._token = token
        self._services = services
        self.refusals = refusals
        self.messages: dict[str, dict[str, Any]] = {}
        """The message of each service, as it is kept."""
        self.passed_on: list[dict[str, Any]] = []
        """What Home Assistant was told: a message that is new or changed."""
        self.asked = 0
        self._told = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def start(self, host: str = HOST, port: int = 80) -> None:
        """Listen."""
        application = web.Application()
        application.router.add_post("/discovery", self._discovery)
        self._runner = web.AppRunner(application, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Stop listening."""
        if self._runner:
            await self._runner.cleanup()

    async def passes_on(self, number: int, *, seconds: float = 30.0) -> dict[str, Any]:
        """Wait until so many messages were passed on, and return the last of them."""
        async with asyncio.timeout(seconds):
            while len(self.passed_on) < number:
                self._told.clear()
                await self._told.wait()
        return self.passed_on[number - 1]

    async def _discovery(self, request: web.Request) -> web.Response:
        self.asked += 1
        if self.refusals:
            self.refusals -= 1
            return _refuse(HTTPStatus.SERVICE_UNAVAILABLE, "System is not ready with state: startup")
        if request.headers.get("Authorization") != f"Bearer {self._token}":
            return _refuse(HTTPStatus.UNAUTHORIZED, "unauthorized")
        message = await request.json()
        if set(message) != {"service", "config"} or not isinstance(message["config"], dict):
            return _refuse(HTTPStatus.BAD_REQUEST, "expected service and config")
        service = message["service"]
        if service not in self._services:
            return _refuse(HTTPStatus.FORBIDDEN, "Apps must list services they provide via discovery")
        if self.messages.get(service) != message["config"]:
            self.messages[service] = message["config"]
            self.passed_on.append(message["config"])
            self._told.set()
        return web.json_response({"result": "ok", "data": {"uuid": "5b8f2a0c"}})


def _refuse(status: HTTPStatus, words: str) -> web.Response:
    return web.json_response({"result": "error", "message": words}, status=status)
