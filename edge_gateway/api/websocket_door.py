"""The door of a WebSocket: who comes, whether they may, and whether it is one that they ask for."""

from aiohttp import web

from edge_gateway.api.asking import Services
from edge_gateway.api.authentication import Caller, check_given_once, check_token, check_version, read_caller
from edge_gateway.api.errors import BadRequestError
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ForbiddenError
from edge_gateway.contracts.principals import PermissionCheckRequest, Relation


async def admit(request: web.Request, services: Services, *, token: str, relation: Relation, refusal: str) -> None:
    """Return when the caller may come in.

    Raises `UnauthenticatedError`, `BadRequestError` that names the header, `ForbiddenError` with the sentence `refusal`
    for a person without this right, and what the Fleet raises.
    """
    if not await _is_allowed(services, read_door(request, token=token), relation):
        raise ForbiddenError("forbidden", refusal)


def read_door(request: web.Request, *, token: str) -> Caller:
    """Return who comes with a good token; raises `UnauthenticatedError`, `BadRequestError` that names the header."""
    check_given_once(request.headers)
    check_token(request.headers, token)
    check_version(request.headers)
    return read_caller(request.headers)


def check_upgrade(socket: web.WebSocketResponse, request: web.Request) -> None:
    """Raise `BadRequestError` when the request asks for no WebSocket."""
    if not socket.can_prepare(request):
        raise BadRequestError(
            "websocket_needed", "This path is a WebSocket: the request must ask for an upgrade.", field="Upgrade"
        )


async def _is_allowed(services: Services, caller: Caller, relation: Relation) -> bool:
    question = PermissionCheckRequest(principal=caller.principal, relation=relation, account_id=caller.account_id)
    reply = await services.ask(routes.PERMISSIONS_CHECK, question)
    return reply.allowed.get(caller.account_id, False)
