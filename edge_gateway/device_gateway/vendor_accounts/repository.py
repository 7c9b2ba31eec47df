"""The only SQL of this room: `device_gateway.vendor_account`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import msgspec

from edge_gateway.contracts.errors import ConflictError
from edge_gateway.contracts.fleet import VendorAccount
from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Connection
from edge_gateway.database.secrets import SecretBox
from edge_gateway.device_gateway.vendor_accounts.vendor import AccountStatus, Secrets
from edge_gateway.device_gateway.vendor_memory import VendorMemory

_SHOWN = "id, account_id, provider, username, status, detail, created_at"


class StoredAccount(msgspec.Struct, frozen=True, kw_only=True):
    """A login as it is kept, without its secrets."""

    account: VendorAccount
    revision: int


class Repository:
    """Reads and writes logins; raises `UnavailableError` (`database_unavailable`) when it cannot."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record], box: SecretBox) -> None:
        """Work on this pool; seal secrets in this box."""
        self._pool = pool
        self._box = box

    async def accounts(self, account_id: str | None = None) -> tuple[StoredAccount, ...]:
        """Return the logins of an account (null: all), oldest first."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                f"SELECT {_SHOWN}, revision FROM device_gateway.vendor_account"  # noqa: S608  # constant columns
                " WHERE $1::text IS NULL OR account_id = $1 ORDER BY created_at, id",
                account_id,
            )
        return tuple(_stored(row) for row in rows)

    async def account(self, vendor_account_id: str) -> StoredAccount | None:
        """Return one login."""
        async with self._connection() as connection:
            row = await connection.fetchrow(
                f"SELECT {_SHOWN}, revision FROM device_gateway.vendor_account WHERE id = $1",  # noqa: S608  # constant columns
                vendor_account_id,
            )
        return None if row is None else _stored(row)

    async def is_known(self, *, account_id: str, provider: str, username: str) -> bool:
        """Tell whether there is a login of this name, in whatever case."""
        async with self._connection() as connection:
            return bool(
                await connection.fetchval(
                    "SELECT EXISTS (SELECT FROM device_gateway.vendor_account"
                    " WHERE account_id = $1 AND provider = $2 AND lower(username) = lower($3))",
                    account_id,
                    provider,
                    username,
                )
            )

    async def add(self, account: VendorAccount, secrets: Secrets) -> None:
        """Keep a new login; raises `ConflictError` (`vendor_account_exists`)."""
        async with self._connection() as connection:
            try:
                await connection.execute(
                    "INSERT INTO device_gateway.vendor_account (id, account_id, provider, username, password_sealed,"
                    " tokens_sealed, status, detail, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                    account.id,
                    account.account_id,
                    account.provider,
                    account.username,
                    self._seal_password(account.id, secrets),
                    self._seal_tokens(account.id, secrets.tokens),
                    account.status,
                    account.detail,
                    account.created_at,
                )
            except asyncpg.UniqueViolationError:
                raise account_exists(account.username) from None

    async def renew(self, vendor_account_id: str, secrets: Secrets) -> bool:
        """Replace the secrets of a login by those of a new one; tell whether it is still there."""
        async with self._connection() as connection:
            done = await connection.execute(
                "UPDATE device_gateway.vendor_account SET password_sealed = $2, tokens_sealed = $3, status = $4,"
                " detail = NULL, revision = revision + 1 WHERE id = $1",
                vendor_account_id,
                self._seal_password(vendor_account_id, secrets),
                self._seal_tokens(vendor_account_id, secrets.tokens),
                AccountStatus.CONNECTED,
            )
        return _touched(done)

    async def remove(self, vendor_account_id: str) -> bool:
        """Forget a login; tell whether it was there."""
        async with self._connection() as connection:
            done = await connection.execute(
                "DELETE FROM device_gateway.vendor_account WHERE id = $1", vendor_account_id
            )
        return _touched(done)

    async def secrets(self, vendor_account_id: str) -> Secrets | None:
        """Return the secrets of a login; raises `ConfigurationError` (`secret_unreadable`)."""
        async with self._connection() as connection:
            row = await connection.fetchrow(
                "SELECT password_sealed, tokens_sealed FROM device_gateway.vendor_account WHERE id = $1",
                vendor_account_id,
            )
        if row is None:
            return None
        tokens = row["tokens_sealed"]
        return Secrets(
            password=self._box.open(row["password_sealed"], purpose=_password_place(vendor_account_id)),
            tokens=None if tokens is None else self._box.open(tokens, purpose=_tokens_place(vendor_account_id)),
        )

    async def save_tokens(self, vendor_account_id: str, tokens: str, *, revision: int, fence: int) -> None:
        """Keep tokens, unless a later holder or a later login has kept its own."""
        async with self._connection() as connection:
            await connection.execute(
                "UPDATE device_gateway.vendor_account SET tokens_sealed = $2, fence = $4"
                " WHERE id = $1 AND revision = $3 AND fence <= $4",
                vendor_account_id,
                self._seal_tokens(vendor_account_id, tokens),
                revision,
                fence,
            )

    async def save_status(
        self, vendor_account_id: str, status: AccountStatus, detail: str | None, *, revision: int
    ) -> None:
        """Keep how a login is, unless a later login has been made."""
        async with self._connection() as connection:
            await connection.execute(
                "UPDATE device_gateway.vendor_account SET status = $2, detail = $3 WHERE id = $1 AND revision = $4",
                vendor_account_id,
                status,
                detail,
                revision,
            )

    def memory(self, provider: str) -> VendorMemory:
        """Return where a provider keeps what it knows about its mowers."""
        return VendorMemory(self._pool, provider)

    def _seal_password(self, vendor_account_id: str, secrets: Secrets) -> bytes:
        return self._box.seal(secrets.password, purpose=_password_place(vendor_account_id))

    def _seal_tokens(self, vendor_account_id: str, tokens: str | None) -> bytes | None:
        return None if tokens is None else self._box.seal(tokens, purpose=_tokens_place(vendor_account_id))

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        with explained():
            async with self._pool.acquire() as connection:
                yield connection


def account_exists(username: str) -> ConflictError:
    """Return the error for a login that is there already."""
    return ConflictError(
        "vendor_account_exists",
        f"There is a login {username} at this vendor already.",
        remedy="Change its password instead.",
        field="username",
    )


def _stored(row: asyncpg.Record) -> StoredAccount:
    fields = dict(row)
    revision = fields.pop("revision")
    return StoredAccount(account=VendorAccount(**fields), revision=revision)


def _touched(done: str) -> bool:
    return not done.endswith(" 0")


def _password_place(vendor_account_id: str) -> str:
    return f"vendor_account:{vendor_account_id}:password"


def _tokens_place(vendor_account_id: str) -> str:
    return f"vendor_account:{vendor_account_id}:tokens"
