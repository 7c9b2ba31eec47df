"""How long an order may still move the mower (design, Orders). Pure."""

from datetime import datetime

from edge_gateway.contracts.commands import CommandOrder
from edge_gateway.device_gateway.errors import OrderExpiredError


def is_expired(order: CommandOrder, *, first_frame_is_out: bool, now: datetime) -> bool:
    """Tell whether no frame may leave any more: 30 s after the issue, 120 s once the first frame is out."""
    return now >= (order.motion_expires_at if first_frame_is_out else order.expires_at)


def check(order: CommandOrder, *, first_frame_is_out: bool, now: datetime) -> None:
    """Raise `OrderExpiredError` when the order's time is over."""
    if is_expired(order, first_frame_is_out=first_frame_is_out, now=now):
        raise OrderExpiredError(first=not first_frame_is_out)
