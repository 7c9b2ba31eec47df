"""Whom the emulated gateway knows: the sets that it was sent, and who may not do anything."""

from aiohttp import web

from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json

OWNER = "user:owner"


class KnownPeople:
    """Knows its own owner, and everybody of the last set."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.sets: list[Json] = []
        """What was taken, oldest first."""
        self.asked = 0
        """How often something was sent."""
        self.revision = -1
        self.known: set[str] = set()
        self.forbidden: set[str] = set()
        """Principals that may see everything and do nothing."""
        self.is_old = False
        """It is of a version that knows nothing of people."""
        self.fault: tuple[int, Json] | None = None
        """What is answered to a set instead of taking it."""

    def forget(self) -> None:
        """Be a gateway that was set up anew."""
        self.revision = -1
        self.known.clear()

    async def put(self, request: web.Request) -> web.Response:
        """Take a set."""
        self.asked += 1
        if self.is_old:
            return web.json_response(documents.error("no_such_path", "There is nothing here."), status=404)
        if self.fault is not None:
            status, answer = self.fault
            return web.json_response(answer, status=status)
        body: Json = await request.json()
        if body["revision"] <= self.revision:
            values = {"given": body["revision"], "known": self.revision}
            answer = documents.error("revision_not_newer", "It is older.", field="revision", values=values)
            return web.json_response(answer, status=409)
        self.revision = body["revision"]
        self.known = {user["id"] for user in body["users"]}
        self.sets.append(body | {"instance_id": request.match_info["instance_id"]})
        known = {"instance_id": request.match_info["instance_id"], "revision": self.revision, "changed": True}
        return web.json_response(known)

    def refusal(self, principal: str) -> web.Response | None:
        """Return what is answered to somebody who is not known, or may not; None where they may."""
        if principal == OWNER:
            return None
        if principal not in self.known:
            answer = documents.error("unknown_principal", f"It does not know {principal}.", field="X-MowDeck-Principal")
            return web.json_response(answer, status=403)
        if principal in self.forbidden:
            return web.json_response(documents.error("forbidden", f"{principal} may not do this."), status=403)
        return None
