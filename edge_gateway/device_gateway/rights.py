"""What a principal may do here, as Fleet says it: asked before anything is told or done."""

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.device import MowerRequest
from edge_gateway.contracts.errors import ForbiddenError, NotFoundError
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.principals import PermissionCheckRequest, Relation


async def check_household(bus: EventBus, question: Asking) -> None:
    """Raise `ForbiddenError` unless the principal may manage the mowers of the household."""
    if not await _allowed(bus, question, Relation.CAN_MANAGE_MOWERS):
        raise ForbiddenError("forbidden", "You may not manage mowers of this household.")


async def check_mower(bus: EventBus, question: MowerRequest, relation: Relation = Relation.CAN_VIEW) -> None:
    """Raise `NotFoundError` when the principal may not see the mower, `ForbiddenError` when it may only not do that."""
    if not await _allowed(bus, question, Relation.CAN_VIEW, question.mower_id):
        raise NotFoundError("not_found", "There is no such mower, or you may not see it.", field="mower_id")
    if relation is not Relation.CAN_VIEW and not await _allowed(bus, question, relation, question.mower_id):
        raise ForbiddenError("forbidden", "You may not do that with this mower.")


async def _allowed(bus: EventBus, question: Asking, relation: Relation, mower_id: str | None = None) -> bool:
    answer = await bus.request(
        routes.PERMISSIONS_CHECK,
        PermissionCheckRequest(
            principal=question.on_behalf_of,
            relation=relation,
            account_id=question.account_id,
            mower_ids=() if mower_id is None else (mower_id,),
        ),
    )
    return answer.allowed.get(mower_id or question.account_id, False)
