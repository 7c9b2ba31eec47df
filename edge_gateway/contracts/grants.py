"""Who is known and what they may do: sets of principals and grants as Home Assistant sends them, and what follows."""

from datetime import datetime

import msgspec

from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.principals import Relation
from edge_gateway.contracts.schedules import NamedSchedule


class User(msgspec.Struct, frozen=True, kw_only=True):
    """A person of Home Assistant."""

    id: str
    """`user:<Home Assistant user id>`."""
    name: str | None = None


class Grant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person may do with the things named; whoever may do anything with a thing may see it."""

    principal: str
    relations: tuple[Relation, ...]
    account: bool = False
    """On everything there is, now and later."""
    site_ids: tuple[str, ...] = ()
    """On the mowers of these sites, and on the sites themselves."""
    group_ids: tuple[str, ...] = ()
    """On the mowers of these groups, and on the groups themselves."""
    mower_ids: tuple[str, ...] = ()


class PutPrincipalsRequest(Asking, frozen=True, kw_only=True):
    """`fleet.principals.put`: the whole set of one Home Assistant; it replaces that one's set before it.

    Errors: `invalid` with its field; `revision_not_newer` (conflict), which names the revision that is known.
    """

    instance_id: str
    """Which Home Assistant; the sets of others are left alone."""
    revision: int
    """From 0; rises with each set."""
    owner: str
    """The person to whom the house belongs: who stands in for those who lost a right."""
    users: tuple[User, ...]
    grants: tuple[Grant, ...]


class PrincipalsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The set that is known now."""

    instance_id: str
    revision: int
    changed: bool
    """False when it says what the set before it said."""


class GrantsChanged(msgspec.Struct, frozen=True, kw_only=True):
    """`identity.grants.changed`: somebody came, went, or may do other things now."""

    instance_id: str
    revision: int
    owner: str
    """Of the account: of the house whose set came first."""
    passes_from: str | None = None
    """With the first set: the principal whose schedules and open runs are the owner's now."""
    vanished: tuple[str, ...] = ()
    """Principals that nobody knows any more."""


class GonePrincipal(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody whom nobody knows any more, or never did."""

    id: str
    name: str | None = None
    gone_at: datetime | None = None
    """Null when that is not known."""


class GonePrincipalsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.principals.gone`: which of these are known to nobody; services ask it for themselves."""

    account_id: str
    principals: tuple[str, ...]


class GonePrincipalsReply(msgspec.Struct, frozen=True, kw_only=True):
    """Those that are not known, in the order of their ids."""

    items: tuple[GonePrincipal, ...]


class OwnerGone(msgspec.Struct, frozen=True, kw_only=True):
    """Enabled schedules whose owner is not known any more: they are skipped when they are due."""

    principal: str
    name: str | None = None
    gone_at: datetime | None = None
    schedules: tuple[NamedSchedule, ...]
    """In the order of their names."""


class OwnersGoneReply(msgspec.Struct, frozen=True, kw_only=True):
    """`scheduler.owners.gone`, asked with `Asking`: as far as the principal sees the schedules."""

    items: tuple[OwnerGone, ...]
