"""The only SQL of the Fleet, by topic."""

import asyncpg

type Connection = asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]
