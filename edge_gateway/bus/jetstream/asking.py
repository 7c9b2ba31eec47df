"""The asking side of requests: one inbox for all answers, each with its deadline."""

import asyncio
import contextlib

import structlog
from nats.aio.msg import Msg

from edge_gateway.bus.deadline import HostClock, stamp
from edge_gateway.bus.jetstream.connection import Connection, Standing
from edge_gateway.bus.jetstream.paging import Assembly
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.bus.limits import MAXIMUM_EVENT_BYTES
from edge_gateway.bus.questions import Answer, no_answer, no_responder
from edge_gateway.contracts.errors import InvalidError

_log = structlog.get_logger(__name__)

_NO_RESPONDERS = "503"


class _Asked:
    """One question under way."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self.answered: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        """Null: nobody serves the subject."""


class Asking:
    """Sends questions and waits for their answers."""

    def __init__(self, connection: Connection) -> None:
        """Prepare."""
        self._connection = connection
        self._clock = HostClock.of_here()
        self._lock = asyncio.Lock()
        self._inbox: Standing | None = None
        self._inbox_subject = ""
        self._asked: dict[str, _Asked] = {}
        self._number = 0

    async def ask(self, subject: str, data: bytes, *, timeout_seconds: float) -> Answer:
        """Ask and return the answer; raises as `EventBus.request` does, but for the answering side's own error."""
        if len(data) > MAXIMUM_EVENT_BYTES:
            sentence = f"The request {subject} has {len(data)} bytes; at most {MAXIMUM_EVENT_BYTES} fit."
            raise InvalidError("request_too_large", sentence, values={"bytes": len(data)})
        over_at = self._clock.now() + timeout_seconds
        await self._open(timeout_seconds)
        client = await self._connection.client(seconds=max(0.0, over_at - self._clock.now()))
        self._number += 1
        token = str(self._number)
        asked = self._asked[token] = _Asked()
        try:
            now = self._clock.now()
            headers = stamp(over_at - now, clock_id=self._clock.id, now=now)
            with unavailable_when(f"the question {subject} cannot be sent"):
                await client.publish(subject, data, reply=f"{self._inbox_subject}.{token}", headers=headers)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(over_at - self._clock.now()):
                    await asyncio.shield(asked.answered)
            if not asked.answered.done():
                raise no_answer(subject, timeout_seconds)
            answer = asked.answered.result()
        finally:
            del self._asked[token]
            asked.answered.cancel()
        if answer is None:
            raise no_responder(subject)
        return answer

    async def _open(self, seconds: float) -> None:
        async with self._lock:
            if self._inbox is None:
                client = await self._connection.client(seconds=seconds)
                self._inbox_subject = client.new_inbox()
                self._inbox = await self._connection.add(f"{self._inbox_subject}.*", self._arrived, seconds=seconds)

    async def _arrived(self, message: Msg) -> None:
        asked = self._asked.get(message.subject.rpartition(".")[2])
        if asked is None or asked.answered.done():
            return  # too late, or a second server's word
        headers = message.headers or {}
        if not message.data and headers.get("Status") == _NO_RESPONDERS:
            asked.answered.set_result(None)
            return
        try:
            answer = asked.assembly.add(message.data, headers)
        except ValueError:
            _log.warning("not a page of an answer", subject=message.subject)
            return
        if answer is not None:
            asked.answered.set_result(answer)
