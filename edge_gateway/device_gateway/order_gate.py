"""The gate between an order and the mower: each motion frame passes it, the first one is recorded before it leaves.

Order of the first opening: the row in our table, the outcome `sent` on the bus, the acknowledgement of the order, the
checks once more, the frame. A crash between any two of them leaves either an order that comes again and was not sent,
or one that is known to be perhaps sent and is never sent again.
"""

from collections.abc import Awaitable, Callable

from edge_gateway.bus.protocol import Acknowledge
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import CommandOrder, CommandStatus
from edge_gateway.device_gateway import expiry
from edge_gateway.device_gateway.move_right import MoveRight
from edge_gateway.device_gateway.outcomes import Outcomes


class OrderGate:
    """`MayMove` of one order."""

    def __init__(
        self, order: CommandOrder, *, right: MoveRight, clock: Clock, outcomes: Outcomes, acknowledge: Acknowledge
    ) -> None:
        """Guard this order."""
        self._order = order
        self._right = right
        self._clock = clock
        self._outcomes = outcomes
        self._acknowledge = acknowledge
        self._take_in_hand: Callable[[], Awaitable[None]] | None = None
        self.opened = False
        """The order was recorded as sent and acknowledged."""
        self.frames = 0
        """How many frames were let through."""

    def record_with(self, take_in_hand: Callable[[], Awaitable[None]]) -> None:
        """Have this done first of all when the first frame asks."""
        self._take_in_hand = take_in_hand

    async def __call__(self) -> None:
        """Let one frame through.

        Raises `OrderExpiredError`, `LeaseLostError`; before the first frame `UnavailableError` when database or bus
        do not take the record.
        """
        self._check()
        if not self.opened:
            if self._take_in_hand is not None:
                await self._take_in_hand()
            await self._outcomes.tell_now(self._order.command_id, self._order.body.kind, CommandStatus.SENT)
            await self._acknowledge()
            self.opened = True
            # Recording took time: database and bus may have been slow, the lease may be gone.
            self._check()
        self.frames += 1

    def _check(self) -> None:
        self._right.check()
        expiry.check(self._order, first_frame_is_out=self.frames > 0, now=self._clock.now())
