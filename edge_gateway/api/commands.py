"""Orders to mowers: issue one, and see how far it has come."""

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import CommandBodyDraft
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.contracts import routes
from edge_gateway.contracts.commands import (
    Command,
    CommandBody,
    CommandKind,
    GetCommandRequest,
    IssueCommandRequest,
)
from edge_gateway.contracts.errors import ConflictError, NotFoundError


class Commands:
    """The handlers of commands."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        return (
            Endpoint(
                method="POST",
                path="/mowers/{mower_id}/commands",
                summary="Order something of a mower; a known key answers with the stored command",
                handler=self._issue,
                query=NoQuery,
                body=CommandBodyDraft,
                answer=Command,
                status=202,
                orders=True,
                raises=(NotFoundError, ConflictError),
            ),
            Endpoint(
                method="GET",
                path="/commands/{command_id}",
                summary="How far a command has come",
                handler=self._get,
                query=NoQuery,
                body=NoBody,
                answer=Command,
                raises=(NotFoundError,),
            ),
        )

    async def _issue(self, call: Call[NoQuery, CommandBodyDraft]) -> Command:
        draft = call.body
        question = IssueCommandRequest(
            **call.asking,
            key=call.key,
            mower_id=call.ids["mower_id"],
            command=CommandBody(
                kind=CommandKind(draft.kind),
                mode=draft.mode,
                area_ids=draft.area_ids,
                pattern=draft.pattern,
            ),
            origin=call.caller.origin,
        )
        return (await self._services.ask(routes.COMMANDS_ISSUE, question)).command

    async def _get(self, call: Call[NoQuery, NoBody]) -> Command:
        question = GetCommandRequest(**call.asking, command_id=call.ids["command_id"])
        return await self._services.ask(routes.COMMANDS_GET, question)
