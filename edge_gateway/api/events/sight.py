"""What one reader of the events sees, and what each message is about. Pure but for the asking at the end."""

import asyncio
from typing import Any

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.authentication import Caller
from edge_gateway.api.events.board import Board
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ForbiddenError
from edge_gateway.contracts.fleet import Asking, ListMowersRequest
from edge_gateway.contracts.principals import PermissionCheckRequest, Relation
from edge_gateway.contracts.schedules import Schedule, Target
from edge_gateway.contracts.views import Change, Snapshot

type Things = frozenset[str]
"""Mowers, sites and groups as `<kind>:<id>`, and principals as they are called."""

_NOTHING: Things = frozenset()


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody sees."""

    whole: bool
    """Everything there is, now and later."""
    things: Things = _NOTHING

    def sees(self, about: Things | None) -> bool:
        """Tell whether a message is shown; null is about what has no name any more, and shown to everybody."""
        return self.whole or about is None or not self.things.isdisjoint(about)

    def shown(self, snapshot: Snapshot) -> Snapshot:
        """Return what is seen of everything."""
        if self.whole:
            return snapshot
        return msgspec.structs.replace(
            snapshot,
            mowers=tuple(mower for mower in snapshot.mowers if self.sees(_named("mower", mower.id))),
            schedules=tuple(schedule for schedule in snapshot.schedules if self.sees(_of_schedule(schedule))),
            sites=tuple(site for site in snapshot.sites if self.sees(_named("site", site.id))),
            groups=tuple(group for group in snapshot.groups if self.sees(_named("group", group.id))),
        )


WHOLE = Sight(whole=True)


def about(change: Change, board: Board) -> Things | None:
    """Return what a change is about; nothing at all is shown only to those who see everything."""
    if change.mower is not None:
        things: Things | None = _named("mower", change.mower.id)
    elif change.schedule is not None:
        things = _of_schedule(change.schedule)
    elif change.site is not None:
        things = _named("site", change.site.id)
    elif change.group is not None:
        things = _named("group", change.group.id)
    elif change.run is not None:
        things = _named("mower", change.run.mower_id) | {change.run.owner}
    elif change.command is not None:
        things = _named("mower", change.command.mower_id) | {change.command.issued_by}
    elif change.event is not None:
        things = _of_event(change.event, board)
    else:
        things = None
    return things


def _of_schedule(schedule: Schedule) -> Things:
    return _of_target(schedule.target) | {schedule.owner}


def _of_target(target: Target) -> Things:
    return _named("mower", target.mower_id) | _named("group", target.group_id)


def _of_event(event: dict[str, Any], board: Board) -> Things:
    payload = event["payload"]
    told = payload if isinstance(payload, dict) else {}
    things = _named("mower", told.get("mower_id")) | _named("site", told.get("site_id"))
    schedule = board.schedules.get(str(told.get("schedule_id")))
    return things if schedule is None else things | _of_schedule(schedule)


def _named(kind: str, thing_id: object) -> Things:
    return _NOTHING if thing_id is None else frozenset((f"{kind}:{thing_id}",))


async def read_sight(services: Services, caller: Caller) -> Sight:
    """Return what somebody sees now; raises `ForbiddenError` for somebody who sees nothing at all."""
    question = PermissionCheckRequest(
        principal=caller.principal, relation=Relation.CAN_VIEW, account_id=caller.account_id
    )
    reply = await services.ask(routes.PERMISSIONS_CHECK, question)
    if reply.allowed.get(caller.account_id, False):
        return WHOLE
    asking = Asking(on_behalf_of=caller.principal, account_id=caller.account_id)
    all_mowers = ListMowersRequest(on_behalf_of=caller.principal, account_id=caller.account_id)
    mowers, sites, groups = await asyncio.gather(
        services.ask(routes.MOWERS_LIST, all_mowers),
        services.ask(routes.SITES_LIST, asking),
        services.ask(routes.GROUPS_LIST, asking),
    )
    things = {f"mower:{one.mower.id}" for one in mowers.items}
    things |= {f"site:{site.id}" for site in sites.items}
    things |= {f"group:{group.id}" for group in groups.items}
    if not things:
        raise ForbiddenError("forbidden", "This person may not see the mowers of this gateway.")
    return Sight(whole=False, things=frozenset(things | {caller.principal}))
