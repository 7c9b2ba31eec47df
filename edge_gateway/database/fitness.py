"""Whether a database can be used: it answers, and can write to its disk."""

import asyncio
from datetime import datetime

import asyncpg

from edge_gateway.contracts.device import Health
from edge_gateway.database.absence import ABSENT, unavailable
from edge_gateway.database.pools import Pool

_ANSWER_SECONDS = 1.5
_WRITE = "SELECT count(*) FROM generate_series(1, 10000)"
"""Makes more rows than fit into the least memory, so that the server writes a file, which it deletes at once.

A table would leave rows for the vacuum each time, and the log of the database has room put aside when nothing else has.
"""


async def why_unusable(pool: Pool) -> str | None:
    """Return why nothing can be stored now, and what to do about it; null when all is well. Answers in 1.5 s."""
    try:
        async with asyncio.timeout(_ANSWER_SECONDS), pool.acquire() as connection, connection.transaction():
            await connection.execute("SET LOCAL work_mem = '64kB'")
            await connection.execute(_WRITE)
    except asyncpg.InsufficientPrivilegeError:
        return "The database cannot write to its disk, which is read-only. Look at the disk that holds the data folder."
    except ABSENT as error:
        explained = unavailable(error)
        return f"{explained.detail} {explained.remedy}"
    return None


async def health(service: str, pool: Pool, *, started_at: datetime | None) -> Health:
    """Answer `<service>.health.get` for a service that is well while its database can be used."""
    reason = await why_unusable(pool)
    return Health(service=service, ready=reason is None, detail=reason, started_at=started_at)
