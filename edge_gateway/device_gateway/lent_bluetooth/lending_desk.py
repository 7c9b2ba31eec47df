"""Answers the routes `device_gateway.bluetooth.*`: one copy of the gateway at a time takes what is lent."""

import asyncio
from typing import override

import structlog

from edge_gateway.bus.protocol import EventBus, Lease, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.bluetooth_relay import (
    CloseLendingRequest,
    CollectLentReply,
    CollectLentRequest,
    HearLentRequest,
    OpenLendingRequest,
)
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.device_gateway.lent_bluetooth.lent_bluetooth import LentBluetooth
from edge_gateway.device_gateway.provider_host import Lending

_log = structlog.get_logger(__name__)

_LEASE = "lent-bluetooth"
_LOOK_SECONDS = 1.0
_RETRY_SECONDS = 5.0


class LendingDesk(Lending):
    """The desk at which Home Assistants lend their Bluetooth."""

    def __init__(self, room: LentBluetooth, *, bus: EventBus, instance_id: str) -> None:
        """Take what is lent into this room."""
        self.room = room
        self._bus = bus
        self._instance_id = instance_id
        self._lease: Lease | None = None
        self._replies: list[Subscription] = []
        self._task: asyncio.Task[None] | None = None

    @override
    async def start(self) -> None:
        await self._try_open()
        self._task = asyncio.get_running_loop().create_task(self._run(), name="lent bluetooth")

    @override
    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._close()

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
            except Exception:  # noqa: BLE001  # whatever fails here must not end the looking; it is logged
                _log.exception("lent bluetooth not looked at")
                await asyncio.sleep(_LOOK_SECONDS)

    async def _look(self) -> None:
        if self._lease is None:
            await asyncio.sleep(_RETRY_SECONDS)
            await self._try_open()
        elif self._lease.held:
            await asyncio.sleep(_LOOK_SECONDS)
            self.room.look()
        else:
            _log.warning("another gateway takes lent bluetooth now")
            await self._close()

    async def _try_open(self) -> None:
        try:
            self._lease = await self._bus.acquire_lease(_LEASE, holder=self._instance_id)
            if self._lease is not None:
                self._replies += [
                    await self._bus.reply(routes.BLUETOOTH_OPEN, self._open),
                    await self._bus.reply(routes.BLUETOOTH_HEAR, self._hear),
                    await self._bus.reply(routes.BLUETOOTH_COLLECT, self._collect),
                    await self._bus.reply(routes.BLUETOOTH_CLOSE, self._gone),
                ]
        except MowDeckError as error:
            _log.info("lent bluetooth not taken yet", code=error.code)
            await self._close()

    async def _close(self) -> None:
        # First: whoever waits at the desk is answered then.
        self.room.stop()
        replies, self._replies = self._replies, []
        for reply in replies:
            await reply.unsubscribe()
        lease, self._lease = self._lease, None
        if lease is not None:
            await lease.release()

    async def _open(self, question: OpenLendingRequest) -> Nothing:
        await self.room.open(question.session_id, question.hello)
        _log.info("home assistant lends its bluetooth", instance_id=question.hello.instance_id)
        return Nothing()

    async def _hear(self, question: HearLentRequest) -> Nothing:
        self.room.session(question.session_id).hear(question.number, question.messages)
        return Nothing()

    async def _collect(self, question: CollectLentRequest) -> CollectLentReply:
        return await self.room.session(question.session_id).collect()

    async def _gone(self, question: CloseLendingRequest) -> Nothing:
        self.room.close(question.session_id)
        return Nothing()
