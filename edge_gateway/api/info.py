"""`/info`: what this gateway is, which versions of the API it speaks, and how its services are."""

from collections.abc import Sequence

from edge_gateway import __version__
from edge_gateway.api.authentication import VERSION_MAXIMUM, VERSION_MINIMUM
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.service_health import ask_health
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.views import Info


def make_info(*, gateway_id: str, name: str, services: dict[str, bool]) -> Info:
    """Return what the gateway says of itself."""
    return Info(
        version=__version__,
        api={"min": VERSION_MINIMUM, "max": VERSION_MAXIMUM},
        gateway_id=gateway_id,
        name=name,
        services=services,
    )


class InfoHandlers:
    """The handler of `/info`."""

    def __init__(self, bus: EventBus, services: Sequence[str], *, gateway_id: str, name: str) -> None:
        """Ask the health of `services` over `bus`."""
        self._bus = bus
        self._services = services
        self._gateway_id = gateway_id
        self._name = name

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the route."""
        return (
            Endpoint(
                method="GET",
                path="/info",
                summary="Versions, range of the API, gateway id and services",
                handler=self._get,
                query=NoQuery,
                body=NoBody,
                answer=Info,
                any_version=True,
            ),
        )

    async def _get(self, _call: Call[NoQuery, NoBody]) -> Info:
        answers = await ask_health(self._bus, self._services)
        ready = {service: health.ready for service, health in answers.items()}
        return make_info(gateway_id=self._gateway_id, name=self._name, services=ready)
