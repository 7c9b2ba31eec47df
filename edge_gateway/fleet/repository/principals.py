"""The tables of principals: who is known, and what they hold."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from edge_gateway.contracts.grants import GonePrincipal
from edge_gateway.fleet.grants import Held, Place
from edge_gateway.fleet.repository import Connection

_SETS_LOCK = 0x7269_6768
"""The class of the advisory locks of sets ("righ" in ASCII); the key is a hash of the account's id."""


class KnownSet(msgspec.Struct, frozen=True, kw_only=True):
    """A set as it was taken."""

    revision: int
    owner: str


class KnownPrincipal(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody in a set."""

    name: str | None
    held: Held


async def lock_sets(connection: Connection, account_id: str) -> None:
    """Keep others from changing the sets of an account until the end of the transaction."""
    await connection.execute("SELECT pg_advisory_xact_lock($1, hashtext($2))", _SETS_LOCK, account_id)


async def find_set(connection: Connection, account_id: str, instance_id: str) -> KnownSet | None:
    """Return what is known of the set of an instance; null before its first."""
    row = await connection.fetchrow(
        "SELECT revision, owner FROM fleet.principal_set WHERE account_id = $1 AND instance_id = $2",
        account_id,
        instance_id,
    )
    return None if row is None else KnownSet(revision=row["revision"], owner=row["owner"])


async def count_sets(connection: Connection, account_id: str) -> int:
    """Return how many instances have sent a set."""
    count: int = await connection.fetchval("SELECT count(*) FROM fleet.principal_set WHERE account_id = $1", account_id)
    return count


async def account_owner(connection: Connection, account_id: str) -> str | None:
    """Return the owner of the house whose set came first; null before that."""
    owner: str | None = await connection.fetchval(
        "SELECT owner FROM fleet.principal_set WHERE account_id = $1 ORDER BY came_at, instance_id LIMIT 1", account_id
    )
    return owner


async def put_set(connection: Connection, account_id: str, instance_id: str, known: KnownSet, now: datetime) -> None:
    """Write revision and owner of a set, new or known."""
    await connection.execute(
        """
        INSERT INTO fleet.principal_set (account_id, instance_id, revision, owner, came_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account_id, instance_id) DO UPDATE SET revision = excluded.revision, owner = excluded.owner
        """,
        account_id,
        instance_id,
        known.revision,
        known.owner,
        now,
    )


async def read_set(connection: Connection, account_id: str, instance_id: str) -> dict[str, KnownPrincipal]:
    """Return the principals of an instance by id."""
    rows = await connection.fetch(
        "SELECT id, name, held FROM fleet.principal WHERE account_id = $1 AND instance_id = $2 AND gone_at IS NULL",
        account_id,
        instance_id,
    )
    return {row["id"]: KnownPrincipal(name=row["name"], held=_held(row["held"])) for row in rows}


async def replace(
    connection: Connection,
    account_id: str,
    instance_id: str,
    members: Mapping[str, KnownPrincipal],
    now: datetime,
) -> None:
    """Write the principals of an instance; those who are not among them are gone."""
    await connection.execute(
        """
        UPDATE fleet.principal SET gone_at = $4, held = '{}'
        WHERE account_id = $1 AND instance_id = $2 AND gone_at IS NULL AND id <> ALL($3::text[])
        """,
        account_id,
        instance_id,
        list(members),
        now,
    )
    await connection.execute(
        """
        INSERT INTO fleet.principal (account_id, instance_id, id, name, held)
        SELECT $1, $2, id, name, held::json FROM unnest($3::text[], $4::text[], $5::text[]) AS given (id, name, held)
        ON CONFLICT (account_id, instance_id, id) DO UPDATE SET
            name = excluded.name, held = excluded.held, gone_at = NULL
        """,
        account_id,
        instance_id,
        list(members),
        [member.name for member in members.values()],
        [msgspec.json.encode(member.held).decode() for member in members.values()],
    )


async def held_by(connection: Connection, account_id: str, principal: str) -> Sequence[Held]:
    """Return what each instance says that somebody holds; nothing at all when nobody knows them."""
    rows = await connection.fetch(
        "SELECT held FROM fleet.principal WHERE account_id = $1 AND id = $2 AND gone_at IS NULL", account_id, principal
    )
    return [_held(row["held"]) for row in rows]


async def gone_among(connection: Connection, account_id: str, principals: Sequence[str]) -> Sequence[GonePrincipal]:
    """Return those whom no instance knows (any more), with the name that they had, in the order of their ids."""
    rows = await connection.fetch(
        """
        SELECT wanted.id, latest.name, latest.gone_at
        FROM (SELECT DISTINCT unnest($2::text[]) AS id) AS wanted
        LEFT JOIN LATERAL (
            SELECT name, gone_at FROM fleet.principal
            WHERE account_id = $1 AND id = wanted.id ORDER BY gone_at DESC LIMIT 1
        ) AS latest ON true
        WHERE NOT EXISTS (
            SELECT FROM fleet.principal WHERE account_id = $1 AND id = wanted.id AND gone_at IS NULL)
        ORDER BY wanted.id COLLATE "C"
        """,
        account_id,
        list(principals),
    )
    return [GonePrincipal(id=row["id"], name=row["name"], gone_at=row["gone_at"]) for row in rows]


async def places(connection: Connection, account_id: str, mower_ids: Sequence[str]) -> dict[str, Place]:
    """Return where those of the mowers stand that are there."""
    rows = await connection.fetch(
        """
        SELECT id, site_id, ARRAY(SELECT group_id FROM fleet.group_member WHERE mower_id = mower.id) AS group_ids
        FROM fleet.mower WHERE account_id = $1 AND id = ANY($2::text[])
        """,
        account_id,
        list(mower_ids),
    )
    return {row["id"]: Place(row["site_id"], frozenset(row["group_ids"])) for row in rows}


def _held(document: str) -> Held:
    return msgspec.json.decode(document, type=Held)
