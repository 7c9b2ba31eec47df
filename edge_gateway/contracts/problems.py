"""What is wrong with a mower now, and what its log says was: the current problem is never read from the log."""

from datetime import datetime
from enum import StrEnum

import msgspec

from edge_gateway.contracts.mower import Problem


class ProblemSeverity(StrEnum):
    """How bad a problem is."""

    INFORMATION = "information"
    """It waits, and goes on by itself."""
    WARNING = "warning"
    """It may go on by itself; somebody should look."""
    ERROR = "error"
    """It stands until somebody helps."""


class ProblemText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A problem in words of one language."""

    cause: str
    remedy: str


class ProblemEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A problem with its words."""

    problem: Problem
    severity: ProblemSeverity
    words: dict[str, ProblemText]
    """By language: `en`, `de`."""
    logged_at: datetime | None = None
    """Of an entry of the log; null for the current problem, and when the mower kept no time."""


class ProblemsReply(msgspec.Struct, frozen=True, kw_only=True):
    """`device_gateway.problems.get`, asked with `MowerRequest`."""

    current: ProblemEntry | None
    """What is wrong now; null when nothing is."""
    log: tuple[ProblemEntry, ...]
    """What the mower remembers, newest first: it never forgets by itself, so it says nothing about now."""
