"""The HTTP side of the emulated Mammotion cloud: login, devices, broker token, orders to mowers."""

import asyncio
import base64
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.emulators.mammotion.account import EmulatedAccount
from tests.emulators.mammotion.faults import Faults, HttpFault
from tests.emulators.mammotion.member import Member

OK = 0
REFRESH_REJECTED = 40102
WRONG_PASSWORD = 10001
OFFLINE = 50103
REMOVED = 50101
GATEWAY_TIMEOUT = 20056

type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(kw_only=True)
class EmulatedCloud:
    """Answers the requests of pymammotion's Mammotion-direct path."""

    account: EmulatedAccount
    members: Mapping[str, Member]
    """The mowers by their IoT id."""
    faults: Faults
    broker_port: Callable[[], int]
    hidden: set[str] = field(default_factory=set)
    """The names of mowers that the lists leave out, though they are in the account."""
    calls: list[str] = field(default_factory=list)
    """The path of every request, in order."""

    def routes(self) -> list[web.AbstractRouteDef]:
        """Return the routes of the cloud."""
        return [
            web.post("/oauth2/token", self._log_in),
            web.post("/authorization/code", self._guarded(self._authorize)),
            web.get("/device-server/v1/device/list", self._guarded(self._list_devices)),
            web.post("/user-server/v1/share/device/page", self._guarded(self._list_shares)),
            web.post("/user-server/v1/share/device/confirm", self._guarded(self._nothing)),
            web.post("/v1/user/device/page", self._guarded(self._list_device_records)),
            web.post("/v1/mqtt/auth/jwt", self._guarded(self._broker_login)),
            web.post("/v1/mqtt/rpc/thing/service/invoke", self._guarded(self._invoke)),
            web.post("/device-server/v1/device/wakeup", self._guarded(self._wake)),
            web.post("/device-server/v1/device/work-report/page", self._guarded(self._work_reports)),
            web.post("/device-server/v1/devices/version/check", self._guarded(self._check_versions)),
            web.post("/user-server/v3/user/logout", self._guarded(self._log_out)),
        ]

    @property
    def call_counts(self) -> Counter[str]:
        """How often each path was asked for."""
        return Counter(self.calls)

    @property
    def orders_sent(self) -> int:
        """How many messages to mowers were handed in."""
        return sum(path.endswith("/thing/service/invoke") for path in self.calls)

    @web.middleware
    async def meet_faults(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Count the request and let a fault answer instead, when one is on."""
        if request.path.startswith("/_emulator"):
            return await handler(request)
        self.calls.append(request.path)
        fault = self.faults.meet(request.path, request.query.get("grant_type"))
        if fault is None:
            return await handler(request)
        if fault.hang:
            await asyncio.Event().wait()
        return _faulty(fault)

    def _guarded(self, handler: Handler) -> Handler:
        async def guarded(request: web.Request) -> web.StreamResponse:
            if not self.account.admits(request.headers.get("Authorization")):
                return web.json_response({"code": 401, "msg": "Access token expired"}, status=401)
            return await handler(request)

        return guarded

    async def _log_in(self, request: web.Request) -> web.Response:
        url = f"{request.scheme}://{request.host}"
        if request.query.get("grant_type") == "refresh_token":
            if not self.account.refresh(request.query.get("refresh_token", ""), url):
                return _refused(REFRESH_REJECTED, "Refresh token has expired")
            return _answer(self.account.login_data())
        password = base64.b64decode(request.query.get("password", "")).decode()
        if not self.account.log_in(request.query.get("username", ""), password, url):
            return _refused(WRONG_PASSWORD, "Account or password is wrong")
        return _answer(self.account.login_data())

    async def _authorize(self, request: web.Request) -> web.Response:
        del request
        return _answer({"code": "a-code-for-nothing"})

    def _listed(self) -> list[Member]:
        return [member for member in self.members.values() if member.name not in self.hidden]

    async def _list_devices(self, request: web.Request) -> web.Response:
        del request
        return _answer([{"iotId": member.iot_id, "deviceName": member.name} for member in self._listed()])

    async def _list_shares(self, request: web.Request) -> web.Response:
        del request
        return _answer({"records": []})

    async def _list_device_records(self, request: web.Request) -> web.Response:
        del request
        records = [member.record() for member in self._listed()]
        return _answer({"records": records, "total": len(records), "size": 100, "current": 1, "pages": 1})

    async def _broker_login(self, request: web.Request) -> web.Response:
        del request
        client_id = f"client-{self.account.user_id}"
        login = {
            "host": f"tcp://127.0.0.1:{self.broker_port()}",
            "jwt": self.account.broker_token(client_id),
            "clientId": client_id,
            "username": str(self.account.user_id),
        }
        return _answer(login)

    async def _invoke(self, request: web.Request) -> web.Response:
        order = await request.json()
        member = self.members.get(order["iotId"])
        if member is None or member.faults.removed:
            return _refused(REMOVED, "Invalid device")
        if member.faults.offline or member.asleep:
            return _refused(OFFLINE, "Device is offline")
        member.hear(base64.b64decode(order["args"]["content"]))
        if member.faults.gateway_timeouts:
            member.faults.gateway_timeouts -= 1
            return _refused(GATEWAY_TIMEOUT, "Gateway timed out")
        return _answer({})

    async def _wake(self, request: web.Request) -> web.Response:
        wish = await request.json()
        member = next((member for member in self.members.values() if member.name == wish.get("deviceName")), None)
        if member is None:
            return _answer(data=False)
        member.wake()
        return _answer(data=True)

    async def _work_reports(self, request: web.Request) -> web.Response:
        del request
        return _answer({"records": [], "total": 0, "size": 10, "current": 1, "pages": 0})

    async def _check_versions(self, request: web.Request) -> web.Response:
        wanted = (await request.json())["deviceIds"]
        return _answer([self.members[iot_id].version_check() for iot_id in wanted if iot_id in self.members])

    async def _log_out(self, request: web.Request) -> web.Response:
        del request
        self.account.end_session()
        return _answer(None)

    async def _nothing(self, request: web.Request) -> web.Response:
        del request
        return _answer(data=True)


def _answer(data: Any) -> web.Response:  # noqa: ANN401  # whatever the path answers
    return web.json_response({"code": OK, "msg": "Request success", "data": data})


def _refused(code: int, message: str) -> web.Response:
    return web.json_response({"code": code, "msg": message})


def _faulty(fault: HttpFault) -> web.Response:
    headers = {} if fault.retry_after_seconds is None else {"Retry-After": str(fault.retry_after_seconds)}
    code = fault.status if fault.code is None else fault.code
    return web.json_response({"code": code, "msg": "Emulated fault"}, status=fault.status, headers=headers)
