"""Tells the Supervisor where the gateway is and what its token is, so that Home Assistant finds it by itself.

The Supervisor passes a message on when it is new or changed, and keeps it: telling the same again changes nothing,
a new token reaches the integration by being told.
"""

import asyncio
import os
import socket
from collections.abc import Callable
from http import HTTPStatus

import aiohttp
import msgspec
import structlog

from edge_gateway.supervisor.settings import SupervisorSettings

_log = structlog.get_logger(__name__)

SERVICE = "mowdeck"
"""The name of the integration: the Supervisor's word for whom the message is."""
_ANSWER_SECONDS = 15.0
_LONGEST_PAUSE_SECONDS = 300.0


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What the integration is told (design, Home Assistant)."""

    host: str
    port: int
    auth_token: str
    """A secret."""


class Discovery:
    """A part of the program that tells, and tries until it was heard."""

    name = "discovery"

    def __init__(self, settings: SupervisorSettings, *, port: Callable[[], int], token: str) -> None:
        """Tell `token` and, when it is known, the API's port."""
        self._settings = settings
        self._port = port
        self._token = token
        self._task: asyncio.Task[None] | None = None
        self.heard = asyncio.Event()
        """Set when the Supervisor has taken the message."""

    async def start(self) -> None:
        """Begin; returns at once."""
        self._task = asyncio.create_task(self._run(), name="tell the Supervisor")

    async def stop(self) -> None:
        """End. The message stays with the Supervisor: the app comes back."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        supervisor_token = os.environ.get("SUPERVISOR_TOKEN")
        if not supervisor_token:
            _log.warning("the Supervisor gave no token; Home Assistant will not find the gateway by itself")
            return
        message = Message(host=self._settings.host or socket.gethostname(), port=self._port(), auth_token=self._token)
        pause = self._settings.retry_seconds
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_ANSWER_SECONDS)) as session:
            while (refusal := await self._tell(session, supervisor_token, message)) is not None:
                _log.warning("the Supervisor was not told of the gateway", reason=refusal, next_try_seconds=pause)
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
        _log.info("Home Assistant can find the gateway", host=message.host, port=message.port)
        self.heard.set()

    async def _tell(self, session: aiohttp.ClientSession, supervisor_token: str, message: Message) -> str | None:
        """Tell once; return why that failed."""
        body = msgspec.json.encode({"service": SERVICE, "config": message})
        headers = {"Authorization": f"Bearer {supervisor_token}", "Content-Type": "application/json"}
        try:
            async with session.post(f"{self._settings.url}/discovery", data=body, headers=headers) as answer:
                if answer.status == HTTPStatus.OK:
                    return None
                # Not its words: they may repeat the token.
                return f"it answers {answer.status}"
        except (aiohttp.ClientError, TimeoutError) as error:
            return str(error) or type(error).__name__
