"""Events of Notifications, wrapped for the bus."""

from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.notifications import Notification
from edge_gateway.notifications.judging import event_id


def notification_event(notification: Notification) -> Envelope:
    """Return `notifications.event`."""
    return wrap(
        notification,
        id=event_id(notification),
        type=subjects.NOTIFICATION,
        occurred_at=notification.at,
        account_id=notification.account_id,
        subject_id=notification.mower_id,
    )
