"""Takes states in: a batch is judged in memory and stored in one transaction (design, Telemetry, Ingest)."""

import time
from collections.abc import Awaitable, Callable, Sequence

import asyncpg
import msgspec
import structlog

from edge_gateway.bus.protocol import Delivery, Verdict
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.mower import MowerState
from edge_gateway.database.poison import POISON
from edge_gateway.telemetry import metrics
from edge_gateway.telemetry.repository.books import Claim
from edge_gateway.telemetry.repository.directory import DirectoryEntry
from edge_gateway.telemetry.store import Store
from edge_gateway.telemetry.write_rules import Effect, is_storable

_LOG = structlog.get_logger(__name__)
_IMPORT_BATCH = 200
_DECODER = msgspec.json.Decoder(MowerState)

type AskMower = Callable[[str], Awaitable[DirectoryEntry | None]]
"""Asks the fleet for a mower; null when the fleet does not know it, raises when it does not answer."""


class Ingest:
    """Stores the states of one partition, exactly once each, whatever is delivered twice."""

    def __init__(self, store: Store, ask_mower: AskMower, clock: Clock, *, partition: int = 0) -> None:
        """Store in `store`; the fence is set by whoever holds the lease."""
        self._store = store
        self._clock = clock
        self._ask_mower = ask_mower
        self._partition = partition
        self._known: set[str] = set()
        self.fence = 0
        """The fencing number of the lease under which batches are stored."""

    async def handle(self, deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        """Judge and store a batch from the bus; raises when the database cannot be used, so that all comes again."""
        begin = time.monotonic()
        verdicts: list[Verdict] = [Verdict.ACK] * len(deliveries)
        states: list[tuple[int, MowerState]] = []
        for index, delivery in enumerate(deliveries):
            state = _read(delivery)
            if state is None:
                verdicts[index] = Verdict.DROP
            else:
                states.append((index, state))
        unknown = await self._learn({state.mower_id for _, state in states} - self._known)
        if unknown:
            for index, state in states:
                if state.mower_id in unknown:
                    verdicts[index] = Verdict.REDELIVER
            states = [(index, state) for index, state in states if state.mower_id not in unknown]
        await self._record(states, verdicts)
        metrics.BATCH_SECONDS.observe(time.monotonic() - begin)
        metrics.BATCH_STATES.observe(len(deliveries))
        return verdicts

    async def import_history(self, states: Sequence[MowerState]) -> None:
        """Store many states of known mowers, 200 a transaction."""
        for begin in range(0, len(states), _IMPORT_BATCH):
            await self.record_states(states[begin : begin + _IMPORT_BATCH])

    async def record_states(self, states: Sequence[MowerState]) -> None:
        """Store states of known mowers in one transaction, in their order."""
        try:
            await self._store_states(states, careful=False)
        except asyncpg.UniqueViolationError:
            # A clock that went back passes over moments that are stored already.
            await self._store_states(states, careful=True)

    async def _store_states(self, states: Sequence[MowerState], *, careful: bool) -> None:
        named_jobs: dict[str, set[str]] = {mower_id: set() for mower_id in sorted({state.mower_id for state in states})}
        texts: set[str | None] = set()
        for state in states:
            texts.add(state.area_id)
            if state.job is not None:
                named_jobs[state.mower_id].add(state.job.id)
            if state.problem is not None:
                texts.add(state.problem.code)
        texts.update(*named_jobs.values())
        effects = dict.fromkeys(Effect, 0)
        claim = Claim(self._partition, self.fence)
        now = self._clock.now()
        known_texts = {text for text in texts if text is not None}
        async with self._store.open(claim, named_jobs, known_texts, careful=careful) as opened:
            books, told = opened.by_mower, opened.events
            if len(books) < len(named_jobs):
                self._known.clear()  # a directory that was restored: ask again
            for state in states:
                book = books[state.mower_id]
                effects[book.take(state, now)] += 1
                if book.events:
                    told += book.events
                    book.events.clear()
        for effect, number in effects.items():
            if number:
                metrics.STATES.labels(effect.value).inc(number)
        if effects[Effect.FOREIGN]:
            _LOG.warning("states of another account are dropped", number=effects[Effect.FOREIGN])

    async def _learn(self, mower_ids: set[str]) -> frozenset[str]:
        """Ask the fleet for mowers that the directory lacks; returns those that nobody knows."""
        if not mower_ids:
            return frozenset()
        self._known |= await self._store.known(sorted(mower_ids))
        unknown = set()
        for mower_id in sorted(mower_ids - self._known):
            entry = await self._ask_mower(mower_id)
            if entry is None:
                unknown.add(mower_id)
                continue
            await self._store.put_mower(entry)
            self._known.add(mower_id)
        return frozenset(unknown)

    async def _record(self, states: Sequence[tuple[int, MowerState]], verdicts: list[Verdict]) -> None:
        """Store a batch; a data error halves it until the poison stands alone and is dropped."""
        if not states:
            return
        try:
            await self.record_states([state for _, state in states])
        except POISON:
            if len(states) == 1:
                index, state = states[0]
                _LOG.exception("a state cannot be stored", mower_id=state.mower_id, observed_at=state.observed_at)
                verdicts[index] = Verdict.DROP
                metrics.STATES.labels("poison").inc()
                return
            middle = len(states) // 2
            await self._record(states[:middle], verdicts)
            await self._record(states[middle:], verdicts)


def _read(delivery: Delivery) -> MowerState | None:
    """Return a state that can be stored; of what cannot be one it is told, and null returned."""
    try:
        state = _DECODER.decode(delivery.envelope.payload)
    except msgspec.DecodeError as error:
        _LOG.warning("a state cannot be decoded", event_id=delivery.envelope.id, error=str(error))
        metrics.STATES.labels("poison").inc()
        return None
    if not is_storable(state):
        _LOG.warning("a state is out of range", event_id=delivery.envelope.id, mower_id=state.mower_id)
        metrics.STATES.labels("poison").inc()
        return None
    return state
