"""What a target stands for: its mowers, and the zone whose wall clock its plans follow. Pure."""

from edge_gateway.contracts.fleet import ResolveTargetReply, TargetMower
from edge_gateway.contracts.schedules import Target


def zone_of(reply: ResolveTargetReply) -> str:
    """Return the zone of the site of all its mowers; of a group across sites the account's default site's."""
    sites = {mower.site.id: mower.site for mower in reply.mowers}
    site = reply.default_site if len(sites) != 1 else next(iter(sites.values()))
    return site.time_zone


def member(reply: ResolveTargetReply, mower_id: str) -> TargetMower | None:
    """Return one of the target's mowers; None when it is not one of them (any more)."""
    return next((mower for mower in reply.mowers if mower.mower_id == mower_id), None)


def field_of(target: Target) -> str:
    """Return the field of a schedule that names the target."""
    return "target.mower_id" if target.group_id is None else "target.group_id"


def id_of(target: Target) -> str:
    """Return the id of the mower or group; raises `ValueError` for a target that is neither."""
    found = target.mower_id or target.group_id
    if found is None:
        message = "a target is one mower or one group"
        raise ValueError(message)
    return found
