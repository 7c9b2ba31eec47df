"""What targets stand for, remembered for a while: looking ahead must not ask Fleet the same again and again."""

from datetime import datetime, timedelta

from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.fleet import TargetMower
from edge_gateway.contracts.schedules import Target
from edge_gateway.scheduler.fleet_questions import FleetQuestions

REMEMBERED_FOR = timedelta(minutes=10)

type _Key = tuple[str, str | None, str | None]


class KnownTargets:
    """Asks Fleet once and remembers; a change of a mower, site or group forgets everything."""

    def __init__(self, bus: EventBus, fleet: FleetQuestions, clock: Clock) -> None:
        """Remember nothing yet."""
        self._bus = bus
        self._fleet = fleet
        self._clock = clock
        self._known: dict[_Key, tuple[datetime, tuple[TargetMower, ...]]] = {}
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        """Hear of changes."""
        self._subscription = await self._bus.subscribe("fleet.*.changed", self._forget, acknowledge=False)

    async def stop(self) -> None:
        """Hear no more."""
        if self._subscription is not None:
            await self._subscription.unsubscribe()
            self._subscription = None

    async def mowers_of(self, account_id: str, target: Target) -> tuple[TargetMower, ...]:
        """Return a target's mowers, none of one that is gone; raises what Fleet's silence raises."""
        key = (account_id, target.mower_id, target.group_id)
        now = self._clock.now()
        found = self._known.get(key)
        if found is not None and timedelta() <= now - found[0] < REMEMBERED_FOR:
            return found[1]
        try:
            mowers = (await self._fleet.resolve(account_id, target)).mowers
        except NotFoundError:
            mowers = ()
        self._known[key] = (now, mowers)
        return mowers

    async def _forget(self, _envelope: Envelope) -> None:
        self._known.clear()
