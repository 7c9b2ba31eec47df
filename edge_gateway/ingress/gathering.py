"""Asks the running gateway, through its own API, for what the page shows."""

import asyncio
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal

import aiohttp
import msgspec

from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.principals import OWNER, PRINCIPAL_HEADER

_ANSWER_SECONDS = 8.0
_LISTS = {
    "findings": "findings",
    "mowers": "mowers",
    "accounts": "vendor-accounts",
    "bridges": "bridges",
    "runs": "runs?limit=15",
    "schedules": "schedules",
    "sites": "sites",
}

type Item = dict[str, Any]


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """How the backup is."""

    made_at: datetime | None = None
    """Of the newest complete one; null: there is none."""
    rows: int = 0
    bytes: int = 0
    failure: str | None = None
    """Why the last attempt failed; null when it did not."""


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """All that the page shows."""

    now: datetime
    version: str
    services: dict[str, bool] = {}
    """Whether each can work; empty while the gateway starts or its API is silent."""
    silence: Literal["starting", "silent"] | None = None
    """Why there is no answer of the API; null when there is."""
    lists: dict[str, list[Item] | None] = {}
    """By name; null: this gateway has no such list, or it was not answered in time."""
    weather: dict[str, Item] = {}
    """By mower."""
    backup: Backup = Backup()
    log: tuple[str, ...] = ()
    memory_bytes: int = 0
    """Of the program and its servers together."""


class Gatherer:
    """Asks the API of the gateway whose data folder is given."""

    def __init__(self, folder: Path, token: str, *, clock: Clock, version: str) -> None:
        """Find the API's port in the folder when asked; it is there when the API listens."""
        self._folder = folder
        self._headers = {"Authorization": f"Bearer {token}", PRINCIPAL_HEADER: OWNER}
        self._clock = clock
        self._version = version

    async def alive(self) -> bool | None:
        """Tell whether the API lives; null while the gateway is starting."""
        if (port := self._port()) is None:
            return None
        try:
            async with self._session() as session, session.get(f"http://127.0.0.1:{port}/healthz") as answer:
                return answer.status == HTTPStatus.OK
        except aiohttp.ClientError, TimeoutError:
            return False

    async def gather(self, *, backup: Backup, log: tuple[str, ...], memory_bytes: int) -> Gathered:
        """Return what the page shows; what is not answered is left out."""
        known = Gathered(
            now=self._clock.now(), version=self._version, backup=backup, log=log, memory_bytes=memory_bytes
        )
        port = self._port()
        if port is None:
            return msgspec.structs.replace(known, silence="starting")
        async with self._session() as session:
            url = f"http://127.0.0.1:{port}/api/v1"
            info, *answers = await asyncio.gather(
                _ask(session, f"{url}/info"), *(_ask(session, f"{url}/{path}") for path in _LISTS.values())
            )
            if info is None:
                return msgspec.structs.replace(known, silence="silent")
            lists = {name: answer["items"] if answer else None for name, answer in zip(_LISTS, answers, strict=True)}
            mowers = [mower["id"] for mower in lists["mowers"] or []]
            weather = await asyncio.gather(*(_ask(session, f"{url}/weather/{mower}") for mower in mowers))
        return msgspec.structs.replace(
            known,
            services=info["services"],
            lists=lists,
            weather={mower: answer for mower, answer in zip(mowers, weather, strict=True) if answer},
        )

    def _port(self) -> int | None:
        try:
            return int((self._folder / "port").read_text())
        except OSError, ValueError:
            return None

    def _session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(headers=self._headers, timeout=aiohttp.ClientTimeout(total=_ANSWER_SECONDS))


async def _ask(session: aiohttp.ClientSession, url: str) -> Item | None:
    try:
        async with session.get(url) as answer:
            if answer.status != HTTPStatus.OK:
                return None
            content: Item = msgspec.json.decode(await answer.read())
            return content
    except aiohttp.ClientError, TimeoutError, msgspec.DecodeError:
        return None
