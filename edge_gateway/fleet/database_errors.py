"""A database that cannot be reached is an error that callers understand, not one of ours."""

from collections.abc import Iterator
from contextlib import contextmanager

from edge_gateway.database.absence import ABSENT, unavailable


@contextmanager
def explained() -> Iterator[None]:
    """Raise `UnavailableError` (`database_unavailable`, `database_full`) in place of a database that is away."""
    try:
        yield
    except ABSENT as error:
        raise unavailable(error) from error
