"""How a test outside of this process looks at the emulation and changes it.

```
GET  /_emulator/log?mower=NAME     the messages that mowers received, decoded
GET  /_emulator/reports?mower=NAME where a mower said that it was, report by report
GET  /_emulator/calls              the paths that were asked for
GET  /_emulator/mower?mower=NAME   a mower's state          PUT: change what the document names
POST /_emulator/mower/order        {"order": "start" | "pause" | …, "areas": [names]}: as if the vendor's app did it
GET  /_emulator/faults             PUT: replace all of them
POST /_emulator/broker             {"action": "drop" | "cut" | "restore"}
```
"""

from dataclasses import asdict
from typing import TYPE_CHECKING

from aiohttp import web
from pymammotion.proto import NavReqCoverPath

if TYPE_CHECKING:
    from tests.emulators.mammotion.emulator import MammotionEmulator
    from tests.emulators.mammotion.member import Member


class Control:
    """The control endpoint of an emulator."""

    def __init__(self, emulator: MammotionEmulator) -> None:
        """Control this emulator."""
        self._emulator = emulator

    def routes(self) -> list[web.AbstractRouteDef]:
        """Return its routes."""
        return [
            web.get("/_emulator/log", self._log),
            web.get("/_emulator/reports", self._reports),
            web.get("/_emulator/calls", self._calls),
            web.get("/_emulator/mower", self._get_mower),
            web.put("/_emulator/mower", self._put_mower),
            web.post("/_emulator/mower/order", self._order),
            web.get("/_emulator/faults", self._get_faults),
            web.put("/_emulator/faults", self._put_faults),
            web.post("/_emulator/broker", self._broker),
        ]

    def _member(self, request: web.Request) -> Member:
        try:
            return self._emulator.member(request.query.get("mower"))
        except KeyError as error:
            raise web.HTTPNotFound(text=f"no such mower: {error}") from error

    async def _log(self, request: web.Request) -> web.Response:
        return web.json_response([asdict(message) for message in self._member(request).conversation.received])

    async def _reports(self, request: web.Request) -> web.Response:
        return web.json_response([asdict(report) for report in self._member(request).conversation.reported])

    async def _calls(self, request: web.Request) -> web.Response:
        del request
        return web.json_response(
            {"calls": self._emulator.cloud.calls, "logins": self._emulator.account.password_logins}
        )

    async def _get_mower(self, request: web.Request) -> web.Response:
        member = self._member(request)
        areas = [{"name": area.name, "hash": str(area.hash)} for area in member.mower.garden.areas]
        return web.json_response({"name": member.name, **member.mower.status.document(), "areas": areas})

    async def _put_mower(self, request: web.Request) -> web.Response:
        member = self._member(request)
        try:
            member.mower.status.put(await request.json())
        except ValueError as error:
            raise web.HTTPUnprocessableEntity(text=str(error)) from error
        member.conversation.report()
        return await self._get_mower(request)

    async def _order(self, request: web.Request) -> web.Response:
        member, wish = self._member(request), await request.json()
        mower = member.mower
        orders = {
            "pause": mower.pause,
            "resume": mower.resume,
            "cancel": mower.cancel,
            "return_to_dock": mower.return_to_dock,
            "cancel_return": mower.cancel_return,
        }
        if wish["order"] == "start":
            result = start_from_app(member, wish.get("areas"))
        elif wish["order"] in orders:
            result = orders[wish["order"]]()
        else:
            raise web.HTTPUnprocessableEntity(text=f"no such order: {wish['order']}")
        return web.json_response({"result": result})

    async def _get_faults(self, request: web.Request) -> web.Response:
        del request
        return web.json_response(asdict(self._emulator.faults))

    async def _put_faults(self, request: web.Request) -> web.Response:
        try:
            self._emulator.put_faults(await request.json())
        except TypeError as error:
            raise web.HTTPUnprocessableEntity(text=str(error)) from error
        return await self._get_faults(request)

    async def _broker(self, request: web.Request) -> web.Response:
        action = (await request.json())["action"]
        match action:
            case "drop":
                self._emulator.broker.drop_connections()
            case "cut":
                await self._emulator.broker.cut()
            case "restore":
                await self._emulator.broker.restore()
            case _:
                raise web.HTTPUnprocessableEntity(text=f"no such action: {action}")
        return web.json_response({"action": action})


def start_from_app(member: Member, area_names: list[str] | None = None) -> int:
    """Start a job as the vendor's app would; answers with the mower's result."""
    mower = member.mower
    hashes = [area.hash for area in mower.garden.areas if area_names is None or area.name in area_names]
    route = NavReqCoverPath(
        pver=1, zone_hashs=hashes, job_mode=4, edge_mode=1, knife_height=50, speed=0.5, channel_width=30, ultra_wave=2
    )
    result, _ = mower.plan_route(route)
    return result or mower.start()
