"""The gateway as a child process, and its API for whoever started it."""

from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

import aiohttp

from scripts.running.process import Process

_START_SECONDS = 60.0


class Gateway:
    """One `mowdeck-edge run` on a data folder of its own."""

    def __init__(
        self, *, python: Path, root: Path, data_folder: Path, port: int, variables: Mapping[str, str] | None = None
    ) -> None:
        """Describe it; `variables` are further settings."""
        self.data_folder = data_folder
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._session: aiohttp.ClientSession | None = None
        self.process = Process(
            "The gateway",
            [str(python), "-m", "edge_gateway", "run", "--data-dir", str(data_folder)],
            log=data_folder.with_name(f"{data_folder.name}.log.txt"),
            variables={"MOWDECK_API_PORT": str(port), "PYTHONUNBUFFERED": "1", **(variables or {})},
            folder=root,
        )

    @property
    def token(self) -> str:
        """The bearer token of its API, made at its first start."""
        return (self.data_folder / "token").read_text(encoding="utf-8").strip()

    async def start(self) -> None:
        """Start it and wait until every service is ready; raises `ProcessEndedError` or `TimeoutError`."""
        await self.process.start()
        await self.process.wait_until(self.ready, timeout_seconds=_START_SECONDS)

    async def stop(self) -> int:
        """Close our connection, stop it by SIGTERM and return its exit code."""
        if self._session is not None:
            await self._session.close()
            self._session = None
        return await self.process.stop()

    async def ready(self) -> bool:
        """Tell whether every service can work now."""
        try:
            async with self._open_session().get(f"{self.url}/readyz") as response:
                return response.status == HTTPStatus.OK
        except aiohttp.ClientError:
            return False

    async def request(
        self, method: str, path: str, body: dict[str, Any] | None = None, *, key: str | None = None
    ) -> Any:  # noqa: ANN401  # JSON
        """Ask the API as the owner; raises `RuntimeError` with the gateway's sentence on an error."""
        headers = {"Authorization": f"Bearer {self.token}", "X-MowDeck-Principal": "user:owner"}
        if key is not None:
            headers["Idempotency-Key"] = key
        async with self._open_session().request(
            method, f"{self.url}/api/v1{path}", json=body, headers=headers
        ) as answer:
            content = None if answer.status == HTTPStatus.NO_CONTENT else await answer.json()
            if answer.status >= HTTPStatus.BAD_REQUEST:
                message = f"{method} {path}: {answer.status} {content}"
                raise RuntimeError(message)
            return content

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30))
        return self._session

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop."""
        await self.stop()
