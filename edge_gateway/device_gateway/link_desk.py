"""Answers in which order a mower's links are used, and leaves Bluetooth to the vendor's app for a while."""

import asyncio
from datetime import timedelta

import structlog

from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.bridges import LinksReply, LinksRequest, PutLinksRequest, ReleaseLinkRequest
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import InvalidError, UnavailableError
from edge_gateway.contracts.mower import LinkKind
from edge_gateway.contracts.principals import Relation
from edge_gateway.device_gateway.link_preference import LinkPreference
from edge_gateway.device_gateway.link_repository import LinkRepository
from edge_gateway.device_gateway.provider import Driver
from edge_gateway.device_gateway.rights import check_mower
from edge_gateway.device_gateway.roster import Roster

_log = structlog.get_logger(__name__)

LONGEST_MINUTES = 240.0
CHOICES = (LinkKind.BRIDGE, LinkKind.HOME_ASSISTANT, LinkKind.CLOUD)
_LOOK_SECONDS = 15.0
"""What another copy of the gateway was told is known here after so long."""


class LinkDesk:
    """The handlers of the routes `device_gateway.links.*`."""

    def __init__(self, roster: Roster, *, bus: EventBus, repository: LinkRepository, clock: Clock) -> None:
        """Tell the drivers of this roster."""
        self._roster = roster
        self._bus = bus
        self._repository = repository
        self._clock = clock
        self._replies: list[Subscription] = []
        self._looking: asyncio.Task[None] | None = None
        self._told: dict[str, tuple[Driver, LinkPreference]] = {}
        """What a mower's driver was told last; its next driver is told again."""
        self._telling = asyncio.Lock()

    async def start(self) -> None:
        """Answer."""
        self._replies = [
            await self._bus.reply(routes.LINKS_GET, self.get),
            await self._bus.reply(routes.LINKS_PUT, self.put),
            await self._bus.reply(routes.LINKS_RELEASE, self.release),
        ]
        self._looking = asyncio.get_running_loop().create_task(self._look(), name="links")

    async def stop(self) -> None:
        """Answer no more."""
        for reply in self._replies:
            await reply.unsubscribe()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def get(self, question: LinksRequest) -> LinksReply:
        """Return how a mower's links are used."""
        await check_mower(self._bus, question, Relation.CAN_VIEW)
        return self._reply(await self._repository.preference(question.mower_id))

    async def put(self, question: PutLinksRequest) -> LinksReply:
        """Use a mower's links in another order; raises `InvalidError` naming the field."""
        await check_mower(self._bus, question, Relation.CAN_MANAGE_MOWERS)
        order = question.order
        if not order or len(set(order)) != len(order) or not set(order) <= set(CHOICES):
            raise InvalidError(
                "invalid",
                f"The order names at least one of {', '.join(CHOICES)}, each once.",
                field="order",
            )
        return await self._kept(question.mower_id, await self._repository.save_order(question.mower_id, order))

    async def release(self, question: ReleaseLinkRequest) -> LinksReply:
        """Leave Bluetooth to the vendor's app for some minutes, or take it back."""
        await check_mower(self._bus, question, Relation.CAN_CONTROL)
        if not 0 <= question.minutes <= LONGEST_MINUTES:
            raise InvalidError("invalid", f"It is 0 to {LONGEST_MINUTES:g} minutes.", field="minutes")
        until = None if question.minutes == 0 else self._clock.now() + timedelta(minutes=question.minutes)
        return await self._kept(question.mower_id, await self._repository.save_release(question.mower_id, until))

    async def _kept(self, mower_id: str, preference: LinkPreference) -> LinksReply:
        # Another may have kept something meanwhile, and of two answers of the database either may be read first.
        async with self._telling:
            self._tell(mower_id, await self._repository.preference(mower_id))
        return self._reply(preference)

    def _tell(self, mower_id: str, preference: LinkPreference) -> None:
        actor = self._roster.actor(mower_id)
        if actor is not None and self._told.get(mower_id) != (actor.driver, preference):
            actor.driver.prefer_links(preference)
            self._told[mower_id] = actor.driver, preference

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                async with self._telling:
                    for mower_id, preference in (await self._repository.preferences()).items():
                        self._tell(mower_id, preference)
            except UnavailableError as error:
                _log.info("links not looked at", code=error.code)
            except Exception:  # noqa: BLE001  # whatever fails here must not end the looking; it is logged
                _log.exception("links not looked at")

    def _reply(self, preference: LinkPreference) -> LinksReply:
        until = preference.released_until
        over = until is None or until <= self._clock.now()
        return LinksReply(order=preference.order, released_until=None if over else until)
