"""`/groups`: mowers that are planned together."""

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import GroupBody, GroupPatch
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.pages import GroupPage
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ConflictError, NotFoundError
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.groups import CreateGroupRequest, DeleteGroupRequest, Group, UpdateGroupRequest


class Groups:
    """The handlers of `/groups`."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        one = "/groups/{group_id}"
        return (
            Endpoint(
                method="GET",
                path="/groups",
                summary="Groups",
                handler=self._list,
                query=NoQuery,
                body=NoBody,
                answer=GroupPage,
            ),
            Endpoint(
                method="POST",
                path="/groups",
                summary="Make a group",
                handler=self._create,
                query=NoQuery,
                body=GroupBody,
                answer=Group,
                status=201,
            ),
            Endpoint(
                method="GET",
                path=one,
                summary="One group",
                handler=self._get,
                query=NoQuery,
                body=NoBody,
                answer=Group,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PATCH",
                path=one,
                summary="Change a group; the mowers are given whole",
                handler=self._update,
                query=NoQuery,
                body=GroupPatch,
                answer=Group,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="DELETE",
                path=one,
                summary="Delete a group; its mowers stay, and while schedules plan with it, so does the group",
                handler=self._delete,
                query=NoQuery,
                body=NoBody,
                answer=None,
                status=204,
                raises=(NotFoundError, ConflictError),
            ),
        )

    async def _list(self, call: Call[NoQuery, NoBody]) -> GroupPage:
        reply = await self._services.ask(routes.GROUPS_LIST, Asking(**call.asking))
        return GroupPage(items=reply.items)

    async def _get(self, call: Call[NoQuery, NoBody]) -> Group:
        for group in (await self._list(call)).items:
            if group.id == call.ids["group_id"]:
                return group
        raise NotFoundError("not_found", "There is no such group.", field="group_id")

    async def _create(self, call: Call[NoQuery, GroupBody]) -> Group:
        body = call.body
        question = CreateGroupRequest(
            **call.asking, name=body.name, mower_ids=body.mower_ids, max_concurrent=body.max_concurrent
        )
        return await self._services.ask(routes.GROUPS_CREATE, question)

    async def _update(self, call: Call[NoQuery, GroupPatch]) -> Group:
        body = call.body
        question = UpdateGroupRequest(
            **call.asking,
            group_id=call.ids["group_id"],
            name=body.name,
            mower_ids=body.mower_ids,
            max_concurrent=body.max_concurrent,
        )
        return await self._services.ask(routes.GROUPS_UPDATE, question)

    async def _delete(self, call: Call[NoQuery, NoBody]) -> None:
        await self._services.ask(routes.GROUPS_DELETE, DeleteGroupRequest(**call.asking, group_id=call.ids["group_id"]))
