"""How requests reach the gateway: headers, repetition of orders, answers and errors."""

import contextlib
from collections.abc import Mapping
from typing import Any

import aiohttp
from yarl import URL

from .caller import SELF, Caller, People
from .errors import (
    AuthenticationError,
    DeadlineError,
    MalformedError,
    RefusedError,
    UnavailableError,
    UnreachableError,
    VersionError,
)
from .info import API_VERSION
from .introduced import introduced
from .reading import Reading

TIMEOUT = aiohttp.ClientTimeout(total=15, connect=5)
"""Seconds. The gateway itself gives its services less than this and then answers 504."""

MEET_TIMEOUT = aiohttp.ClientTimeout(total=40, connect=5)
"""Seconds. While it answers, the gateway logs in at a maker's cloud, or meets a bridge: 25 seconds at most."""

FILE_TIMEOUT = aiohttp.ClientTimeout(total=300, connect=5)
"""Seconds. A file of a year is made while it is sent."""

HTTP_OK = 200
HTTP_NO_CONTENT = 204
HTTP_REDIRECTIONS = 300
HTTP_ERRORS = 400
HTTP_UNAUTHORIZED = 401
HTTP_SERVER_ERRORS = 500
HTTP_GATEWAY_TIMEOUT = 504


class Transport:
    """One gateway, asked over HTTP. Every method raises a `ClientError` when it has no good answer."""

    def __init__(self, session: aiohttp.ClientSession, *, host: str, port: int, token: str) -> None:
        """Take the session of the house and the gateway's address; a host that is none is a `ValueError`."""
        self._session = session
        self._token = token
        self.people = People()
        """Who is known there: as whom each caller appears."""
        self.address = f"{host}:{port}"
        self.base = URL.build(scheme="http", host=host, port=port) / "api" / "v1"

    def headers(self, caller: Caller) -> dict[str, str]:
        """Return the headers that every request carries."""
        return {
            "Authorization": f"Bearer {self._token}",
            "X-MowDeck-API": str(API_VERSION),
            "X-MowDeck-Principal": self.people.principal_of(caller),
            "X-MowDeck-Origin": caller.origin.value,
        }

    @property
    def session(self) -> aiohttp.ClientSession:
        """The session that was handed in."""
        return self._session

    async def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        key: str | None = None,
        caller: Caller = SELF,
        query: Mapping[str, str] | None = None,
        patience: aiohttp.ClientTimeout = TIMEOUT,
    ) -> Reading:
        """Send a request that is answered with an object."""
        return Reading.of(await self._request(method, path, body, key, caller, query, patience), path)

    @introduced
    async def _download(self, path: str, query: Mapping[str, str], caller: Caller) -> bytes:
        """Ask for a file."""
        try:
            async with self._session.request(
                "GET",
                self.base.joinpath(path).with_query(query),
                headers=self.headers(caller),
                timeout=FILE_TIMEOUT,
                allow_redirects=False,
            ) as response:
                if response.status != HTTP_OK:
                    await self._raise_refusal(response, path)
                return await response.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise UnreachableError.because_of(error) from error

    async def _raise_refusal(self, response: aiohttp.ClientResponse, path: str) -> None:
        if response.status == HTTP_UNAUTHORIZED:
            raise AuthenticationError("The gateway does not take the token")
        try:
            value = await response.json(content_type=None)
        except ValueError as error:
            raise MalformedError(f"{path} answers {response.status} without JSON") from error
        _raise_answered(response.status, value, path)

    @introduced
    async def _request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        key: str | None = None,
        caller: Caller = SELF,
        query: Mapping[str, str] | None = None,
        patience: aiohttp.ClientTimeout = TIMEOUT,
    ) -> object:
        """Send a request; the answer's JSON, or None where it has no body."""
        headers = self.headers(caller)
        if key is not None:
            headers["Idempotency-Key"] = key
        try:
            if key is not None:
                # A connection that broke hides whether the gateway acted. It acts once per key: ask again.
                with contextlib.suppress(aiohttp.ClientConnectionError):
                    return await self._send(method, path, body, headers, query or {}, patience)
            return await self._send(method, path, body, headers, query or {}, patience)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise UnreachableError.because_of(error) from error

    async def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        headers: dict[str, str],
        query: Mapping[str, str],
        patience: aiohttp.ClientTimeout,
    ) -> object:
        async with self._session.request(
            method,
            self.base.joinpath(path).with_query(query),
            json=body,
            headers=headers,
            timeout=patience,
            allow_redirects=False,
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
