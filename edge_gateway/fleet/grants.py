"""What somebody may do, by what was granted to them. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from edge_gateway.contracts.grants import Grant
from edge_gateway.contracts.principals import Relation

type Relations = frozenset[Relation]

_NONE: Relations = frozenset()


class Place(NamedTuple):
    """Where a mower stands: what is granted there is granted on the mower."""

    site_id: str
    group_ids: frozenset[str]


class Held(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that one principal holds."""

    account: Relations = _NONE
    sites: dict[str, Relations] = {}
    groups: dict[str, Relations] = {}
    mowers: dict[str, Relations] = {}

    def on_account(self, relation: Relation) -> bool:
        """Tell whether it is held on everything."""
        return _says(self.account, relation)

    def on_site(self, relation: Relation, site_id: str) -> bool:
        """Tell whether it is held on a site."""
        return self.on_account(relation) or _says(self.sites.get(site_id, _NONE), relation)

    def on_group(self, relation: Relation, group_id: str) -> bool:
        """Tell whether it is held on a group itself (its mowers may come under it by other grants too)."""
        return self.on_account(relation) or _says(self.groups.get(group_id, _NONE), relation)

    def on_mower(self, relation: Relation, mower_id: str, place: Place) -> bool:
        """Tell whether it is held on a mower, by itself or by where it stands."""
        return (
            self.on_site(relation, place.site_id)
            or _says(self.mowers.get(mower_id, _NONE), relation)
            or any(_says(self.groups.get(group_id, _NONE), relation) for group_id in place.group_ids)
        )


EVERYTHING = Held(account=frozenset(Relation))
NOTHING = Held()


def held_by(principal: str, grants: Iterable[Grant]) -> Held:
    """Return what some grants give one principal."""
    return united(
        Held(
            account=frozenset(grant.relations) if grant.account else _NONE,
            sites=dict.fromkeys(grant.site_ids, frozenset(grant.relations)),
            groups=dict.fromkeys(grant.group_ids, frozenset(grant.relations)),
            mowers=dict.fromkeys(grant.mower_ids, frozenset(grant.relations)),
        )
        for grant in grants
        if grant.principal == principal
    )


def united(parts: Iterable[Held]) -> Held:
    """Return what several give together: nothing that one gives is taken away by another."""
    account = _NONE
    sites: dict[str, Relations] = {}
    groups: dict[str, Relations] = {}
    mowers: dict[str, Relations] = {}
    for part in parts:
        account |= part.account
        for together, given in ((sites, part.sites), (groups, part.groups), (mowers, part.mowers)):
            for thing_id, relations in given.items():
                together[thing_id] = together.get(thing_id, _NONE) | relations
    return Held(account=account, sites=sites, groups=groups, mowers=mowers)


def _says(relations: Relations, relation: Relation) -> bool:
    """Whoever may do anything with a thing may see it."""
    return relation in relations or (relation is Relation.CAN_VIEW and bool(relations))
