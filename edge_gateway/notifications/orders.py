"""From outcomes of commands to the orders that went out."""

from collections import OrderedDict

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.commands import (
    MOTION_KINDS,
    CommandOutcome,
    CommandStatus,
    GetCommandRequest,
)
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.principals import OWNER
from edge_gateway.notifications.watch import Order

_REMEMBERED = 256
_WENT_OUT = frozenset({CommandStatus.SENT, CommandStatus.ACKNOWLEDGED, CommandStatus.CONFIRMED})


class Orders:
    """Asks the Fleet what a command was; an outcome names it only."""

    def __init__(self, bus: EventBus) -> None:
        """Ask over `bus`."""
        self._bus = bus
        self._known: OrderedDict[str, Order | None] = OrderedDict()

    async def of(self, outcome: CommandOutcome) -> Order | None:
        """Return the order to move or stop that went out; null for anything else.

        Raises what asking raises when the Fleet does not answer.
        """
        if outcome.status not in _WENT_OUT:
            return None
        if outcome.command_id not in self._known:
            self._known[outcome.command_id] = await self._ask(outcome)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return self._known[outcome.command_id]

    async def _ask(self, outcome: CommandOutcome) -> Order | None:
        question = GetCommandRequest(on_behalf_of=OWNER, account_id=outcome.account_id, command_id=outcome.command_id)
        try:
            command = await self._bus.request(routes.COMMANDS_GET, question)
        except NotFoundError:
            return None
        if command.body.kind not in MOTION_KINDS:
            return None
        return Order(
            command_id=command.id,
            mower_id=command.mower_id,
            account_id=command.account_id,
            kind=command.body.kind,
            issued_at=command.issued_at,
        )
