"""The only SQL of Telemetry: its statements are built once, one per table."""

import asyncpg

SCHEMA = "telemetry"

type Connection = asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]
