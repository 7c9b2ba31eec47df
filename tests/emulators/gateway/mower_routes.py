"""The emulator's routes about one mower: totals, rain, map, areas, exports."""

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json


class MowerRoutes:
    """What is known of mowers, and who changes it."""

    def __init__(self, mowers: dict[str, Json], put_mower: Callable[..., Awaitable[None]]) -> None:
        """Take the mowers and what changes and tells one."""
        self._mowers = mowers
        self._put_mower = put_mower
        self.health: Json | None = documents.health()
        """None answers 503, as all of these."""
        self.weather: Json | None = documents.weather()
        self.ground: Json | None = documents.ground()
        self.mowed: list[Json] = []
        self.link_order: list[str] = ["bridge", "cloud"]
        self.asked: dict[str, int] = {}
        """How often each was asked for."""
        self.exported: list[dict[str, str]] = []

    def table(self) -> list[web.RouteDef]:
        """Return the routes."""
        one = "/api/v1/mowers/{id}"
        return [
            web.get(f"{one}/health", self._health),
            web.post(f"{one}/blades/reset", self._reset_blades),
            web.get(f"{one}/areas/mowed", self._mowed),
            web.get(f"{one}/map", self._map),
            web.patch(one, self._update),
            web.patch(f"{one}/areas/{{area_id}}", self._update_area),
            web.get(f"{one}/links", self._get_links),
            web.put(f"{one}/links", self._put_links),
            web.get("/api/v1/weather/{id}", self._weather),
            web.put(f"{one}/{{what:hold|rain-override}}", self._override),
            web.delete(f"{one}/{{what:hold|rain-override}}", self._override),
            web.get("/api/v1/export/{what}", self._export),
        ]

    def _answer(self, name: str, value: Json | None) -> web.Response:
        self.asked[name] = self.asked.get(name, 0) + 1
        if value is None:
            return web.json_response(documents.error("unavailable", "It does not answer."), status=503)
        return web.json_response(value)

    async def _health(self, _request: web.Request) -> web.Response:
        return self._answer("health", self.health)

    async def _reset_blades(self, _request: web.Request) -> web.Response:
        self.health = documents.health(blade_seconds=0.0, blades_reset_at="2026-05-01T07:00:00Z")
        return web.json_response(self.health)

    async def _mowed(self, _request: web.Request) -> web.Response:
        return self._answer("mowed", {"items": self.mowed, "next": None})

    async def _map(self, _request: web.Request) -> web.Response:
        return self._answer("map", {"map": self.ground})

    async def _get_links(self, _request: web.Request) -> web.Response:
        return self._answer("links", {"order": self.link_order, "released_until": None})

    async def _put_links(self, request: web.Request) -> web.Response:
        self.link_order = (await request.json())["order"]
        return web.json_response({"order": self.link_order, "released_until": None})

    async def _weather(self, _request: web.Request) -> web.Response:
        return self._answer("weather", self.weather)

    async def _override(self, request: web.Request) -> web.Response:
        name = {"hold": "mower_hold", "rain-override": "rain_override"}[request.match_info["what"]]
        said: Any = None
        if request.method == "PUT":
            said = {"until": (await request.json())["until"], "set_by": "user:owner", "set_at": "2026-05-01T07:00:00Z"}
        self.weather = (self.weather or documents.weather()) | {name: said}
        words = {each: self.weather[each] for each in ("mower_hold", "rain_override")}
        return web.json_response({"mower_id": request.match_info["id"]} | words)

    async def _update(self, request: web.Request) -> web.Response:
        await self._put_mower(request.match_info["id"], **(await request.json()))
        return web.json_response(self._mowers[request.match_info["id"]])

    async def _update_area(self, request: web.Request) -> web.Response:
        changes, area_id = await request.json(), request.match_info["area_id"]
        areas = self._mowers[request.match_info["id"]]["areas"]
        await self._put_mower(
            request.match_info["id"], areas=[each | changes if each["id"] == area_id else each for each in areas]
        )
        return web.json_response(self._mowers[request.match_info["id"]])

    async def _export(self, request: web.Request) -> web.Response:
        self.exported.append({"what": request.match_info["what"], **request.query})
        if request.query["mower_id"] not in self._mowers:
            return web.json_response(documents.error("not_found", "There is no such mower."), status=404)
        return web.Response(text="observed_at,activity\n", content_type="text/csv")
