"""The right to move a mower: a lease that is ours under the number that we took it with, while we are not stopping."""

from edge_gateway.bus.protocol import Lease
from edge_gateway.device_gateway.errors import LeaseLostError


class MoveRight:
    """Asked before each motion frame."""

    def __init__(self, lease: Lease) -> None:
        """Remember the number that the lease has now."""
        self._lease = lease
        self._fence = lease.fence
        self._given_up = False

    @property
    def held(self) -> bool:
        """Whether we may move the mower now."""
        return not self._given_up and self._lease.held and self._lease.fence == self._fence

    def give_up(self) -> None:
        """Move nothing from here on: the actor stops."""
        self._given_up = True

    def check(self) -> None:
        """Raise `LeaseLostError` when the mower is no longer ours to move."""
        if not self.held:
            raise LeaseLostError
