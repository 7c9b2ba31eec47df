"""Notifications at work: publish what mowers tell, look at what was told of it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import (
    Command,
    CommandBody,
    CommandKind,
    CommandOutcome,
    CommandStatus,
    GetCommandRequest,
)
from edge_gateway.contracts.device import MowerRequest
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.fleet import (
    Asking,
    ListSitesReply,
    MowerChanged,
    ResolveTargetReply,
    ResolveTargetRequest,
    Site,
    TargetMower,
)
from edge_gateway.contracts.identifiers import derived_event_id, new_id, outcome_event_id, state_event_id
from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.contracts.mower import Activity, MowerAvailability, MowerState, Position, Problem
from edge_gateway.contracts.notifications import FindingsRequest, MowerFinding, Notification
from edge_gateway.contracts.principals import OWNER, Origin, PermissionCheckReply, PermissionCheckRequest, Relation
from edge_gateway.contracts.telemetry import BladeThresholdReached, MowerHealth
from edge_gateway.database.pools import Pool
from edge_gateway.notifications.service import NotificationsService
from edge_gateway.notifications.settings import NotificationsSettings

BEGIN = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=2)
SITE = Site(id="home", account_id="home", name="Home", time_zone="Europe/Berlin")
SETTINGS = NotificationsSettings(state_batch_wait_seconds=0.01, tick_seconds=0.05)
LIFTED = Problem(code="lifted")
HOME = Position(latitude=52.0, longitude=13.0)
STREET = Position(latitude=52.01, longitude=13.0)


def at(seconds: float) -> datetime:
    """Return a moment, some seconds after the beginning."""
    return BEGIN + timedelta(seconds=seconds)


def state(seconds: float, activity: Activity = Activity.MOWING, **changes: Any) -> MowerState:  # noqa: ANN401  # fields by name
    """Return a report, some seconds after the beginning."""
    report = MowerState(
        mower_id="m1", account_id="home", observed_at=at(seconds), activity=activity, battery_percent=80, position=HOME
    )
    return msgspec.structs.replace(report, **changes)


def error(seconds: float, **changes: Any) -> MowerState:  # noqa: ANN401  # fields by name
    """Return a report of a lifted mower."""
    return state(seconds, Activity.ERROR, problem=LIFTED, **changes)


async def publish(bus: EventBus, *states: MowerState) -> None:
    """Publish states as a mower's actor does."""
    for each in states:
        event_id = state_event_id(each.mower_id, each.observed_at)
        await tell(bus, subjects.state_subject(each.mower_id), each, subjects.STATE_TYPE, event_id, each.mower_id)


async def tell(
    bus: EventBus, subject: str, payload: msgspec.Struct, event_type: str, event_id: str, subject_id: str
) -> None:
    """Publish an event."""
    envelope = wrap(payload, id=event_id, type=event_type, occurred_at=BEGIN, account_id="home", subject_id=subject_id)
    await bus.publish(subject, envelope)


class StandIns:
    """Answers for the Fleet and for Telemetry: which mowers and commands there are, whose blades were changed."""

    def __init__(self) -> None:
        """Know two mowers of one site."""
        self.mower_ids = {"m1", "m2"}
        self.commands: dict[str, Command] = {}
        self.blades_reset_at: datetime | None = None
        self.resolved: list[str] = []

    async def answer(self, bus: EventBus) -> None:
        """Answer over a bus."""
        await bus.reply(routes.TARGETS_RESOLVE, self._resolve)
        await bus.reply(routes.PERMISSIONS_CHECK, self._check)
        await bus.reply(routes.COMMANDS_GET, self._command)
        await bus.reply(routes.SITES_LIST, self._sites)
        await bus.reply(routes.HEALTH_READ, self._health)

    async def _resolve(self, question: ResolveTargetRequest) -> ResolveTargetReply:
        mower_id = question.mower_id or ""
        self.resolved.append(mower_id)
        if mower_id not in self.mower_ids:
            raise NotFoundError("target_gone", "There is no such mower.")
        mower = TargetMower(mower_id=mower_id, site=SITE, area_ids=None, enabled_area_ids=None, obey_rain=True)
        return ResolveTargetReply(mowers=(mower,), account_owner=OWNER, default_site=SITE)

    async def _check(self, question: PermissionCheckRequest) -> PermissionCheckReply:
        owner = question.principal == OWNER
        may = owner or (question.relation is Relation.CAN_VIEW and question.principal == "user:m1")
        if not question.mower_ids:
            return PermissionCheckReply(allowed={question.account_id: owner})
        seen = self.mower_ids if owner else self.mower_ids & {"m1"}
        return PermissionCheckReply(allowed={id_: may and id_ in seen for id_ in question.mower_ids})

    async def _command(self, question: GetCommandRequest) -> Command:
        command = self.commands.get(question.command_id or "")
        if command is None:
            raise NotFoundError("not_found", "There is no such command.")
        return command

    async def _sites(self, _question: Asking) -> ListSitesReply:
        return ListSitesReply(items=(SITE,))

    async def _health(self, question: MowerRequest) -> MowerHealth:
        return MowerHealth(
            mower_id=question.mower_id,
            mowing_seconds=0,
            distance_m=0,
            area_m2=0,
            charge_cycles=0,
            blade_seconds=0,
            blade_life_seconds=1,
            blades_reset_at=self.blades_reset_at,
        )


