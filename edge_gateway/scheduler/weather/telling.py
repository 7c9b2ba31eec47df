"""Tells each change of a mower's rain verdict once, whichever replica sees it first (`scheduler.weather.changed`)."""

import msgspec

from edge_gateway.bus import outbox
from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.schedules import RainSettings, Target
from edge_gateway.contracts.weather import MowerOverrides, RainState
from edge_gateway.scheduler.rain import rule_of
from edge_gateway.scheduler.recording import SCHEMA
from edge_gateway.scheduler.records import MowerRecord
from edge_gateway.scheduler.repository import mower_rows, overrides
from edge_gateway.scheduler.repository import weather as rows
from edge_gateway.scheduler.repository.transactions import connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.weather.known_targets import KnownTargets
from edge_gateway.scheduler.weather.rain_states import state_of, weather_of


class Telling:
    """Looks at every mower's verdict."""

    def __init__(self, surroundings: Surroundings, targets: KnownTargets) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._targets = targets
        self._told: dict[str, RainState] = {}

    async def tell_all(self) -> None:
        """Tell the verdicts that are not what they were."""
        async with connection(self._surroundings.pool) as lent:
            mowers = await mower_rows.read_all(lent)
            words = await overrides.of_mowers(lent, [mower.id for mower in mowers], self._surroundings.now())
        for mower in mowers:
            state = await self._state(mower, words[mower.id])
            if state is not None and state != self._told.get(mower.id):
                await self._tell(mower, state)
                self._told[mower.id] = state

    async def _state(self, mower: MowerRecord, words: MowerOverrides) -> RainState | None:
        for found in await self._targets.mowers_of(mower.account_id, Target(mower_id=mower.id)):
            sky = await self._surroundings.forecasts.known(found.site, mower, wanted=False)
            rule = rule_of(RainSettings(), found.site.rain)
            return state_of(weather_of(found, sky, words, rule, self._surroundings.now()))
        return None

    async def _tell(self, mower: MowerRecord, state: RainState) -> None:
        async with transaction(self._surroundings.pool) as lent:
            if not await rows.told(lent, mower.id, msgspec.json.encode(state)):
                return
            changed = wrap(
                state,
                id=new_id(),
                type=subjects.WEATHER_CHANGED,
                occurred_at=self._surroundings.now(),
                account_id=mower.account_id,
                subject_id=mower.id,
            )
            await outbox.put(lent, SCHEMA, subjects.WEATHER_CHANGED, changed)
