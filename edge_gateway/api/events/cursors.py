"""The place of a change in the journal, as readers carry it: opaque to them. Pure."""

import re
from typing import Self, override

import msgspec

_FORM = re.compile(r"([0-9A-Z]{26})-([0-9]{1,18})")


class Cursor(msgspec.Struct, frozen=True):
    """One place in one journal."""

    epoch: str
    """Which journal: another one since the last start or gap."""
    sequence: int
    """How many changes it had."""

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the cursor that a reader brings back; null for what was never ours."""
        match = _FORM.fullmatch(text)
        return None if match is None else cls(match[1], int(match[2]))

    @override
    def __str__(self) -> str:
        """Return the form that readers carry."""
        return f"{self.epoch}-{self.sequence}"
