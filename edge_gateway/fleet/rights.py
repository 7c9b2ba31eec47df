"""Who may do what, as the sets of principals say it. The gateway's own owner may do everything (design, Rights)."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import ForbiddenError, NotFoundError
from edge_gateway.contracts.identifiers import ACCOUNT_ID, is_subject_token
from edge_gateway.contracts.principals import OWNER, Relation, is_service
from edge_gateway.fleet.grants import EVERYTHING, NOTHING, Held, united
from edge_gateway.fleet.repository import Connection, principals

KEPT_FOR = timedelta(seconds=30)
"""How long a decision may rest on what was read before; a change that is heard of ends it at once (design)."""

_MOST_KEPT = 1000


class _Kept(msgspec.Struct, frozen=True):
    """What somebody holds, as it was read."""

    held: Held
    since: datetime


class Rights:
    """Decides for one copy of the Fleet; what principals hold is kept for a while."""

    def __init__(self, clock: Clock) -> None:
        """Remember nothing yet."""
        self._clock = clock
        self._kept: dict[str, _Kept] = {}
        self._forgotten = 0
        """How often everything was forgotten: what was read before that is not kept after it."""

    def forget(self) -> None:
        """Read everything anew from here on: grants have changed."""
        self._kept.clear()
        self._forgotten += 1

    async def held(self, connection: Connection, principal: str, account_id: str) -> Held:
        """Return what somebody holds.

        Raises `NotFoundError` for an account that is not here, `ForbiddenError` (`unknown_principal`). A service holds
        nothing: it never acts for itself, what it wants done it wants for a person.
        """
        if account_id != ACCOUNT_ID:
            raise NotFoundError("not_found", "There is no such account.", field="account_id")
        if principal == OWNER:
            return EVERYTHING
        if is_service(principal):
            return NOTHING
        now = self._clock.now()
        kept = self._kept.get(principal)
        if kept is not None and timedelta() <= now - kept.since < KEPT_FOR:
            return kept.held
        forgotten = self._forgotten
        found = await principals.held_by(connection, account_id, principal)
        if not found:
            # Not kept: whoever is told this sends the users and asks again.
            self._kept.pop(principal, None)
            raise unknown(principal)
        held = united(found)
        if forgotten == self._forgotten:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[principal] = _Kept(held, now)
        return held

    async def allowed(
        self, connection: Connection, principal: str, relation: Relation, account_id: str, mower_ids: Sequence[str]
    ) -> frozenset[str]:
        """Return those of the mowers with which the principal may do this; one that is not there is not among them."""
        held = await self.held(connection, principal, account_id)
        if not mower_ids:
            return frozenset()
        known = await principals.places(connection, account_id, mower_ids)
        return frozenset(mower_id for mower_id, place in known.items() if held.on_mower(relation, mower_id, place))

    async def require(self, connection: Connection, principal: str, relation: Relation, account_id: str) -> None:
        """Raise `ForbiddenError` unless the principal may do this with the account as a whole."""
        held = await self.held(connection, principal, account_id)
        if not held.on_account(relation):
            raise refused(principal, relation)

    async def require_mower(
        self, connection: Connection, principal: str, relation: Relation, account_id: str, mower_id: str
    ) -> None:
        """Raise `NotFoundError` for a mower that is not there or not seen, `ForbiddenError` when only the right lacks.

        A service is refused whatever it names.
        """
        held = await self.held(connection, principal, account_id)
        if is_service(principal):
            raise refused(principal, relation)
        known = await principals.places(connection, account_id, (mower_id,)) if is_subject_token(mower_id) else {}
        place = known.get(mower_id)
        if place is None or not held.on_mower(Relation.CAN_VIEW, mower_id, place):
            raise NotFoundError("not_found", "There is no such mower.", field="mower_id")
        if not held.on_mower(relation, mower_id, place):
            raise refused(principal, relation)


def unknown(principal: str) -> ForbiddenError:
    """Return the error for somebody whom nobody knows."""
    return ForbiddenError(
        "unknown_principal",
        f"This gateway does not know the person {principal!r}.",
        field="on_behalf_of",
        remedy="Send the users and their rights first.",
    )


def refused(principal: str, relation: Relation) -> ForbiddenError:
    """Return the error for a right that is lacking."""
    return ForbiddenError(
        "forbidden",
        f"{principal} may not do this.",
        field="on_behalf_of",
        values={"relation": relation},
    )
