"""`/mowers`: list, one, its map, its settings, and what the owner may change."""

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import AreaPatch, MowerPatch, SettingBody
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.mower_reader import MowerReader
from edge_gateway.api.pages import MowerPage, SettingPage
from edge_gateway.contracts import routes
from edge_gateway.contracts.commands import Command, CommandBody, CommandKind, IssueCommandRequest
from edge_gateway.contracts.device import MapReply, MowerRequest
from edge_gateway.contracts.errors import ConflictError, NotFoundError
from edge_gateway.contracts.fleet import UpdateAreaRequest, UpdateMowerRequest
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.problems import ProblemsReply
from edge_gateway.contracts.views import MowerView


class Mowers:
    """The handlers of `/mowers`."""

    def __init__(self, services: Services, reader: MowerReader) -> None:
        """Ask `services`; `reader` puts views together."""
        self._services = services
        self._reader = reader

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        one = "/mowers/{mower_id}"
        return (
            Endpoint(
                method="GET",
                path="/mowers",
                summary="All mowers that the principal may see",
                handler=self._list,
                query=NoQuery,
                body=NoBody,
                answer=MowerPage,
            ),
            Endpoint(
                method="GET",
                path=one,
                summary="One mower",
                handler=self._get,
                query=NoQuery,
                body=NoBody,
                answer=MowerView,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PATCH",
                path=one,
                summary="Rename a mower, move it to another site, let it obey the rain or not",
                handler=self._update,
                query=NoQuery,
                body=MowerPatch,
                answer=MowerView,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PATCH",
                path=f"{one}/areas/{{area_id}}",
                summary="Rename an area, enable or disable it",
                handler=self._update_area,
                query=NoQuery,
                body=AreaPatch,
                answer=MowerView,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="GET",
                path=f"{one}/map",
                summary="The map of a mower; null while none is known",
                handler=self._map,
                query=NoQuery,
                body=NoBody,
                answer=MapReply,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="GET",
                path=f"{one}/problems",
                summary="What is wrong with a mower now, and apart from it what its own log remembers",
                handler=self._problems,
                query=NoQuery,
                body=NoBody,
                answer=ProblemsReply,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="GET",
                path=f"{one}/settings",
                summary="The settings that a mower has",
                handler=self._settings,
                query=NoQuery,
                body=NoBody,
                answer=SettingPage,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PUT",
                path=f"{one}/settings/{{key}}",
                summary="Order a new value of a setting",
                handler=self._put_setting,
                query=NoQuery,
                body=SettingBody,
                answer=Command,
                status=202,
                renamed={"setting_key": "key", "setting_value": "value"},
                raises=(NotFoundError, ConflictError),
            ),
        )

    async def _list(self, call: Call[NoQuery, NoBody]) -> MowerPage:
        return MowerPage(items=await self._reader.list(call.caller.principal))

    async def _get(self, call: Call[NoQuery, NoBody]) -> MowerView:
        return await self._reader.get(call.caller.principal, call.ids["mower_id"])

    async def _update(self, call: Call[NoQuery, MowerPatch]) -> MowerView:
        question = UpdateMowerRequest(
            **call.asking,
            mower_id=call.ids["mower_id"],
            name=call.body.name,
            site_id=call.body.site_id,
            obey_rain=call.body.obey_rain,
        )
        return await self._reader.view_of(await self._services.ask(routes.MOWERS_UPDATE, question))

    async def _update_area(self, call: Call[NoQuery, AreaPatch]) -> MowerView:
        question = UpdateAreaRequest(
            **call.asking,
            mower_id=call.ids["mower_id"],
            area_id=call.ids["area_id"],
            name=call.body.name,
            enabled=call.body.enabled,
        )
        return await self._reader.view_of(await self._services.ask(routes.AREAS_UPDATE, question))

    async def _map(self, call: Call[NoQuery, NoBody]) -> MapReply:
        return await self._services.ask(routes.MAPS_GET, MowerRequest(**call.asking, mower_id=call.ids["mower_id"]))

    async def _problems(self, call: Call[NoQuery, NoBody]) -> ProblemsReply:
        return await self._services.ask(routes.PROBLEMS_GET, MowerRequest(**call.asking, mower_id=call.ids["mower_id"]))

    async def _settings(self, call: Call[NoQuery, NoBody]) -> SettingPage:
        question = MowerRequest(**call.asking, mower_id=call.ids["mower_id"])
        return SettingPage(items=(await self._services.ask(routes.SETTINGS_LIST, question)).items)

    async def _put_setting(self, call: Call[NoQuery, SettingBody]) -> Command:
        question = IssueCommandRequest(
            **call.asking,
            # A PUT may be repeated as it is; each one is an order of its own.
            key=new_id(),
            mower_id=call.ids["mower_id"],
            command=CommandBody(
                kind=CommandKind.PUT_SETTING, setting_key=call.ids["key"], setting_value=call.body.value
            ),
            origin=call.caller.origin,
        )
        return (await self._services.ask(routes.COMMANDS_ISSUE, question)).command
