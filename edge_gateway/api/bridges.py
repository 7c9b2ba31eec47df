"""`/bridges`: Bluetooth bridges; their keys go to the device gateway and are never answered."""

from typing import Annotated

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import Name, Secret
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.pages import Page
from edge_gateway.contracts import routes
from edge_gateway.contracts.bridges import (
    BRIDGE_PORT,
    Bridge,
    BridgeHealth,
    BridgeRequest,
    CreateBridgeRequest,
    FoundBridge,
    UpdateBridgeRequest,
)
from edge_gateway.contracts.errors import ConflictError, NotFoundError
from edge_gateway.contracts.fleet import Asking

type Host = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9._:-]{1,253}$", description="An address or a name.")]
type Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
type Mac = Annotated[str, msgspec.Meta(pattern="^([0-9A-Fa-f]{2}[:-]?){5}[0-9A-Fa-f]{2}$")]


class BridgeBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bridge as it is added."""

    host: Host
    port: Port = BRIDGE_PORT
    key: Secret | None = None
    """The encryption key that ESPHome shows; null: it has none yet, and is given one."""
    name: Name | None = None


class BridgePatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may change of a bridge; absent is left alone."""

    name: Name | msgspec.UnsetType = msgspec.UNSET
    host: Host | msgspec.UnsetType = msgspec.UNSET
    port: Port | msgspec.UnsetType = msgspec.UNSET
    key: Secret | msgspec.UnsetType = msgspec.UNSET
    expected_mac: Mac | msgspec.UnsetType | None = msgspec.UNSET
    """Null takes whichever device answers next."""


class BridgePage(Page, frozen=True, kw_only=True):
    """Bridges, oldest first."""

    items: tuple[Bridge, ...]


class FoundBridgePage(Page, frozen=True, kw_only=True):
    """ESPHome devices in the network."""

    items: tuple[FoundBridge, ...]


class Bridges:
    """The handlers of `/bridges`."""

    def __init__(self, services: Services, *, meet_timeout_seconds: float) -> None:
        """Ask `services`; a first meeting with a bridge may take `meet_timeout_seconds`."""
        self._services = services
        self._meet_timeout_seconds = meet_timeout_seconds

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        one = "/bridges/{bridge_id}"
        return (
            Endpoint(
                method="GET",
                path="/bridges",
                summary="Bluetooth bridges and how they are",
                handler=self._list,
                query=NoQuery,
                body=NoBody,
                answer=BridgePage,
            ),
            Endpoint(
                method="POST",
                path="/bridges",
                summary="Add a bridge; it is met first, and given a key if it has none",
                handler=self._create,
                query=NoQuery,
                body=BridgeBody,
                answer=Bridge,
                status=201,
                raises=(ConflictError,),
            ),
            Endpoint(
                method="GET",
                path="/bridges/found",
                summary="Devices that tell of themselves in the network",
                handler=self._found,
                query=NoQuery,
                body=NoBody,
                answer=FoundBridgePage,
            ),
            Endpoint(
                method="GET",
                path=one,
                summary="One bridge and how it is",
                handler=self._get,
                query=NoQuery,
                body=NoBody,
                answer=Bridge,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PATCH",
                path=one,
                summary="Change a bridge; spoken to anew it is met first",
                handler=self._update,
                query=NoQuery,
                body=BridgePatch,
                answer=Bridge,
                raises=(NotFoundError, ConflictError),
            ),
            Endpoint(
                method="DELETE",
                path=one,
                summary="Forget a bridge; its mowers are reached over their other links",
                handler=self._delete,
                query=NoQuery,
                body=NoBody,
                answer=None,
                status=204,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="GET",
                path=f"{one}/health",
                summary="A bridge and what is wrong with it",
                handler=self._health,
                query=NoQuery,
                body=NoBody,
                answer=BridgeHealth,
                raises=(NotFoundError,),
            ),
        )

    async def _list(self, call: Call[NoQuery, NoBody]) -> BridgePage:
        reply = await self._services.ask(routes.BRIDGES_LIST, Asking(**call.asking))
        return BridgePage(items=reply.items)

    async def _get(self, call: Call[NoQuery, NoBody]) -> Bridge:
        return (await self._health(call)).bridge

    async def _found(self, call: Call[NoQuery, NoBody]) -> FoundBridgePage:
        reply = await self._services.ask(routes.BRIDGES_FOUND, Asking(**call.asking))
        return FoundBridgePage(items=reply.items)

    async def _create(self, call: Call[NoQuery, BridgeBody]) -> Bridge:
        body = call.body
        question = CreateBridgeRequest(**call.asking, host=body.host, port=body.port, key=body.key, name=body.name)
        return await self._services.ask(routes.BRIDGES_CREATE, question, timeout_seconds=self._meet_timeout_seconds)

    async def _update(self, call: Call[NoQuery, BridgePatch]) -> Bridge:
        body = call.body
        question = UpdateBridgeRequest(
            **call.asking,
            bridge_id=call.ids["bridge_id"],
            name=body.name,
            host=body.host,
            port=body.port,
            key=body.key,
            expected_mac=body.expected_mac,
        )
        return await self._services.ask(routes.BRIDGES_UPDATE, question, timeout_seconds=self._meet_timeout_seconds)

    async def _delete(self, call: Call[NoQuery, NoBody]) -> None:
        await self._services.ask(routes.BRIDGES_DELETE, self._question(call))

    async def _health(self, call: Call[NoQuery, NoBody]) -> BridgeHealth:
        return await self._services.ask(routes.BRIDGES_HEALTH, self._question(call))

    def _question(self, call: Call[NoQuery, NoBody]) -> BridgeRequest:
        return BridgeRequest(**call.asking, bridge_id=call.ids["bridge_id"])
