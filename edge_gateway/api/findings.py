"""`/findings`: what is wrong now, with mowers and with the services, and what to do about it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from edge_gateway.api import bridge_sentences
from edge_gateway.api.asking import Services
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.finding_sentences import (
    OWNER_REMEDY,
    SERVICE_REMEDY,
    detail_of,
    owner_gone_detail,
    remedy_of,
)
from edge_gateway.api.pages import Page
from edge_gateway.api.service_health import ask_health
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.bridges import BridgeFinding
from edge_gateway.contracts.device import Health
from edge_gateway.contracts.errors import DeadlineError, UnavailableError
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.grants import OwnerGone
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.notifications import FindingsRequest, MowerFinding, Severity
from edge_gateway.contracts.principals import PermissionCheckRequest, Relation
from edge_gateway.contracts.schedules import NamedSchedule

SERVICE_NOT_READY = "service_not_ready"
NOTIFICATIONS = "notifications"
DEVICE_GATEWAY = "device_gateway"
SCHEDULER = "scheduler"
OWNER_GONE = "owner_gone"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is wrong now."""

    id: str
    """The same as long as it is the same thing."""
    code: str
    """A code of `notifications.event`, one that begins with `bridge_`, `owner_gone` or `service_not_ready`."""
    severity: Severity
    detail: str
    """One sentence for a person."""
    remedy: str
    """What to do about it."""
    mower_id: str | None = None
    """Null when it is not about one mower."""
    bridge_id: str | None = None
    """The Bluetooth bridge that it is about."""
    bridge_name: str | None = None
    """The same bridge as its owner calls it."""
    service: str | None = None
    """The service that it is about."""
    principal: str | None = None
    """Who is gone and left schedules behind."""
    principal_name: str | None = None
    """The same person as they were called."""
    schedules: tuple[NamedSchedule, ...] = ()
    """The schedules that it is about."""
    began_at: datetime | None = None
    """Null when it is not known."""
    values: dict[str, Any] = {}
    """The numbers and codes behind the sentence."""


class FindingPage(Page, frozen=True, kw_only=True):
    """Services first, then bridges, owners who are gone, mowers, the longest-standing first; all in one page."""

    items: tuple[Finding, ...]


class Findings:
    """The handler of `/findings`."""

    def __init__(self, services: Services, bus: EventBus, service_names: Sequence[str]) -> None:
        """Ask `services`, and the health of those named over `bus`."""
        self._services = services
        self._bus = bus
        self._service_names = service_names

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the route."""
        return (
            Endpoint(
                method="GET",
                path="/findings",
                summary="What is wrong now and what to do about it",
                handler=self._list,
                query=NoQuery,
                body=NoBody,
                answer=FindingPage,
            ),
        )

    async def _list(self, call: Call[NoQuery, NoBody]) -> FindingPage:
        answers = await ask_health(self._bus, self._service_names)
        of_services = tuple(_of_service(health) for health in answers.values() if not health.ready)
        of_services += await self._of_bridges(call, answers.get(DEVICE_GATEWAY))
        of_services += await self._of_owners(call, answers.get(SCHEDULER))
        notifications = answers.get(NOTIFICATIONS)
        if notifications is None or not notifications.ready:
            # That it cannot say what is wrong is itself what is wrong. Who asks is checked all the same.
            await self._check_known(call)
            return FindingPage(items=of_services)
        try:
            reply = await self._services.ask(routes.FINDINGS_LIST, FindingsRequest(**call.asking))
        except (UnavailableError, DeadlineError) as error:
            silent = Health(service=NOTIFICATIONS, ready=False, detail=error.detail)
            return FindingPage(items=(*of_services, _of_service(silent)))
        return FindingPage(items=(*of_services, *map(_of_mower, reply.items)))

    async def _of_bridges(self, call: Call[NoQuery, NoBody], health: Health | None) -> tuple[Finding, ...]:
        """Return what is wrong with bridges; a device gateway that does not answer is a finding itself."""
        if health is None or not health.ready:
            return ()
        try:
            reply = await self._services.ask(routes.BRIDGES_FINDINGS, Asking(**call.asking))
        except UnavailableError, DeadlineError:
            return ()
        return tuple(map(_of_bridge, reply.items))

    async def _of_owners(self, call: Call[NoQuery, NoBody], health: Health | None) -> tuple[Finding, ...]:
        """Return whose schedules have nobody any more; a Scheduler that does not answer is a finding itself."""
        if health is None or not health.ready:
            return ()
        try:
            reply = await self._services.ask(routes.OWNERS_GONE, Asking(**call.asking))
        except UnavailableError, DeadlineError:
            return ()
        return tuple(map(_of_owner, reply.items))

    async def _check_known(self, call: Call[NoQuery, NoBody]) -> None:
        """Raise what the Fleet says of a principal that nobody knows; one that does not answer says nothing."""
        question = PermissionCheckRequest(
            principal=call.caller.principal, relation=Relation.CAN_VIEW, account_id=ACCOUNT_ID
        )
        try:
            await self._services.ask(routes.PERMISSIONS_CHECK, question)
        except UnavailableError, DeadlineError:
            return


def _of_service(health: Health) -> Finding:
    return Finding(
        id=f"{SERVICE_NOT_READY}:{health.service}",
        code=SERVICE_NOT_READY,
        severity=Severity.WARNING,
        detail=f"The service {health.service} cannot work: {health.detail or 'it does not say why.'}",
        remedy=SERVICE_REMEDY,
        service=health.service,
    )


def _of_bridge(finding: BridgeFinding) -> Finding:
    return Finding(
        id=finding.id,
        code=finding.code,
        severity=finding.severity,
        detail=bridge_sentences.detail_of(finding.code, finding.bridge_name, finding.values),
        remedy=bridge_sentences.remedy_of(finding.code),
        bridge_id=finding.bridge_id,
        bridge_name=finding.bridge_name,
        began_at=finding.began_at,
        values=finding.values,
    )


def _of_owner(gone: OwnerGone) -> Finding:
    return Finding(
        id=f"{OWNER_GONE}:{gone.principal}",
        code=OWNER_GONE,
        severity=Severity.WARNING,
        detail=owner_gone_detail(gone.name or gone.principal, [schedule.name for schedule in gone.schedules]),
        remedy=OWNER_REMEDY,
        principal=gone.principal,
        principal_name=gone.name,
        schedules=gone.schedules,
        began_at=gone.gone_at,
        values={"schedules": ", ".join(schedule.name for schedule in gone.schedules)},
    )


def _of_mower(finding: MowerFinding) -> Finding:
    return Finding(
        id=finding.id,
        code=finding.code,
        severity=finding.severity,
        detail=detail_of(finding.code, finding.values),
        remedy=remedy_of(finding.code),
        mower_id=finding.mower_id,
        began_at=finding.began_at,
        values=finding.values,
    )
