"""The people of a house and what each may do, as the gateway takes them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Relation(StrEnum):
    """What somebody may do with a mower."""

    VIEW = "can_view"
    CONTROL = "can_control"
    EDIT_SCHEDULE = "can_edit_schedule"
    MANAGE = "can_manage_mowers"


@dataclass(frozen=True, kw_only=True)
class Person:
    """A user and what they may do."""

    id: str
    name: str | None
    everything: bool
    """An administrator, who may do everything with all mowers, now and later."""
    mowers: Mapping[tuple[Relation, ...], tuple[str, ...]]
    """Else the mowers with which they may do the same."""

    @property
    def principal(self) -> str:
        """As whom they appear at the gateway."""
        return f"user:{self.id}"

    def grants(self) -> list[dict[str, Any]]:
        """Return what is granted to them, as JSON."""
        if self.everything:
            return [{"principal": self.principal, "relations": [*Relation], "account": True}]
        return [
            {"principal": self.principal, "relations": [*relations], "mower_ids": list(mower_ids)}
            for relations, mower_ids in self.mowers.items()
        ]


@dataclass(frozen=True, kw_only=True)
class House:
    """Everybody of one Home Assistant."""

    instance_id: str
    owner: str
    """The user to whom it belongs."""
    people: tuple[Person, ...]

    def json(self, revision: int) -> dict[str, Any]:
        """Return it as the gateway takes it."""
        return {
            "revision": revision,
            "owner": f"user:{self.owner}",
            "users": [{"id": person.principal, "name": person.name} for person in self.people],
            "grants": [grant for person in self.people for grant in person.grants()],
        }
