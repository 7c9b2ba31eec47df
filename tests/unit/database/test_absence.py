"""Which errors of the database are nobody's mistake."""

import asyncpg
import pytest

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.database.absence import ABSENT, explained, unavailable


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (asyncpg.DiskFullError("no room"), "database_full"),
        (asyncpg.PostgresIOError("input/output error"), "database_full"),
        (asyncpg.AdminShutdownError("bye"), "database_unavailable"),
        (asyncpg.CrashShutdownError("bye"), "database_unavailable"),
        (asyncpg.CannotConnectNowError("starting"), "database_unavailable"),
        (asyncpg.ConnectionDoesNotExistError("gone"), "database_unavailable"),
        (asyncpg.TooManyConnectionsError("crowd"), "database_unavailable"),
        (asyncpg.InterfaceError("closed"), "database_unavailable"),
        (ConnectionRefusedError(), "database_unavailable"),
    ],
)
def test_a_database_that_cannot_work_now_is_unavailable(error: Exception, code: str) -> None:
    assert isinstance(error, ABSENT)
    stands_for_it = unavailable(error)
    assert stands_for_it.code == code
    assert stands_for_it.remedy


@pytest.mark.parametrize("error", [asyncpg.UniqueViolationError("twice"), asyncpg.UndefinedTableError("none")])
def test_a_mistake_of_ours_is_not(error: Exception) -> None:
    assert not isinstance(error, ABSENT)


def test_a_database_that_is_away_is_explained_with_its_cause() -> None:
    cause = ConnectionRefusedError()
    with pytest.raises(UnavailableError) as raised, explained():
        raise cause
    assert raised.value.code == "database_unavailable"
    assert raised.value.__cause__ is cause


def test_a_mistake_of_ours_is_not_explained_away() -> None:
    with pytest.raises(asyncpg.UndefinedTableError), explained():
        raise asyncpg.UndefinedTableError