class Garden:
    """One replica of Notifications, its bus and its database."""

    def __init__(self, bus: EventBus, pool: Pool, stand_ins: StandIns, clock: Clock) -> None:
        """Prepare; `start` starts."""
        self.bus = bus
        self.pool = pool
        self.stand_ins = stand_ins
        self.clock = clock
        self.published: list[Envelope] = []
        self.service = self.make_service()

    def make_service(
        self,
        bus: EventBus | None = None,
        *,
        instance_id: str = "instance-1",
        settings: NotificationsSettings = SETTINGS,
    ) -> NotificationsService:
        """Return one more replica, not started."""
        return NotificationsService(
            bus=bus or self.bus, pool=self.pool, clock=self.clock, settings=settings, instance_id=instance_id
        )

    async def start(self) -> None:
        """Answer, listen to what is told, start."""
        await self.stand_ins.answer(self.bus)
        await self.listen()
        await self.service.start()

    async def listen(self) -> None:
        """Hear what is told."""
        await self.bus.subscribe(subjects.NOTIFICATION, self._hear, acknowledge=False)

    async def publish(self, *states: MowerState) -> None:
        """Publish states."""
        await publish(self.bus, *states)

    async def tell_map(self, mower_id: str = "m1", *, half_width_metres: float = 10.0, complete: bool = True) -> None:
        """Tell of a square lawn around home."""
        half = half_width_metres
        square = ((-half, -half), (half, -half), (half, half), (-half, half))
        mower_map = MowerMap(
            mower_id=mower_id,
            account_id="home",
            observed_at=self.clock.now(),
            complete=complete,
            areas=(Area(id="a1", vendor_key="1", name="Front", boundary=square),),
            origin_latitude=HOME.latitude,
            origin_longitude=HOME.longitude,
        )
        await tell(self.bus, subjects.map_subject(mower_id), mower_map, subjects.MAP_TYPE, new_id(), mower_id)

    async def tell_reach(self, seconds: float, *, available: bool) -> None:
        """Tell whether a mower is reached."""
        reach = MowerAvailability(
            mower_id="m1",
            account_id="home",
            available=available,
            reason=None if available else "silent",
            changed_at=at(seconds),
        )
        await tell(self.bus, subjects.availability_subject("m1"), reach, subjects.AVAILABILITY_TYPE, new_id(), "m1")

    async def order(self, seconds: float, kind: CommandKind, status: CommandStatus = CommandStatus.SENT) -> None:
        """Tell how far an order came."""
        command_id = f"c{seconds:g}"
        self.stand_ins.commands[command_id] = Command(
            id=command_id,
            account_id="home",
            mower_id="m1",
            body=CommandBody(kind=kind),
            key=command_id,
            issued_by=OWNER,
            origin=Origin.DASHBOARD,
            issued_at=at(seconds),
            status=CommandStatus.ACCEPTED,
            changed_at=at(seconds),
        )
        outcome = CommandOutcome(command_id=command_id, account_id="home", mower_id="m1", status=status, at=at(seconds))
        subject, event_id = subjects.outcome_subject("m1", command_id), outcome_event_id(command_id, status)
        await tell(self.bus, subject, outcome, subjects.OUTCOME_TYPE, event_id, command_id)

    async def tell_worn_blades(self, seconds: float) -> None:
        """Tell that blades are worn."""
        reached = BladeThresholdReached(mower_id="m1", blade_seconds=2.0, blade_life_seconds=1.0, at=at(seconds))
        event_id = derived_event_id(subjects.BLADE_THRESHOLD, "m1", "blades", at(seconds))
        await tell(self.bus, subjects.BLADE_THRESHOLD, reached, subjects.BLADE_THRESHOLD, event_id, "m1")

    async def tell_removed(self, mower_id: str) -> None:
        """Remove a mower from the Fleet, and tell it."""
        self.stand_ins.mower_ids.discard(mower_id)
        changed = MowerChanged(mower_id=mower_id, removed=True)
        await tell(self.bus, subjects.MOWER_CHANGED, changed, subjects.MOWER_CHANGED, new_id(), mower_id)

    async def told(self) -> list[str]:
        """Return the ids of all events that were ever put into the outbox, in order."""
        rows = await self.pool.fetch("SELECT event_id FROM notifications.told ORDER BY sequence")
        return [row["event_id"] for row in rows]

    async def judged_until(self, mower_id: str = "m1") -> datetime | None:
        """Return when the last judged report of a mower was observed."""
        document = await self.pool.fetchval("SELECT document FROM notifications.watch WHERE mower_id = $1", mower_id)
        if document is None:
            return None
        seen = msgspec.json.decode(document)
        return msgspec.convert(seen.get("observed_at"), datetime | None)

    async def findings(self, principal: str = OWNER) -> Sequence[MowerFinding]:
        """Ask what is wrong."""
        question = FindingsRequest(on_behalf_of=principal, account_id="home")
        return (await self.bus.request(routes.FINDINGS_LIST, question)).items

    @property
    def heard(self) -> list[tuple[str, str]]:
        """Code and phase of the events on the bus, in order."""
        events = [envelope.decode(Notification) for envelope in self.published]
        return [(event.code.value, event.phase.value) for event in events]

    async def _hear(self, envelope: Envelope) -> None:
        self.published.append(envelope)
