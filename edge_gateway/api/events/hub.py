"""The one place where events of the bus become messages to readers: one at a time, in the order of their arrival."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import structlog
from aiohttp import WSCloseCode

from edge_gateway.api import metrics
from edge_gateway.api.events.board import Board
from edge_gateway.api.events.changes import Changes, Translator
from edge_gateway.api.events.inbox import Gap, GatewayAlive, Inbox, Item, Owed
from edge_gateway.api.events.journal import Journal
from edge_gateway.api.events.readers import STOPPING, Reader, Readers
from edge_gateway.api.events.sight import WHOLE, Sight, about
from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import DeadlineError, MowDeckError, UnavailableError
from edge_gateway.contracts.identifiers import new_id

_log = structlog.get_logger(__name__)

_RETRY_FIRST_SECONDS = 0.25
_RETRY_LONGEST_SECONDS = 5.0
_OWED_SECONDS = 1.0

_MAY_CHANGE_RIGHTS = frozenset(
    (subjects.GRANTS_CHANGED, subjects.MOWER_CHANGED, subjects.GROUP_CHANGED, subjects.SITE_CHANGED)
)

type Load = Callable[[], Awaitable[None]]


class Joined(msgspec.Struct, frozen=True):
    """A reader that takes part, and whether its cursor was known."""

    reader: Reader
    resumed: bool


class EventHub:
    """Keeps the board current and tells every reader each change once."""

    def __init__(
        self, board: Board, translator: Translator, load: Load, inbox: Inbox, *, kept: int, queue: int, readers: int
    ) -> None:
        """Keep `kept` changes for those who come back; allow `readers` with `queue` waiting messages each."""
        self._board = board
        self._translator = translator
        self._load = load
        self._inbox = inbox
        self._journal = Journal(kept)
        self._readers = Readers()
        self._queue = queue
        self._most_readers = readers
        self._owed: dict[tuple[str, str], Envelope] = {}
        self._gateway_alive = True
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to read the board and to translate."""
        self._task = asyncio.create_task(self._run(), name="api event hub")

    async def stop(self) -> None:
        """End every reader, then the translation."""
        self._readers.drop_all(WSCloseCode.GOING_AWAY, STOPPING)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def gateway_alive_changed(self, alive: bool) -> None:  # noqa: FBT001  # the one thing that changed
        """Hear from the watch whether the device gateway lives."""
        self._gateway_alive = alive
        if self._board.mowers.live:
            self._inbox.put(GatewayAlive())
        else:
            # Nobody is told before the board is read; lists must not wait for that.
            self._board.mowers.gateway_alive = alive

    @property
    def open(self) -> bool:
        """Whether the board is read, so that readers can join."""
        return self._board.mowers.live

    def check_room(self) -> None:
        """Raise `UnavailableError` when no reader can join now."""
        if not self.open:
            raise UnavailableError(
                "not_ready",
                "The gateway has not yet read its mowers and schedules.",
                remedy="Try again in a few seconds.",
            )
        if len(self._readers) >= self._most_readers:
            raise UnavailableError(
                "too_many_readers",
                f"{self._most_readers} readers of the events are connected, which is the limit.",
                values={"limit": self._most_readers},
                remedy="Close one, or raise MOWDECK_API_EVENTS_READERS.",
            )

    def join(self, cursor: str | None, sight: Sight = WHOLE) -> Joined:
        """Add a reader that begins with what it missed since `cursor`, or with a snapshot of what it sees.

        Nothing is awaited here, so no change falls between the beginning and what follows. Somebody who sees not
        everything may have seen something else before, so the journal is not theirs.
        """
        missed = None if cursor is None or not sight.whole else self._journal.since(cursor)
        reason = "joined" if cursor is None else "cursor_unknown"
        first = (self._snapshot(reason, sight),) if missed is None else missed
        reader = Reader(self._queue, first, sight)
        self._readers.add(reader)
        return Joined(reader, resumed=missed is not None)

    def show_anew(self, reader: Reader, sight: Sight) -> None:
        """Let a reader see other things from now on, beginning with a snapshot of them."""
        reader.sight = sight
        reader.offer(self._snapshot("rights_changed", sight))

    def leave(self, reader: Reader) -> None:
        """Let a reader go."""
        self._readers.remove(reader)

    async def _run(self) -> None:
        await self._reload()
        retry = asyncio.create_task(self._retry_owed(), name="api owed events")
        try:
            while True:
                await self._handle(await self._inbox.next())
        finally:
            retry.cancel()

    async def _reload(self) -> None:
        """Read the board until it succeeds."""
        self._board.mowers.live = False
        pause = _RETRY_FIRST_SECONDS
        while True:
            try:
                await self._load()
            except (MowDeckError, msgspec.MsgspecError) as error:
                _log.info("board not read yet", reason=str(error))
                await asyncio.sleep(pause)
                pause = min(pause * 2, _RETRY_LONGEST_SECONDS)
            else:
                self._board.mowers.live = True
                return

    async def _handle(self, item: Item) -> None:
        match item:
            case Gap(reason):
                await self._reload()
                self._journal.restart()
                self._owed.clear()
                whole = self._snapshot(reason)
                for reader in self._readers:
                    reader.offer(whole if reader.sight.whole else self._snapshot(reason, reader.sight))
                self._readers.look_again()
            case GatewayAlive():
                alive = self._gateway_alive
                self._tell(self._translator.gateway_alive_changed(alive=alive, change_id=new_id()))
            case Owed(envelope):
                if self._owed.get(_about(envelope)) is envelope:
                    await self._translate(envelope)
            case Envelope():
                await self._translate(item)

    async def _translate(self, envelope: Envelope) -> None:
        about = _about(envelope)
        try:
            changes = await self._translator.translate(envelope)
        except UnavailableError, DeadlineError:
            # The record cannot be read now; a later event about the same thing takes this one's place.
            self._owed[about] = envelope
            return
        except Exception:  # noqa: BLE001  # one event that cannot be shown must not end the showing of all others
            _log.exception("event not shown", id=envelope.id, type=envelope.type)
            metrics.UNREADABLE.labels(envelope.type).inc()
            changes = ()
        self._owed.pop(about, None)
        self._tell(changes, patient=envelope.type == subjects.STATE_TYPE)
        if envelope.type in _MAY_CHANGE_RIGHTS:
            self._readers.look_again()

    async def _retry_owed(self) -> None:
        while True:
            await asyncio.sleep(_OWED_SECONDS)
            for envelope in tuple(self._owed.values()):
                self._inbox.put(Owed(envelope))

    def _tell(self, changes: Changes, *, patient: bool = False) -> None:
        for change in changes:
            metrics.CHANGES.inc()
            self._readers.offer(self._journal.append(change), about(change, self._board), patient=patient)

    def _snapshot(self, reason: str, sight: Sight = WHOLE) -> bytes:
        metrics.SNAPSHOTS.labels(reason).inc()
        return msgspec.json.encode(sight.shown(self._board.snapshot(self._journal.cursor)))


def _about(envelope: Envelope) -> tuple[str, str]:
    if envelope.type == subjects.OUTCOME_TYPE:
        # `<command>:<status>`: the later status of a command takes an earlier one's place.
        return envelope.type, envelope.id.rpartition(":")[0]
    return envelope.type, envelope.subject_id
