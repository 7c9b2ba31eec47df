"""Whose wall clock a plan follows, and which of its mowers a target still has."""

import pytest

from edge_gateway.contracts.fleet import ResolveTargetReply, Site, TargetMower
from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.schedules import Target
from edge_gateway.scheduler.targets import field_of, id_of, member, zone_of


def site(site_id: str, zone: str) -> Site:
    return Site(id=site_id, account_id="home", name=site_id, time_zone=zone)


HOME, CABIN = site("home", "Europe/Berlin"), site("cabin", "America/Nuuk")


def found(**sites: Site) -> ResolveTargetReply:
    return ResolveTargetReply(
        mowers=tuple(
            TargetMower(mower_id=mower_id, site=where, area_ids=None, enabled_area_ids=None, obey_rain=True)
            for mower_id, where in sites.items()
        ),
        account_owner=OWNER,
        default_site=HOME,
    )


@pytest.mark.parametrize(
    ("reply", "zone"),
    [
        (found(one=CABIN), "America/Nuuk"),
        (found(one=CABIN, two=CABIN), "America/Nuuk"),
        (found(one=CABIN, two=HOME), "Europe/Berlin"),
        (found(), "Europe/Berlin"),
    ],
)
def test_the_zone_is_the_site_s_of_all_its_mowers_else_the_default_site_s(reply: ResolveTargetReply, zone: str) -> None:
    assert zone_of(reply) == zone


def test_a_mower_that_is_no_longer_one_of_them_is_not_found() -> None:
    reply = found(one=HOME, two=CABIN)
    assert member(reply, "two") == reply.mowers[1]
    assert member(reply, "three") is None


def test_a_target_is_a_mower_or_a_group() -> None:
    mower, group = Target(mower_id="m"), Target(group_id="g")
    assert [(field_of(one), id_of(one)) for one in (mower, group)] == [
        ("target.mower_id", "m"),
        ("target.group_id", "g"),
    ]
    with pytest.raises(ValueError, match=r"^a target is one mower or one group$"):
        id_of(Target())
