"""The Fleet's events, wrapped for the bus."""

from datetime import datetime

from edge_gateway.contracts import subjects
from edge_gateway.contracts.commands import Command, CommandOrder, CommandOutcome
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.fleet import MowerChanged, SiteChanged
from edge_gateway.contracts.grants import GrantsChanged
from edge_gateway.contracts.groups import GroupChanged
from edge_gateway.contracts.identifiers import new_id, outcome_event_id


def mower_changed(account_id: str, mower_id: str, now: datetime, *, removed: bool = False) -> Envelope:
    """Return `fleet.mower.changed`."""
    return wrap(
        MowerChanged(mower_id=mower_id, removed=removed),
        id=new_id(),
        type=subjects.MOWER_CHANGED,
        occurred_at=now,
        account_id=account_id,
        subject_id=mower_id,
    )


def site_changed(account_id: str, site_id: str, now: datetime, *, removed: bool = False) -> Envelope:
    """Return `fleet.site.changed`."""
    return wrap(
        SiteChanged(site_id=site_id, removed=removed),
        id=new_id(),
        type=subjects.SITE_CHANGED,
        occurred_at=now,
        account_id=account_id,
        subject_id=site_id,
    )


def group_changed(account_id: str, group_id: str, now: datetime, *, removed: bool = False) -> Envelope:
    """Return `fleet.group.changed`."""
    return wrap(
        GroupChanged(group_id=group_id, removed=removed),
        id=new_id(),
        type=subjects.GROUP_CHANGED,
        occurred_at=now,
        account_id=account_id,
        subject_id=group_id,
    )


def grants_changed(account_id: str, change: GrantsChanged, now: datetime) -> Envelope:
    """Return `identity.grants.changed`."""
    return wrap(
        change,
        id=new_id(),
        type=subjects.GRANTS_CHANGED,
        occurred_at=now,
        account_id=account_id,
        subject_id=change.instance_id,
    )


def order(command: Command, *, expires_at: datetime, motion_expires_at: datetime) -> Envelope:
    """Return the order of a command; its id is the command's, so that the stream never takes it twice."""
    return wrap(
        CommandOrder(
            command_id=command.id,
            account_id=command.account_id,
            mower_id=command.mower_id,
            body=command.body,
            issued_by=command.issued_by,
            issued_at=command.issued_at,
            expires_at=expires_at,
            motion_expires_at=motion_expires_at,
        ),
        id=command.id,
        type=subjects.ORDER_TYPE,
        occurred_at=command.issued_at,
        account_id=command.account_id,
        subject_id=command.id,
    )


def outcome(command: Command) -> Envelope:
    """Return the outcome of a command that the Fleet closed itself."""
    return wrap(
        CommandOutcome(
            command_id=command.id,
            account_id=command.account_id,
            mower_id=command.mower_id,
            status=command.status,
            reason=command.reason,
            values=command.values,
            at=command.changed_at,
        ),
        id=outcome_event_id(command.id, command.status),
        type=subjects.OUTCOME_TYPE,
        occurred_at=command.changed_at,
        account_id=command.account_id,
        subject_id=command.id,
    )
