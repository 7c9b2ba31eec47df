"""Errors that end an order on its way to the mower. A driver lets them pass; the actor turns them into outcomes."""

from edge_gateway.contracts.errors import ConflictError, DeadlineError


class OrderExpiredError(DeadlineError):
    """The order's time is over: the frame that was about to leave stays here (design, Orders)."""

    def __init__(self, *, first: bool) -> None:
        """Say whether the first motion frame was still to come."""
        super().__init__("expired", "The order is too old to be sent to the mower.", values={"first_frame": first})


class LeaseLostError(ConflictError):
    """This gateway is no longer the one that may move the mower."""

    def __init__(self) -> None:
        """Take no arguments: there is nothing more to say."""
        super().__init__("lease_lost", "Another gateway has taken the mower over; nothing more is sent from here.")
