"""What nats-py raises, as our one error for a bus that cannot be used."""

from collections.abc import Iterator
from contextlib import contextmanager

import nats.errors

from edge_gateway.bus.questions import bus_unavailable


@contextmanager
def unavailable_when(what: str) -> Iterator[None]:
    """Raise `UnavailableError` for whatever the client raises; `what` says what failed, without a full stop."""
    try:
        yield
    except (nats.errors.Error, OSError) as error:  # a time-out is an OSError
        reason = str(error).strip() or type(error).__name__
        raise bus_unavailable(f"{what} ({reason})") from error
