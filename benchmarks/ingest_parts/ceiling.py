"""The ceiling: the same loop from the bus to the commit, with no rules at all: COPY of the one log table."""

from collections.abc import Mapping, Sequence

import asyncpg
import msgspec

from edge_gateway.bus.protocol import Delivery, Verdict
from edge_gateway.contracts.mower import MowerState
from edge_gateway.telemetry.repository.books import ACTIVITY_NUMBERS
from edge_gateway.telemetry.repository.statements import LOG_COLUMNS

_DECODER = msgspec.json.Decoder(MowerState)


class Ceiling:
    """Copies every state into the log as it is."""

    def __init__(self, connection: asyncpg.Connection[asyncpg.Record], numbers: Mapping[str, int]) -> None:
        """Store through one connection; `numbers` of the mowers."""
        self._connection = connection
        self._numbers = numbers

    async def handle(self, deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        """Store a batch."""
        records = []
        for delivery in deliveries:
            state = _DECODER.decode(delivery.envelope.payload)
            position = state.position
            records.append(
                (
                    state.observed_at,
                    None if position is None else position.latitude,
                    None if position is None else position.longitude,
                    state.progress_percent,
                    self._numbers[state.mower_id],
                    1,
                    2,
                    None,
                    ACTIVITY_NUMBERS[state.activity],
                    state.battery_percent,
                    True,
                    state.charging,
                )
            )
        async with self._connection.transaction():
            await self._connection.copy_records_to_table(
                "log", schema_name="telemetry", columns=LOG_COLUMNS, records=records
            )
        return [Verdict.ACK] * len(deliveries)
