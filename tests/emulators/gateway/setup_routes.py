"""The emulated gateway's routes that set it up: logins, Bluetooth bridges, groups."""

from itertools import count
from typing import Any

from aiohttp import web

from tests.emulators.gateway import documents
from tests.emulators.gateway.account_documents import vendor_account
from tests.emulators.gateway.bridge_documents import BRIDGE_ID, bridge
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.events import Events
from tests.emulators.gateway.group_documents import group

BRIDGE_CHANGED = "device.bridge.changed"
VENDOR_ACCOUNT_CHANGED = "device.vendor_account.changed"


class SetupRoutes:
    """What was set up, and how it is changed; each change is told in the events."""

    def __init__(self, events: Events, groups: dict[str, Json]) -> None:
        """Begin with one login and one bridge."""
        self.vendor_accounts: list[Json] | None = [vendor_account()]
        """None answers 503."""
        self.bridges: dict[str, Json] | None = {BRIDGE_ID: bridge()}
        """None answers 503."""
        self.found: list[Json] | None = []
        """None answers 503."""
        self.asked: list[str] = []
        """The paths of lists that were asked for."""
        self._events = events
        self._groups = groups
        self._numbers = count(2)

    def table(self) -> list[web.RouteDef]:
        """Return the routes."""
        accounts, bridges, groups = "/api/v1/vendor-accounts", "/api/v1/bridges", "/api/v1/groups"
        return [
            web.get(accounts, self._list_accounts),
            web.post(accounts, self._add_account),
            web.patch(f"{accounts}/{{id}}", self._change_account),
            web.delete(f"{accounts}/{{id}}", self._remove_account),
            web.get(bridges, self._list_bridges),
            web.post(bridges, self._add_bridge),
            web.get(f"{bridges}/found", self._list_found),
            web.patch(f"{bridges}/{{id}}", self._change_bridge),
            web.delete(f"{bridges}/{{id}}", self._remove_bridge),
            web.post(groups, self._add_group),
            web.patch(f"{groups}/{{id}}", self._change_group),
            web.delete(f"{groups}/{{id}}", self._remove_group),
        ]

    async def tell(self, event: str, subject_id: str, **payload: Any) -> None:  # noqa: ANN401  # JSON
        """Tell that something changed."""
        await self._events.tell(event={"type": event, "subject_id": subject_id, "payload": payload})

    async def put_bridge(self, bridge_id: str = BRIDGE_ID, **changes: Any) -> None:  # noqa: ANN401  # JSON
        """Change a bridge, or add one, and tell."""
        assert self.bridges is not None
        self.bridges[bridge_id] = self.bridges.get(bridge_id, bridge(id=bridge_id)) | changes
        await self.tell(BRIDGE_CHANGED, bridge_id, bridge_id=bridge_id, removed=False)

    async def put_account(self, **changes: Any) -> None:  # noqa: ANN401  # JSON
        """Change the first login, and tell."""
        assert self.vendor_accounts is not None
        self.vendor_accounts[0] |= changes
        account_id = self.vendor_accounts[0]["id"]
        await self.tell(VENDOR_ACCOUNT_CHANGED, account_id, vendor_account_id=account_id, removed=False)

    async def _list_accounts(self, request: web.Request) -> web.Response:
        return self._listed(request, self.vendor_accounts)

    async def _add_account(self, request: web.Request) -> web.Response:
        body = await request.json()
        account = vendor_account(id=f"account-{next(self._numbers)}", username=body["username"])
        assert self.vendor_accounts is not None
        self.vendor_accounts.append(account)
        await self.tell(VENDOR_ACCOUNT_CHANGED, account["id"], vendor_account_id=account["id"], removed=False)
        return web.json_response(account, status=201)

    async def _change_account(self, request: web.Request) -> web.Response:
        account = self._account(request)
        if account is None:
            return _gone()
        account |= {"status": "connected", "detail": None}
        await self.tell(VENDOR_ACCOUNT_CHANGED, account["id"], vendor_account_id=account["id"], removed=False)
        return web.json_response(account)

    async def _remove_account(self, request: web.Request) -> web.Response:
        account = self._account(request)
        if account is None or self.vendor_accounts is None:
            return _gone()
        self.vendor_accounts.remove(account)
        await self.tell(VENDOR_ACCOUNT_CHANGED, account["id"], vendor_account_id=account["id"], removed=True)
        return web.Response(status=204)

    async def _list_bridges(self, request: web.Request) -> web.Response:
        return self._listed(request, None if self.bridges is None else list(self.bridges.values()))

    async def _list_found(self, request: web.Request) -> web.Response:
        return self._listed(request, self.found)

    async def _add_bridge(self, request: web.Request) -> web.Response:
        body = await request.json()
        bridge_id = f"bridge-{next(self._numbers)}"
        name = body.pop("name", "mowdeck-bridge-9f31")
        body.pop("key", None)
        await self.put_bridge(bridge_id, name=name, **body)
        assert self.bridges is not None
        return web.json_response(self.bridges[bridge_id], status=201)

    async def _change_bridge(self, request: web.Request) -> web.Response:
        bridge_id = request.match_info["id"]
        changes = await request.json()
        changes.pop("key", None)
        if "expected_mac" in changes:
            changes["expected_mac"] = "AA:BB:CC:00:11:44"
        await self.put_bridge(bridge_id, **changes)
        assert self.bridges is not None
        return web.json_response(self.bridges[bridge_id])

    async def _remove_bridge(self, request: web.Request) -> web.Response:
        bridge_id = request.match_info["id"]
        if self.bridges is None or self.bridges.pop(bridge_id, None) is None:
            return _gone()
        await self.tell(BRIDGE_CHANGED, bridge_id, bridge_id=bridge_id, removed=True)
        return web.Response(status=204)

    async def _add_group(self, request: web.Request) -> web.Response:
        body = await request.json()
        return await self._put_group(f"group-{next(self._numbers)}", body, 201)

    async def _change_group(self, request: web.Request) -> web.Response:
        return await self._put_group(request.match_info["id"], await request.json(), 200)

    async def _put_group(self, group_id: str, changes: Json, status: int) -> web.Response:
        self._groups[group_id] = self._groups.get(group_id, group(id=group_id)) | changes
        await self._events.tell(group=self._groups[group_id])
        return web.json_response(self._groups[group_id], status=status)

    async def _remove_group(self, request: web.Request) -> web.Response:
        group_id = request.match_info["id"]
        if self._groups.pop(group_id, None) is None:
            return _gone()
        await self._events.tell(group_removed=group_id)
        return web.Response(status=204)

    def _account(self, request: web.Request) -> Json | None:
        account_id = request.match_info["id"]
        return next((each for each in self.vendor_accounts or () if each["id"] == account_id), None)

    def _listed(self, request: web.Request, items: list[Json] | None) -> web.Response:
        self.asked.append(request.path)
        if items is None:
            return web.json_response(documents.error("unavailable", "It does not answer."), status=503)
        return web.json_response({"items": items, "next": None})


def _gone() -> web.Response:
    return web.json_response(documents.error("not_found", "There is no such thing."), status=404)
