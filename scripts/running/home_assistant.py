"""A real Home Assistant as a child process, and what a person does in it: onboarding, REST, WebSocket."""

import asyncio
import json
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

import aiohttp

from scripts.running.process import Process
from scripts.set_up.places import ROOT

_CONFIGURATION = """\
# A small Home Assistant: what MowDeck needs, and nothing that looks for other devices or the internet.
api:
automation: !include automations.yaml
config:
conversation:
frontend:
history:
logbook:
script: !include scripts.yaml
system_health:
http:
  server_host: {host}
  server_port: {port}
logger:
  default: warning
  logs:
    custom_components.mowdeck: debug
"""

_BLUEPRINTS = ROOT / "blueprints" / "automation" / "mowdeck"
_START_SECONDS = 120.0


class HomeAssistant:
    """One Home Assistant of one environment, with MowDeck installed from this checkout."""

    def __init__(self, *, python: Path, folder: Path, integration: Path, port: int, host: str = "127.0.0.1") -> None:
        """Describe it: its interpreter, its configuration folder, the folder of the integration, where it listens."""
        self.url = f"http://{host}:{port}"
        self.folder = folder
        self._integration = integration
        self._host = host
        self._port = port
        self._token: str | None = None
        self._session: aiohttp.ClientSession | None = None
        self.process = Process(
            "Home Assistant",
            [str(python), "-m", "homeassistant", "--config", str(folder), "--skip-pip"],
            log=folder / "home-assistant.log.txt",
            variables={"PYTHONUNBUFFERED": "1"},
            folder=folder,
        )

    @property
    def client_id(self) -> str:
        """The id under which a client at this address logs in."""
        return f"{self.url}/"

    def install(self) -> None:
        """Write the configuration, put integration and blueprints in their places, anew each time; all else stays."""
        self.folder.mkdir(parents=True, exist_ok=True)
        configuration = self.folder / "configuration.yaml"
        configuration.write_text(_CONFIGURATION.format(host=self._host, port=self._port), encoding="utf-8")
        for made_in_pages in ("automations.yaml", "scripts.yaml"):
            (self.folder / made_in_pages).touch()
        place = self.folder / "custom_components" / "mowdeck"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self._integration, place, ignore=shutil.ignore_patterns("__pycache__"))
        blueprints = self.folder / "blueprints" / "automation" / "mowdeck"
        shutil.copytree(_BLUEPRINTS, blueprints, dirs_exist_ok=True)

    async def start(self) -> None:
        """Start it and wait until it answers; raises `ProcessEndedError` or `TimeoutError`."""
        await self.process.start()
        await self.process.wait_until(self._answers, timeout_seconds=_START_SECONDS)

    async def stop(self) -> None:
        """Close our connection and stop it."""
        if self._session is not None:
            await self._session.close()
            self._session = None
        await self.process.stop(timeout_seconds=60)

    async def onboarded(self) -> bool:
        """Tell whether the first user was made, in this run or an earlier one."""
        async with self._open_session().get(f"{self.url}/api/onboarding") as response:
            if response.status == HTTPStatus.NOT_FOUND:
                return True
            response.raise_for_status()
            return all(step["done"] for step in await response.json())

    async def onboard(self, *, name: str, username: str, password: str) -> None:
        """Make the first user as the onboarding page does, and keep its address settings for good."""
        answer = await self.post(
            "/api/onboarding/users",
            {"client_id": self.client_id, "name": name, "username": username, "password": password, "language": "en"},
        )
        await self._exchange(answer["auth_code"])
        await self.post("/api/onboarding/core_config", {})
        await self.post("/api/onboarding/analytics", {})
        await self.post("/api/onboarding/integration", {"client_id": self.client_id, "redirect_uri": self.client_id})
        async with self.websocket() as websocket:
            await websocket.wait_until_running()
            await websocket.keep_address()

    async def log_in(self, *, username: str, password: str) -> None:
        """Log in with a name and a password, as the login page does."""
        flow = await self.post(
            "/auth/login_flow",
            {"client_id": self.client_id, "handler": ["homeassistant", None], "redirect_uri": self.client_id},
        )
        result = await self.post(
            f"/auth/login_flow/{flow['flow_id']}",
            {"client_id": self.client_id, "username": username, "password": password},
        )
        await self._exchange(result["result"])

    async def add_gateway(self, *, host: str, port: int, token: str) -> dict[str, Any]:
        """Add MowDeck through its configuration flow; returns the last step's answer."""
        flow = await self.post("/api/config/config_entries/flow", {"handler": "mowdeck"})
        answer: dict[str, Any] = await self.post(
            f"/api/config/config_entries/flow/{flow['flow_id']}", {"host": host, "port": port, "token": token}
        )
        return answer

    async def get(self, path: str) -> Any:  # noqa: ANN401  # JSON
        """GET a path and return its JSON."""
        async with self._open_session().get(self.url + path, headers=self._headers()) as response:
            response.raise_for_status()
            return await response.json()

    async def post(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401  # JSON
        """POST JSON to a path and return its JSON; raises `aiohttp.ClientResponseError` on an error."""
        async with self._open_session().post(self.url + path, json=body, headers=self._headers()) as response:
            response.raise_for_status()
            return await response.json()

    async def delete(self, path: str) -> None:
        """DELETE a path; raises `aiohttp.ClientResponseError` on an error."""
        async with self._open_session().delete(self.url + path, headers=self._headers()) as response:
            response.raise_for_status()

    async def state(self, entity_id: str) -> dict[str, Any]:
        """Return an entity's state object; raises `aiohttp.ClientResponseError` when there is none."""
        answer: dict[str, Any] = await self.get(f"/api/states/{entity_id}")
        return answer

    async def wait_for_state(self, entity_id: str, state: str, *, timeout_seconds: float = 30) -> dict[str, Any]:
        """Wait until an entity has a state, hearing of each change; raises `TimeoutError` naming what it had."""
        seen = None
        try:
            async with asyncio.timeout(timeout_seconds), self.websocket() as websocket:
                await websocket.call("subscribe_entities", entity_ids=[entity_id])
                async for event in websocket.events():
                    for change in (event.get("a", {}), event.get("c", {})):
                        new = change.get(entity_id, {})
                        seen = new.get("+", new).get("s", seen)
                    if seen == state:
                        return await self.state(entity_id)
        except TimeoutError:
            message = f"{entity_id} is {seen!r}, not {state!r}, after {timeout_seconds} s"
            raise TimeoutError(message) from None
        raise ConnectionError

    async def act(
        self, action: str, data: dict[str, Any] | None = None, *, entity_id: str | None = None, answers: bool = False
    ) -> Any:  # noqa: ANN401  # the response of an action
        """Call an action such as `lawn_mower.dock` and return its response."""
        domain, _, service = action.partition(".")
        async with self.websocket() as websocket:
            result = await websocket.call(
                "call_service",
                domain=domain,
                service=service,
                service_data=data or {},
                target={"entity_id": entity_id} if entity_id else {},
                return_response=answers,
            )
        return result.get("response")

    @asynccontextmanager
    async def websocket(self) -> AsyncIterator[HomeAssistantWebSocket]:
        """Open an authenticated WebSocket connection."""
        async with self._open_session().ws_connect(f"{self.url}/api/websocket", max_msg_size=0) as connection:
            await connection.receive_json()
            await connection.send_json({"type": "auth", "access_token": self._token})
            answer = await connection.receive_json()
            if answer["type"] != "auth_ok":
                raise PermissionError(answer["message"])
            yield HomeAssistantWebSocket(connection)

    def browser_tokens(self) -> str:
        """Return what a browser keeps in local storage under `hassTokens` to be logged in."""
        return json.dumps(
            {
                "access_token": self._token,
                "token_type": "Bearer",
                "expires_in": 1800,
                "expires": int((time.time() + 1800) * 1000),
                "hassUrl": self.url,
                "clientId": self.client_id,
                "refresh_token": "",
            }
        )

    async def _exchange(self, code: str) -> None:
        form = {"grant_type": "authorization_code", "code": code, "client_id": self.client_id}
        async with self._open_session().post(f"{self.url}/auth/token", data=form) as response:
            response.raise_for_status()
            self._token = (await response.json())["access_token"]

    async def _answers(self) -> bool:
        try:
            async with self._open_session().get(f"{self.url}/manifest.json") as response:
                return response.status == HTTPStatus.OK
        except aiohttp.ClientError:
            return False

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60))
        return self._session

    def _headers(self) -> dict[str, str]:
        return {} if self._token is None else {"Authorization": f"Bearer {self._token}"}

    async def __aenter__(self) -> Self:
        """Install and start."""
        self.install()
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop."""
        await self.stop()


class CommandFailedError(Exception):
    """Home Assistant refused a WebSocket command; its code and message."""


class HomeAssistantWebSocket:
    """An authenticated connection."""

    def __init__(self, connection: aiohttp.ClientWebSocketResponse) -> None:
        """Speak over a connection that is open."""
        self._connection = connection
        self._last_id = 0
        self._early: list[dict[str, Any]] = []

    async def call(self, command: str, **fields: Any) -> Any:  # noqa: ANN401  # JSON
        """Send a command and return its result; raises `CommandFailedError`."""
        self._last_id += 1
        await self._connection.send_json({"id": self._last_id, "type": command, **fields})
        while True:
            message = await self._connection.receive_json()
            if message.get("id") == self._last_id and message["type"] == "result":
                if not message["success"]:
                    raise CommandFailedError(message["error"]["code"], message["error"]["message"])
                return message["result"]
            if message["type"] == "event":
                self._early.append(message["event"])

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """Yield the events of the subscriptions, those that came during a call included."""
        while True:
            while self._early:
                yield self._early.pop(0)
            message = await self._connection.receive_json()
            if message["type"] == "event":
                yield message["event"]

    async def wait_until_running(self) -> None:
        """Wait until Home Assistant has finished its start: a stop before that is no clean one."""
        async with asyncio.timeout(_START_SECONDS):
            await self.call("subscribe_events", event_type="homeassistant_started")
            started = self.events()
            if (await self.call("get_config"))["state"] != "RUNNING":
                await anext(started)

    async def keep_address(self) -> None:
        """Confirm the address of the configuration file, which is on trial at first; older versions have no trial."""
        try:
            await self.call("http/config/promote")
        except CommandFailedError as error:
            if error.args[0] != "unknown_command":
                raise
