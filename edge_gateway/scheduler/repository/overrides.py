"""The rows of persons' words about one mower: held until, mow anyway until."""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from edge_gateway.contracts.weather import MowerOverrides, Override
from edge_gateway.scheduler.repository.transactions import Connection

type Kind = Literal["hold", "rain"]


async def put(connection: Connection, account_id: str, mower_id: str, kind: Kind, word: Override) -> None:
    """Keep a word; it takes the place of the one before."""
    await connection.execute(
        """
        INSERT INTO scheduler.override (mower_id, kind, account_id, until, set_by, set_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (mower_id, kind) DO UPDATE SET
            account_id = excluded.account_id, until = excluded.until, set_by = excluded.set_by,
            set_at = excluded.set_at
        """,
        mower_id,
        kind,
        account_id,
        word.until,
        word.set_by,
        word.set_at,
    )


async def delete(connection: Connection, mower_id: str, kind: Kind) -> None:
    """Take a word back."""
    await connection.execute("DELETE FROM scheduler.override WHERE mower_id = $1 AND kind = $2", mower_id, kind)


async def of_mower(connection: Connection, mower_id: str, now: datetime) -> MowerOverrides:
    """Return the words about a mower that still count."""
    return (await of_mowers(connection, (mower_id,), now))[mower_id]


async def of_mowers(connection: Connection, mower_ids: Iterable[str], now: datetime) -> dict[str, MowerOverrides]:
    """Return the words about these mowers that still count, by mower."""
    wanted = list(mower_ids)
    rows = await connection.fetch(
        "SELECT mower_id, kind, until, set_by, set_at FROM scheduler.override"
        " WHERE mower_id = ANY($1::text[]) AND until > $2",
        wanted,
        now,
    )
    words = {
        (row["mower_id"], row["kind"]): Override(until=row["until"], set_by=row["set_by"], set_at=row["set_at"])
        for row in rows
    }
    return {
        mower_id: MowerOverrides(
            mower_id=mower_id, mower_hold=words.get((mower_id, "hold")), rain_override=words.get((mower_id, "rain"))
        )
        for mower_id in wanted
    }
