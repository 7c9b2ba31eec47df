"""Which mowers there are: asked of the Fleet once, kept current by its events."""

from collections.abc import Iterable

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.fleet import MowerChanged, ResolveTargetRequest
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.database.pools import Pool
from edge_gateway.notifications import repository


class Directory:
    """The known mowers, each with its account and its site."""

    def __init__(self, bus: EventBus, pool: Pool) -> None:
        """Ask over `bus`, keep in `pool`."""
        self._bus = bus
        self._pool = pool

    async def learn(self, mower_ids: Iterable[str]) -> frozenset[str]:
        """Learn of mowers that are not known yet; return those that the Fleet does not know either.

        Raises what asking raises when the Fleet does not answer.
        """
        wanted = sorted(set(mower_ids))
        async with self._pool.acquire() as connection:
            known = await repository.known_mowers(connection, wanted)
        return frozenset([mower_id for mower_id in wanted if mower_id not in known and not await self._ask(mower_id)])

    async def follow(self, envelope: Envelope) -> None:
        """Hear of a mower that was registered, moved to another site or removed (`fleet.mower.changed`)."""
        changed = envelope.decode(MowerChanged)
        if changed.removed or not await self._ask(changed.mower_id):
            async with self._pool.acquire() as connection, connection.transaction():
                await repository.forget_mower(connection, changed.mower_id)

    async def _ask(self, mower_id: str) -> bool:
        """Ask the Fleet for a mower and keep the answer; tell whether there is one."""
        question = ResolveTargetRequest(account_id=ACCOUNT_ID, mower_id=mower_id)
        try:
            reply = await self._bus.request(routes.TARGETS_RESOLVE, question)
        except NotFoundError:
            return False
        async with self._pool.acquire() as connection:
            for mower in reply.mowers:
                await repository.put_mower(connection, mower.mower_id, ACCOUNT_ID, mower.site.id)
        return True
