"""Answers for the fleet: the device gateway's tests need no more of it."""

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.fleet import (
    MowerReply,
    RegisterMowerRequest,
    ResolveTargetReply,
    ResolveTargetRequest,
    Site,
    TargetMower,
)
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.mower import Mower
from edge_gateway.contracts.principals import OWNER, PermissionCheckReply, PermissionCheckRequest

SITE = Site(id="home", account_id=ACCOUNT_ID, name="Home", time_zone="Europe/Berlin")


class StandInFleet:
    """Answers for the fleet: registers mowers, knows which areas are enabled, lets the owner see everything."""

    def __init__(self) -> None:
        """Know no mower yet."""
        self.registered: dict[str, RegisterMowerRequest] = {}
        self.enabled: tuple[str, ...] | None = None
        self.known_areas: tuple[str, ...] | None = None

    async def answer(self, bus: EventBus) -> None:
        """Begin to answer."""
        await bus.reply(routes.MOWERS_REGISTER, self.register)
        await bus.reply(routes.TARGETS_RESOLVE, self.resolve)
        await bus.reply(routes.PERMISSIONS_CHECK, self.check)

    async def register(self, question: RegisterMowerRequest) -> MowerReply:
        """Answer `fleet.mowers.register`: the id follows from the vendor key."""
        mower_id = f"fleet-{question.vendor_key}"
        self.registered[mower_id] = question
        mower = Mower(
            id=mower_id,
            account_id=ACCOUNT_ID,
            name=question.name,
            provider=question.provider,
            vendor_key=question.vendor_key,
            site_id="home",
            created_at=SystemClock().now(),
        )
        return MowerReply(mower=mower)

    async def resolve(self, question: ResolveTargetRequest) -> ResolveTargetReply:
        """Answer `fleet.targets.resolve`."""
        target = TargetMower(
            mower_id=question.mower_id or "",
            site=SITE,
            area_ids=self.known_areas,
            enabled_area_ids=self.enabled,
            obey_rain=True,
        )
        return ResolveTargetReply(mowers=(target,), account_owner=OWNER, default_site=SITE)

    async def check(self, question: PermissionCheckRequest) -> PermissionCheckReply:
        """Answer `fleet.permissions.check`."""
        return PermissionCheckReply(allowed=dict.fromkeys(question.mower_ids, question.principal == OWNER))
