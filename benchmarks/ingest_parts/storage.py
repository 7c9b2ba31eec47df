"""What a state costs on the disk with its indexes (one mower, each 5 s, 8 h a day), and what packing makes of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.ingest_parts import states as made
from benchmarks.ingest_parts.servers import Servers
from benchmarks.ingest_parts.sides import nobody, prepared_pool
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry.housekeeping import Housekeeping
from edge_gateway.telemetry.ingest import Ingest
from edge_gateway.telemetry.settings import TelemetrySettings
from edge_gateway.telemetry.store import PostgresStore

_STATES_A_DAY = 8 * 3600 // 5
_BATCH = 1000
_YEAR_DAYS = 365
_MEBIBYTE = 1024 * 1024


class _Later:
    """A clock that stands a year later, when all may be packed."""

    def now(self) -> datetime:
        return datetime(2027, 5, 1, tzinfo=UTC)


async def measure(servers: Servers, *, days: int) -> dict[str, Any]:
    """Return bytes per state in the log and packed, and what both make in a year."""
    pool = await prepared_pool(await servers.new_database(), 1)
    store = PostgresStore(pool, TelemetrySettings())
    ingest = Ingest(store, nobody, _Later())
    (mower_id,) = made.mower_ids(1)
    for day in range(days):
        begin = made.BEGIN + timedelta(days=day)
        reports = [made.state(mower_id, index, begin=begin) for index in range(_STATES_A_DAY)]
        for first in range(0, len(reports), _BATCH):
            await ingest.record_states(reports[first : first + _BATCH])
    await store.close()
    await pool.execute("VACUUM ANALYZE telemetry.log")
    count = await pool.fetchval("SELECT count(*) FROM telemetry.log")
    log = await _bytes(pool, "SELECT inhrelid AS id FROM pg_inherits WHERE inhparent = 'telemetry.log'::regclass")
    others = await _bytes(
        pool,
        "SELECT oid AS id FROM pg_class WHERE relnamespace = 'telemetry'::regnamespace AND relkind = 'r'"
        " AND NOT relispartition AND relname <> 'segment'",
    )
    await Housekeeping(pool, _Later(), TelemetrySettings()).make_segments()
    packed = await _bytes(pool, "SELECT 'telemetry.segment'::regclass::oid AS id")
    await pool.close()
    a_year = _STATES_A_DAY * _YEAR_DAYS
    return {
        "bytes_per_state": round(log / count, 1),
        "bytes_per_state_with_all_tables": round((log + others) / count, 1),
        "bytes_per_state_packed": round(packed / count, 2),
        "year_of_one_mower_mib": round(log / count * a_year / _MEBIBYTE, 1),
        "year_of_one_mower_packed_mib": round(packed / count * a_year / _MEBIBYTE, 1),
    }


async def _bytes(pool: Pool, tables: str) -> int:
    return int(await pool.fetchval(f"SELECT sum(pg_total_relation_size(id)) FROM ({tables}) AS tables"))  # noqa: S608  # fixed texts
