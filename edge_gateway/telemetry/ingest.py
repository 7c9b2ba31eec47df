"""Takes states in: a batch is judged in memory and stored in one transaction (design, Telemetry, Ingest)."""

import time
from collections.abc import Awaitable, Callable, Sequence

import asyncpg
import msgspec
import structlog

from edge_gateway.bus.protocol import Delivery, Verdict
from edge_gateway.contracts.mower import MowerState
from edge_gateway.telemetry import metrics, repository
from edge_gateway.telemetry.repository import Connection
from edge_gateway.telemetry.write_rules import Effect, Latest, LogRow, is_storable, judge

_LOG = structlog.get_logger(__name__)

type AskAccount = Callable[[str], Awaitable[str | None]]
"""Asks the fleet for the account of a mower; null when the fleet does not know it, raises when it does not answer."""


class Ingest:
    """Stores states, exactly once each, whatever is delivered twice."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record], ask_account: AskAccount, *, partition: int = 0) -> None:
        """Store through a pool; the fence is set by whoever holds the lease."""
        self._pool = pool
        self._ask_account = ask_account
        self._partition = partition
        self.fence = 0
        """The fencing number of the lease under which batches are stored."""

    async def handle(self, deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        """Judge and store a batch from the bus; raises when the database cannot be used, so that all comes again."""
        begin = time.monotonic()
        verdicts: list[Verdict] = [Verdict.ACK] * len(deliveries)
        states: list[tuple[int, MowerState]] = []
        for index, delivery in enumerate(deliveries):
            try:
                state = delivery.envelope.decode(MowerState)
            except msgspec.DecodeError as error:
                _LOG.warning("state_undecodable", event_id=delivery.envelope.id, error=str(error))
                verdicts[index] = Verdict.DROP
                continue
            if is_storable(state):
                states.append((index, state))
            else:
                _LOG.warning("state_out_of_range", event_id=delivery.envelope.id, mower_id=state.mower_id)
                verdicts[index] = Verdict.DROP
        unknown = await self._learn(sorted({state.mower_id for _, state in states}))
        for index, state in states:
            if state.mower_id in unknown:
                verdicts[index] = Verdict.REDELIVER
        await self._record([(index, state) for index, state in states if state.mower_id not in unknown], verdicts)
        metrics.BATCH_SECONDS.observe(time.monotonic() - begin)
        metrics.BATCH_STATES.observe(len(deliveries))
        return verdicts

    async def record_states(self, states: Sequence[MowerState]) -> None:
        """Store states of known mowers in one transaction, in their order."""
        async with self._pool.acquire() as connection, connection.transaction():
            await self._store(connection, states)

    async def _learn(self, mower_ids: Sequence[str]) -> frozenset[str]:
        """Ask the fleet for mowers that the directory lacks; returns those that nobody knows."""
        if not mower_ids:
            return frozenset()
        async with self._pool.acquire() as connection:
            known = await repository.read_directory(connection, mower_ids)
        unknown = set()
        for mower_id in mower_ids:
            if mower_id in known:
                continue
            account_id = await self._ask_account(mower_id)
            if account_id is None:
                unknown.add(mower_id)
                continue
            async with self._pool.acquire() as connection:
                await repository.put_directory(connection, mower_id, account_id)
        return frozenset(unknown)

    async def _record(self, states: Sequence[tuple[int, MowerState]], verdicts: list[Verdict]) -> None:
        """Store a batch; a data error halves it until the poison stands alone and is dropped."""
        if not states:
            return
        try:
            await self.record_states([state for _, state in states])
        except asyncpg.DataError, asyncpg.IntegrityConstraintViolationError:
            if len(states) == 1:
                index, state = states[0]
                _LOG.exception("state_refused_by_database", mower_id=state.mower_id, observed_at=state.observed_at)
                verdicts[index] = Verdict.DROP
                metrics.STATES.labels("poison").inc()
                return
            middle = len(states) // 2
            await self._record(states[:middle], verdicts)
            await self._record(states[middle:], verdicts)

    async def _store(self, connection: Connection, states: Sequence[MowerState]) -> None:
        await repository.claim_partition(connection, self._partition, self.fence)
        mower_ids = sorted({state.mower_id for state in states})
        directory = await repository.read_directory(connection, mower_ids)
        latest: dict[str, Latest] = await repository.lock_latest(connection, mower_ids)
        newest: dict[str, MowerState] = {}
        newer: list[LogRow] = []
        late: list[LogRow] = []
        for state in states:
            judgement = judge(state, latest.get(state.mower_id), directory_account_id=directory[state.mower_id])
            metrics.STATES.labels(judgement.effect.value).inc()
            if judgement.effect is Effect.FOREIGN:
                _LOG.warning("state_of_another_account", mower_id=state.mower_id, account_id=state.account_id)
            if judgement.effect is Effect.NEWER:
                newest[state.mower_id] = state
            if judgement.latest is not None:
                latest[state.mower_id] = judgement.latest
            if judgement.row is not None:
                (late if judgement.effect is Effect.LATE else newer).append(judgement.row)
        await repository.copy_newer(connection, newer)
        await repository.insert_late(connection, late)
        await repository.put_latest(connection, newest, latest)
