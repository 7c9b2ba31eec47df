"""Reads mowers for a caller: records from the Fleet, the rest from the board, filled up where it knows nothing."""

import asyncio
from collections.abc import Iterable, Sequence

import structlog

from edge_gateway.api.mower_board import MowerBoard
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.errors import DeadlineError, NotFoundError, UnavailableError
from edge_gateway.contracts.fleet import ListMowersRequest, MowerReply
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.mower import MowerAvailability, MowerState
from edge_gateway.contracts.telemetry import LatestStatesRequest
from edge_gateway.contracts.views import MowerView

_log = structlog.get_logger(__name__)


class MowerReader:
    """Answers what mowers look like now."""

    def __init__(self, bus: EventBus, board: MowerBoard, *, timeout_seconds: float) -> None:
        """Read over `bus`, with `board` for what was heard last."""
        self._bus = bus
        self._board = board
        self._timeout_seconds = timeout_seconds

    async def list(self, principal: str) -> tuple[MowerView, ...]:
        """Return the views of all mowers that the principal may see, in the order of their names."""
        records = await self._records(principal, None)
        await self.fill_up(record.mower.id for record in records)
        return tuple(self._board.view_of(record) for record in records)

    async def get(self, principal: str, mower_id: str) -> MowerView:
        """Return one view; raises `NotFoundError`."""
        records = await self._records(principal, mower_id)
        if not records:
            raise NotFoundError("not_found", "There is no such mower.", field="mower_id")
        return await self.view_of(records[0])

    async def view_of(self, record: MowerReply) -> MowerView:
        """Return the view of a record that was just read."""
        await self.fill_up((record.mower.id,))
        return self._board.view_of(record)

    async def look_up(self, mower_ids: Sequence[str]) -> None:
        """Look up what is known of these mowers anywhere; the board keeps what is newest."""
        for state in await self._latest(tuple(mower_ids)):
            self._board.take_state(state)
        await asyncio.gather(*(self._last_state(mower_id) for mower_id in mower_ids))
        await asyncio.gather(*(self._last_availability(mower_id) for mower_id in mower_ids))

    async def fill_up(self, mower_ids: Iterable[str]) -> None:
        """Look up what the board does not know of these mowers: Telemetry first, then the streams."""
        wanted = tuple(mower_ids)
        if not self._board.live:
            await self.look_up(wanted)
            return
        for state in await self._latest(tuple(i for i in wanted if self._board.state(i) is None)):
            self._board.take_state(state)
        await asyncio.gather(*(self._last_state(i) for i in wanted if self._board.state(i) is None))
        await asyncio.gather(*(self._last_availability(i) for i in wanted if self._board.availability(i) is None))

    async def _records(self, principal: str, mower_id: str | None) -> Sequence[MowerReply]:
        question = ListMowersRequest(on_behalf_of=principal, account_id=ACCOUNT_ID, mower_id=mower_id)
        reply = await self._bus.request(routes.MOWERS_LIST, question, timeout_seconds=self._timeout_seconds)
        return reply.items

    async def _latest(self, mower_ids: tuple[str, ...]) -> Sequence[MowerState]:
        if not mower_ids:
            return ()
        question = LatestStatesRequest(account_id=ACCOUNT_ID, mower_ids=mower_ids)
        try:
            reply = await self._bus.request(routes.STATES_LATEST, question, timeout_seconds=self._timeout_seconds)
        except (UnavailableError, DeadlineError) as error:
            # A mower is shown without Telemetry too: with its last report on the stream, or as unknown.
            _log.warning("latest states unknown", code=error.code)
            return ()
        return reply.items

    async def _last_state(self, mower_id: str) -> None:
        envelope = await self._bus.last(subjects.state_subject(mower_id))
        if envelope is not None:
            self._board.take_state(envelope.decode(MowerState))

    async def _last_availability(self, mower_id: str) -> None:
        envelope = await self._bus.last(subjects.availability_subject(mower_id))
        if envelope is not None:
            self._board.take_availability(envelope.decode(MowerAvailability))
