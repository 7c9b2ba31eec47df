"""The tables of groups and their mowers."""

from collections.abc import Sequence

import asyncpg

from edge_gateway.contracts.groups import Group
from edge_gateway.fleet.repository import Connection

_SELECT = """
    SELECT id, account_id, name, max_concurrent,
        ARRAY(SELECT mower_id FROM fleet.group_member WHERE group_id = mower_group.id
              ORDER BY mower_id COLLATE "C") AS mower_ids
    FROM fleet.mower_group
"""


async def read_all(connection: Connection, account_id: str) -> Sequence[Group]:
    """Return the groups of an account in the order of their names."""
    rows = await connection.fetch(f"{_SELECT} WHERE account_id = $1 ORDER BY name, id", account_id)
    return [_group(row) for row in rows]


async def find(connection: Connection, account_id: str, group_id: str, *, lock: bool = False) -> Group | None:
    """Return a group, locked until the end of the transaction when asked for."""
    row = await connection.fetchrow(
        f"{_SELECT} WHERE account_id = $1 AND id = $2 {'FOR UPDATE' if lock else ''}", account_id, group_id
    )
    return None if row is None else _group(row)


async def put(connection: Connection, group: Group) -> None:
    """Write a group, new or known, with exactly its mowers, which are there."""
    await connection.execute(
        """
        INSERT INTO fleet.mower_group (account_id, id, name, max_concurrent) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, max_concurrent = excluded.max_concurrent
        """,
        group.account_id,
        group.id,
        group.name,
        group.max_concurrent,
    )
    mower_ids = list(group.mower_ids)
    await connection.execute(
        "DELETE FROM fleet.group_member WHERE group_id = $1 AND mower_id <> ALL($2::text[])", group.id, mower_ids
    )
    await connection.execute(
        "INSERT INTO fleet.group_member (group_id, mower_id) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING",
        group.id,
        mower_ids,
    )


async def delete(connection: Connection, account_id: str, group_id: str) -> None:
    """Delete a group; its mowers stay."""
    await connection.execute("DELETE FROM fleet.mower_group WHERE account_id = $1 AND id = $2", account_id, group_id)


def _group(row: asyncpg.Record) -> Group:
    return Group(**dict(row) | {"mower_ids": tuple(row["mower_ids"])})
