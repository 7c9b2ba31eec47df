"""Answering for the weather of a mower, and taking what Home Assistant pushes."""

from edge_gateway.contracts.errors import ForbiddenError, NotFoundError
from edge_gateway.contracts.fleet import Asking, TargetMower
from edge_gateway.contracts.principals import Relation
from edge_gateway.contracts.schedules import Target
from edge_gateway.contracts.weather import MowerWeather, PushWeatherRequest, WeatherRequest, WeatherSourceReply
from edge_gateway.scheduler.rain import rule_of
from edge_gateway.scheduler.repository import mower_rows, overrides
from edge_gateway.scheduler.repository import weather as rows
from edge_gateway.scheduler.repository.transactions import connection, transaction
from edge_gateway.scheduler.schedule_rules import check_rain
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.weather import pushed
from edge_gateway.scheduler.weather.rain_states import weather_of

FIRST_FORECAST_SECONDS = 3.0
"""Whoever asks for a place of which nothing is known yet waits so long for its first forecast."""


class WeatherAnswers:
    """Answers about weather."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings

    async def get(self, request: WeatherRequest) -> MowerWeather:
        """Answer `scheduler.weather.get`."""
        check_rain(request.settings, prefix="settings")
        found = await seen_mower(self._surroundings, request, request.mower_id)
        forecasts = self._surroundings.forecasts
        async with connection(self._surroundings.pool) as lent:
            mower = await mower_rows.get(lent, found.mower_id, request.account_id)
        sky = await forecasts.known(found.site, mower)
        if sky.may_come:
            await forecasts.wait_looked(FIRST_FORECAST_SECONDS)
            sky = await forecasts.known(found.site, mower)
        now = self._surroundings.now()
        async with connection(self._surroundings.pool) as lent:
            words = await overrides.of_mower(lent, found.mower_id, now)
        return weather_of(found, sky, words, rule_of(request.settings, found.site.rain), now)

    async def push(self, request: PushWeatherRequest) -> WeatherSourceReply:
        """Answer `scheduler.weather.push`."""
        now = self._surroundings.now()
        await self._require_site(request)
        pushed.check(request, now)
        async with transaction(self._surroundings.pool) as lent:
            before = await rows.pushed(lent, request.account_id, request.site_id, lock=True)
            known = pushed.taken(before, request, now)
            await rows.put_pushed(lent, request.account_id, request.site_id, known)
        self._surroundings.forecasts.look_again.set()
        self._surroundings.wake()
        return WeatherSourceReply(site_id=request.site_id, pushed_at=now, hours=len(known.hours))

    async def _require_site(self, request: PushWeatherRequest) -> None:
        """Raise `ForbiddenError`, or `NotFoundError` for a site that is not there."""
        fleet = self._surroundings.fleet
        principal, account_id = request.on_behalf_of, request.account_id
        allowed = await fleet.allowed(principal, Relation.CAN_MANAGE_MOWERS, account_id)
        if not allowed.get(account_id, False):
            raise ForbiddenError(
                "forbidden",
                f"{principal} may not tell the weather of a site.",
                field="on_behalf_of",
                values={"relation": Relation.CAN_MANAGE_MOWERS},
            )
        sites = await fleet.sites(principal, account_id)
        if request.site_id not in {site.id for site in sites}:
            raise NotFoundError("not_found", "There is no such site.", field="site_id")


async def seen_mower(surroundings: Surroundings, asking: Asking, mower_id: str) -> TargetMower:
    """Return a mower that the principal sees; raises `NotFoundError`."""
    allowed = await surroundings.fleet.allowed(asking.on_behalf_of, Relation.CAN_VIEW, asking.account_id, (mower_id,))
    if allowed.get(mower_id, False):
        try:
            reply = await surroundings.fleet.resolve(asking.account_id, Target(mower_id=mower_id))
        except NotFoundError:
            reply = None
        if reply is not None:
            return reply.mowers[0]
    raise NotFoundError("not_found", "There is no such mower.", field="mower_id")
