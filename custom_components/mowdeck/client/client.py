"""The requests of the API."""

import contextlib
from collections.abc import Mapping
from typing import Any

import aiohttp
from yarl import URL

from .caller import SELF, Caller
from .command import Command, Order
from .errors import (
    AuthenticationError,
    DeadlineError,
    MalformedError,
    RefusedError,
    UnavailableError,
    UnreachableError,
    VersionError,
)
from .info import API_VERSION, Info
from .reading import Reading
from .run import Run
from .schedule import Schedule, ScheduleDraft
from .site import Site

TIMEOUT = aiohttp.ClientTimeout(total=15, connect=5)
"""Seconds. The gateway itself gives its services less than this and then answers 504."""

HTTP_NO_CONTENT = 204
HTTP_REDIRECTIONS = 300
HTTP_ERRORS = 400
HTTP_UNAUTHORIZED = 401
HTTP_SERVER_ERRORS = 500
HTTP_GATEWAY_TIMEOUT = 504


class Client:
    """One gateway, asked over HTTP. Every method raises a `ClientError` when it has no good answer."""

    def __init__(self, session: aiohttp.ClientSession, *, host: str, port: int, token: str) -> None:
        """Take the session of the house and the gateway's address; a host that is none is a `ValueError`."""
        self._session = session
        self._token = token
        self.address = f"{host}:{port}"
        self.base = URL.build(scheme="http", host=host, port=port) / "api" / "v1"

    def headers(self, caller: Caller) -> dict[str, str]:
        """Return the headers that every request carries."""
        return {
            "Authorization": f"Bearer {self._token}",
            "X-MowDeck-API": str(API_VERSION),
            "X-MowDeck-Principal": caller.principal,
            "X-MowDeck-Origin": caller.origin.value,
        }

    @property
    def session(self) -> aiohttp.ClientSession:
        """The session that was handed in."""
        return self._session

    async def get_info(self) -> Info:
        """Return what the gateway is; raises `VersionError` when it does not speak this client's version."""
        info = Info.read(await self._ask("GET", "info"))
        info.check_version()
        return info

    async def order(self, mower_id: str, order: Order, *, key: str, caller: Caller) -> Command:
        """Order something of a mower; the same key never orders twice."""
        return Command.read(await self._ask("POST", f"mowers/{mower_id}/commands", order.json(), key, caller))

    async def create_schedule(self, draft: ScheduleDraft, *, key: str, caller: Caller) -> Schedule:
        """Make a schedule; the same key never makes two."""
        return Schedule.read(await self._ask("POST", "schedules", draft.json(), key, caller))

    async def update_schedule(self, schedule_id: str, changes: Mapping[str, Any], *, caller: Caller) -> Schedule:
        """Change the named fields of a schedule."""
        return Schedule.read(await self._ask("PATCH", f"schedules/{schedule_id}", changes, caller=caller))

    async def delete_schedule(self, schedule_id: str, *, caller: Caller) -> None:
        """Remove a schedule; its runs are kept."""
        await self._request("DELETE", f"schedules/{schedule_id}", caller=caller)

    async def run_schedule_now(self, schedule_id: str, *, key: str, caller: Caller) -> tuple[Run, ...]:
        """Run a schedule at once, whatever the rain rule says; one run per mower."""
        reading = await self._ask("POST", f"schedules/{schedule_id}/run-now", {}, key, caller)
        return reading.objects("items", Run.read)

    async def update_site(self, site_id: str, changes: Mapping[str, Any]) -> Site:
        """Change the named fields of a site."""
        return Site.read(await self._ask("PATCH", f"sites/{site_id}", changes))

    async def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        key: str | None = None,
        caller: Caller = SELF,
    ) -> Reading:
        """Send a request that is answered with an object."""
        return Reading.of(await self._request(method, path, body, key, caller), path)

    async def _request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        key: str | None = None,
        caller: Caller = SELF,
    ) -> object:
        """Send a request; the answer's JSON, or None where it has no body."""
        headers = self.headers(caller)
        if key is not None:
            headers["Idempotency-Key"] = key
        try:
            if key is not None:
                # A connection that broke hides whether the gateway acted. It acts once per key: ask again.
                with contextlib.suppress(aiohttp.ClientConnectionError):
                    return await self._send(method, path, body, headers)
            return await self._send(method, path, body, headers)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise UnreachableError(str(error) or type(error).__name__) from error

    async def _send(self, method: str, path: str, body: Mapping[str, Any] | None, headers: dict[str, str]) -> object:
        async with self._session.request(
            method, self.base.joinpath(path), json=body, headers=headers, timeout=TIMEOUT, allow_redirects=False
        ) as response:
            if response.status == HTTP_UNAUTHORIZED:
                raise AuthenticationError("The gateway does not take the token")
            if response.status == HTTP_NO_CONTENT:
                return None
            try:
                value = await response.json(content_type=None)
            except ValueError as error:
                raise MalformedError(f"{path} answers {response.status} without JSON") from error
            if response.status >= HTTP_ERRORS:
                _raise_answered(response.status, value, path)
            if response.status >= HTTP_REDIRECTIONS:
                raise MalformedError(f"{path} answers {response.status}")
            return value


def _raise_answered(status: int, value: object, path: str) -> None:
    """Raise the error that the gateway answered."""
    error = Reading.of(value, path).object("error")
    if error.text("code") == "api_version_unsupported":
        spoken_there = error.object("values")
        raise VersionError(spoken=API_VERSION, lowest=spoken_there.integer("min"), highest=spoken_there.integer("max"))
    if status == HTTP_GATEWAY_TIMEOUT:
        error_class: type[DeadlineError | UnavailableError | RefusedError] = DeadlineError
    elif status >= HTTP_SERVER_ERRORS:
        error_class = UnavailableError
    else:
        error_class = RefusedError
    raise error_class(
        status=status,
        code=error.text("code"),
        detail=error.text("detail"),
        field=error.text_or_none("field"),
        remedy=error.text_or_none("remedy"),
        values=error.mapping("values"),
    )
