"""Ids: ULIDs where something is new, derived ones where an event follows from something."""

import re
from datetime import UTC, datetime

from ulid import ULID

ACCOUNT_ID = "home"
"""The one account (tenant) of a household."""

DEFAULT_SITE_ID = "home"
"""The site that every fresh gateway has."""

IDENTIFIER_PATTERN = "[A-Za-z0-9_-]{1,64}"
"""What an id looks like wherever it comes from outside; it may stand as one token of a bus subject."""

_TOKEN = re.compile(IDENTIFIER_PATTERN)


def new_id() -> str:
    """Return a new ULID."""
    return str(ULID())


def is_subject_token(value: str) -> bool:
    """Tell whether an id may stand as one token of a bus subject (letters, digits, `_`, `-`; 1 to 64)."""
    return _TOKEN.fullmatch(value) is not None


def state_event_id(mower_id: str, observed_at: datetime) -> str:
    """Return the id of a state's event: `<mower_id>:<observed_at>` with microseconds, in UTC."""
    moment = observed_at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return f"{mower_id}:{moment}"


def run_event_id(run_id: str, revision: int) -> str:
    """Return the id of a run's event: `<run>:<revision>`."""
    return f"{run_id}:{revision}"


def outcome_event_id(command_id: str, status: str) -> str:
    """Return the id of an outcome's event: `<command_id>:<status>`."""
    return f"{command_id}:{status}"


def derived_event_id(event_type: str, mower_id: str, about: str, observed_at: datetime) -> str:
    """Return the id of an event that follows from a state: `<type>:<about>:<mower_id>:<observed_at>`."""
    return f"{event_type}:{about}:{state_event_id(mower_id, observed_at)}"
