"""A person's word about one mower: it stays at home until a moment, or it mows whatever the rain rule says."""

from datetime import datetime, timedelta

from edge_gateway.contracts.errors import ForbiddenError, InvalidError
from edge_gateway.contracts.principals import Relation
from edge_gateway.contracts.weather import MowerOverrides, Override, PutOverrideRequest
from edge_gateway.scheduler import rights
from edge_gateway.scheduler.repository import mower_rows, overrides
from edge_gateway.scheduler.repository.overrides import Kind
from edge_gateway.scheduler.repository.transactions import transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.weather.answering import seen_mower

LONGEST = timedelta(days=366)


class Overriding:
    """Keeps persons' words; each is shown with who said it and when."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings

    async def put_hold(self, request: PutOverrideRequest) -> MowerOverrides:
        """Answer `scheduler.holds.put`: no plan starts the mower until then; null lets it go."""
        return await self._put(request, "hold")

    async def put_rain_override(self, request: PutOverrideRequest) -> MowerOverrides:
        """Answer `scheduler.rain_overrides.put`: rain keeps no plan from starting until then; null obeys it again."""
        return await self._put(request, "rain")

    async def _put(self, request: PutOverrideRequest, kind: Kind) -> MowerOverrides:
        rights.refuse_services(request.on_behalf_of)
        await self._require(request)
        now = self._surroundings.now()
        if request.until is not None:
            _check(request.until, now)
        async with transaction(self._surroundings.pool) as lent:
            # A firing of this mower is decided under the same lock: it sees the word or is over.
            await mower_rows.lock(lent, request.mower_id, request.account_id)
            if request.until is None:
                await overrides.delete(lent, request.mower_id, kind)
            else:
                word = Override(until=request.until, set_by=request.on_behalf_of, set_at=now)
                await overrides.put(lent, request.account_id, request.mower_id, kind, word)
            words = await overrides.of_mower(lent, request.mower_id, now)
        self._surroundings.forecasts.look_again.set()
        self._surroundings.wake()
        return words

    async def _require(self, request: PutOverrideRequest) -> None:
        """Raise `NotFoundError` for a mower that is not seen, `ForbiddenError` for one that is only seen."""
        await seen_mower(self._surroundings, request, request.mower_id)
        allowed = await self._surroundings.fleet.allowed(
            request.on_behalf_of, Relation.CAN_CONTROL, request.account_id, (request.mower_id,)
        )
        if not allowed.get(request.mower_id, False):
            raise ForbiddenError(
                "forbidden",
                f"{request.on_behalf_of} may not do this with this mower.",
                field="on_behalf_of",
                values={"relation": Relation.CAN_CONTROL},
            )


def _check(until: datetime, now: datetime) -> None:
    if until.tzinfo is None:
        raise InvalidError("invalid", "The time needs an offset from UTC.", field="until")
    if not now < until <= now + LONGEST:
        raise InvalidError("invalid", f"This must lie ahead, within {LONGEST.days} days from now.", field="until")
