"""The emulated gateway: an HTTP server on loopback, its state, and what it was asked."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web

from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.events import Events
from tests.emulators.gateway.known_people import KnownPeople
from tests.emulators.gateway.lending import Lending
from tests.emulators.gateway.mower_routes import MowerRoutes
from tests.emulators.gateway.setup_routes import SetupRoutes

type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Request:
    """A request that changed or ordered something."""

    method: str
    path: str
    """Below `/api/v1/`."""
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What is answered instead of doing what is asked."""

    status: int
    body: Json


class EmulatedGateway:
    """One gateway with one mower and one schedule; tests change its state and see how the integration follows."""

    def __init__(self) -> None:
        """Prepare it; `start` makes it listen."""
        self.token = documents.TOKEN
        self.info = documents.info()
        self.mowers: dict[str, Json] = {documents.MOWER_ID: documents.mower()}
        self.schedules: dict[str, Json] = {documents.SCHEDULE_ID: documents.schedule()}
        self.sites: dict[str, Json] = {"home": documents.site()}
        self.groups: dict[str, Json] = {}
        self.people = KnownPeople()
        self.mower_routes = MowerRoutes(self.mowers, self.put_mower)
        self.runs: list[Json] = []
        """Newest first."""
        self.runs_per_page = 100
        self.run_now: Json = {"outcome": "started", "reason": None, "confirmed_at": "2026-05-01T07:00:08Z"}
        """What becomes of a schedule that is run at once."""
        self.findings: list[Json] | None = []
        """None answers 503."""
        self.takes_weather = asyncio.Event()
        """While it is not set, nobody who tells the weather is answered."""
        self.takes_weather.set()
        self.preview: Json | None = documents.preview()
        """None answers 503."""
        self.events = Events()
        self.lending = Lending()
        self.setup_routes = SetupRoutes(self.events, self.groups)
        self.requests: list[Request] = []
        self.fault: Fault | None = None
        """Answers requests that change or order something."""
        self.refuse_path: tuple[str, str] | None = None
        """Only requests of this method and path are refused, whatever they want."""
        self.outcome: Json | None = {"status": "confirmed"}
        """What becomes of a command at once; None leaves it accepted."""
        self.outcome_first = False
        """Send the outcome before the answer to the order."""
        self.answer_with: tuple[int, str] | None = None
        """Answers requests that change or order something with a text that no gateway answers."""
        self.break_connections = 0
        """So many requests that change or order something end with a broken connection."""
        self.port = 0
        self._runner: web.AppRunner | None = None
        self._numbers = 0
        self._asked = asyncio.Condition()

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop."""
        await self.stop()

    async def start(self) -> None:
        """Listen, the second time on the port of the first."""
        application = web.Application(middlewares=[self._guard])
        application.add_routes(self.mower_routes.table())
        application.add_routes(self.setup_routes.table())
        application.add_routes(
            [
                web.get("/api/v1/info", self._info),
                web.get("/api/v1/events", self._events),
                web.get("/api/v1/bluetooth", self.lending.serve),
                web.post("/api/v1/mowers/{id}/commands", self._command),
                web.post("/api/v1/schedules", self._create_schedule),
                web.patch("/api/v1/schedules/{id}", self._update_schedule),
                web.delete("/api/v1/schedules/{id}", self._delete_schedule),
                web.post("/api/v1/schedules/{id}/run-now", self._run_schedule),
                web.post("/api/v1/schedules/{id}/skip-next", self._skip),
                web.delete("/api/v1/schedules/{id}/skip-next", self._skip),
                web.post("/api/v1/schedules/preview", self._preview),
                web.get("/api/v1/runs", self._runs),
                web.get("/api/v1/findings", self._findings),
                web.patch("/api/v1/sites/{id}", self._update_site),
                web.put("/api/v1/weather/sources/{id}", self._push_weather),
                web.put("/api/v1/principals/{instance_id}", self.people.put),
            ]
        )
        self._runner = web.AppRunner(application, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Stop listening and end all connections."""
        if self._runner is not None:
            await self.events.drop()
            await self.lending.drop()
            for _ in range(5):
                # A connection that is being taken when the server closes is an error of asyncio's own.
                await asyncio.sleep(0)
            await self._runner.cleanup()
            self._runner = None

    async def restart(self) -> None:
        """Come up again with the journal lost, as a real one does."""
        await self.stop()
        self.events.forget()
        await self.start()

    def refuse(self, status: int, body: Json) -> None:
        """Answer this to whatever is asked to be changed or ordered from now on."""
        self.fault = Fault(status=status, body=body)

    async def put_mower(self, mower_id: str = documents.MOWER_ID, **changes: Any) -> None:  # noqa: ANN401  # JSON
        """Change a mower, or add one, and tell."""
        self.mowers[mower_id] = self.mowers.get(mower_id, documents.mower(id=mower_id)) | changes
        await self.events.tell(mower=self.mowers[mower_id])

    async def remove_mower(self, mower_id: str = documents.MOWER_ID) -> None:
        """Remove a mower and tell."""
        del self.mowers[mower_id]
        await self.events.tell(mower_removed=mower_id)

    async def put_schedule(self, schedule_id: str = documents.SCHEDULE_ID, **changes: Any) -> None:  # noqa: ANN401  # JSON
        """Change a schedule, or add one, and tell."""
        self.schedules[schedule_id] = self.schedules.get(schedule_id, documents.schedule(id=schedule_id)) | changes
        await self.events.tell(schedule=self.schedules[schedule_id])

    async def remove_schedule(self, schedule_id: str = documents.SCHEDULE_ID) -> None:
        """Remove a schedule and tell."""
        del self.schedules[schedule_id]
        await self.events.tell(schedule_removed=schedule_id)

    async def wait_for_request(self, method: str, path: str) -> Request:
        """Wait for a request that changes or orders something, also one that came already."""
        async with asyncio.timeout(10), self._asked:
            await self._asked.wait_for(lambda: self.find(method, path) is not None)
        found = self.find(method, path)
        assert found is not None
        return found

    def find(self, method: str, path: str) -> Request | None:
        """Return the last such request."""
        return next((each for each in reversed(self.requests) if (each.method, each.path) == (method, path)), None)

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bearer {self.token}":
            return web.json_response(documents.error("token_wrong", "The bearer token is wrong."), status=401)
        if request.method == "GET" or request.path.startswith("/api/v1/principals/"):
            # Who lives here is told now and then, whatever else a test does.
            return await handler(request)
        body = await request.json() if request.can_read_body else None
        path = request.path.removeprefix("/api/v1/")
        self.requests.append(Request(request.method, path, request.headers, body))
        async with self._asked:
            self._asked.notify_all()
        if self.break_connections > 0:
            self.break_connections -= 1
            if request.transport is not None:
                request.transport.close()
        if self.answer_with is not None:
            return web.Response(status=self.answer_with[0], text=self.answer_with[1])
        if self.refuse_path == (request.method, path):
            return web.json_response(documents.error("invalid", "It cannot be so."), status=422)
        if self.fault is not None:
            return web.json_response(self.fault.body, status=self.fault.status)
        return self.people.refusal(request.headers["X-MowDeck-Principal"]) or await handler(request)

    async def _info(self, _request: web.Request) -> web.Response:
        return web.json_response(self.info)

    async def _events(self, request: web.Request) -> web.WebSocketResponse:
        snapshot = documents.snapshot(
            mowers=list(self.mowers.values()),
            schedules=list(self.schedules.values()),
            sites=list(self.sites.values()),
            groups=list(self.groups.values()),
        )
        return await self.events.serve(request, self.info, snapshot)

    async def _command(self, request: web.Request) -> web.Response:
        self._numbers += 1
        command = documents.command(
            id=f"command-{self._numbers}",
            mower_id=request.match_info["id"],
            body=await request.json(),
            key=request.headers["Idempotency-Key"],
            issued_by=request.headers["X-MowDeck-Principal"],
            origin=request.headers["X-MowDeck-Origin"],
        )
        if self.outcome is None:
            return web.json_response(command, status=202)
        if self.outcome_first:
            await self.events.tell(command=command | self.outcome)
        else:
            asyncio.get_running_loop().call_soon(self._tell_later, command | self.outcome)
        return web.json_response(command, status=202)

    def _tell_later(self, command: Json) -> None:
        self._telling = asyncio.get_running_loop().create_task(self.events.tell(command=command))

    async def _create_schedule(self, request: web.Request) -> web.Response:
        self._numbers += 1
        schedule_id = f"schedule-{self._numbers}"
        body = await request.json()
        rain = documents.schedule()["rain"] | body.get("rain", {})
        self.schedules[schedule_id] = documents.schedule(id=schedule_id) | body | {"rain": rain}
        await self.events.tell(schedule=self.schedules[schedule_id])
        return web.json_response(self.schedules[schedule_id], status=201)

    async def _update_schedule(self, request: web.Request) -> web.Response:
        schedule_id = request.match_info["id"]
        self.schedules[schedule_id] |= await request.json()
        self.schedules[schedule_id]["changed_at"] = "2026-05-02T06:00:00Z"
        await self.events.tell(schedule=self.schedules[schedule_id])
        return web.json_response(self.schedules[schedule_id])

    async def _delete_schedule(self, request: web.Request) -> web.Response:
        await self.remove_schedule(request.match_info["id"])
        return web.Response(status=204)

    async def _run_schedule(self, request: web.Request) -> web.Response:
        run = documents.run(schedule_id=request.match_info["id"], run_now=True, **self.run_now)
        return web.json_response({"items": [run], "next": None}, status=202)

    async def _skip(self, request: web.Request) -> web.Response:
        schedule = self.schedules[request.match_info["id"]]
        schedule |= {"next_run_skipped": request.method == "POST", "changed_at": "2026-05-02T06:00:00Z"}
        await self.events.tell(schedule=schedule)
        return web.json_response(schedule)

    async def _preview(self, _request: web.Request) -> web.Response:
        if self.preview is None:
            return web.json_response(documents.error("unavailable", "The scheduler does not answer."), status=503)
        return web.json_response(self.preview)

    async def _findings(self, _request: web.Request) -> web.Response:
        if self.findings is None:
            return web.json_response(documents.error("unavailable", "It does not answer."), status=503)
        return web.json_response({"items": self.findings, "next": None})

    async def _runs(self, request: web.Request) -> web.Response:
        wanted = {name: request.query[name] for name in ("mower_id", "schedule_id") if name in request.query}
        runs = [run for run in self.runs if all(run[name] == value for name, value in wanted.items())]
        first = int(request.query.get("cursor", "0"))
        after = first + min(self.runs_per_page, int(request.query.get("limit", "100")))
        return web.json_response({"items": runs[first:after], "next": str(after) if after < len(runs) else None})

    async def _update_site(self, request: web.Request) -> web.Response:
        site_id = request.match_info["id"]
        changes = await request.json()
        rain = self.sites[site_id]["rain"] | changes.pop("rain", {})
        self.sites[site_id] |= changes | {"rain": rain, "time_zone_chosen": True}
        await self.events.tell(site=self.sites[site_id])
        return web.json_response(self.sites[site_id])

    async def _push_weather(self, request: web.Request) -> web.Response:
        hours = len((await request.json())["hours"])
        await self.takes_weather.wait()
        site_id = request.match_info["id"]
        return web.json_response({"site_id": site_id, "pushed_at": "2026-05-01T07:00:00Z", "hours": hours})
