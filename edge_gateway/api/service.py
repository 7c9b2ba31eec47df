"""`ApiService`: puts the API together, starts and stops it."""

from collections.abc import Callable

from edge_gateway.api.application import make_application
from edge_gateway.api.asking import Services
from edge_gateway.api.bridges import Bridges
from edge_gateway.api.commands import Commands
from edge_gateway.api.endpoints import AnyEndpoint
from edge_gateway.api.events.board import Board, load
from edge_gateway.api.events.changes import Translator
from edge_gateway.api.events.hub import EventHub
from edge_gateway.api.events.inbox import Inbox
from edge_gateway.api.events.socket import EventsSocket
from edge_gateway.api.events.sources import Sources
from edge_gateway.api.export import Export
from edge_gateway.api.findings import Findings
from edge_gateway.api.geofences import Geofences
from edge_gateway.api.groups import Groups
from edge_gateway.api.history import History
from edge_gateway.api.info import InfoHandlers, make_info
from edge_gateway.api.jobs import Jobs
from edge_gateway.api.lending.socket import LendingSocket
from edge_gateway.api.links import Links
from edge_gateway.api.mower_board import MowerBoard
from edge_gateway.api.mower_reader import MowerReader
from edge_gateway.api.mowers import Mowers
from edge_gateway.api.overrides import Overrides
from edge_gateway.api.previews import Previews
from edge_gateway.api.principals import Principals
from edge_gateway.api.probes import Probes
from edge_gateway.api.runs import Runs
from edge_gateway.api.schedules import Schedules
from edge_gateway.api.server import HttpServer
from edge_gateway.api.service_health import ServiceWatch
from edge_gateway.api.settings import ApiSettings
from edge_gateway.api.sites import Sites
from edge_gateway.api.totals import Totals
from edge_gateway.api.vendor_accounts import VendorAccounts
from edge_gateway.api.weather import Weather
from edge_gateway.api.zones import Zones
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.views import Info

SERVICES = ("fleet", "scheduler", "telemetry", "notifications", "device_gateway")
"""The services that the API needs to be ready."""


class ApiService:
    """The API as one of the services: it owns no data, so it needs no database."""

    name = "api"

    def __init__(
        self,
        *,
        bus: EventBus,
        clock: Clock,
        settings: ApiSettings,
        gateway_id: str,
        token: str,
        write_port: Callable[[int], None],
        services: tuple[str, ...] = SERVICES,
    ) -> None:
        """Serve over `bus` whoever knows `token`; `write_port` is told the port as soon as people may come."""
        self._settings = settings
        self._gateway_id = gateway_id
        self._token = token
        self._write_port = write_port
        self._bus = bus
        self._clock = clock
        self._service_names = services
        self._services = Services(bus, timeout_seconds=settings.answer_timeout_seconds)
        self._mower_board = MowerBoard()
        self._reader = MowerReader(bus, self._mower_board, timeout_seconds=settings.answer_timeout_seconds)
        board = Board(self._mower_board)
        inbox = Inbox()
        self._sources = Sources(bus, inbox)
        self._hub = EventHub(
            board,
            Translator(board, self._services),
            lambda: load(board, self._services, self._reader),
            inbox,
            kept=settings.events_kept,
            queue=settings.events_queue,
            readers=settings.events_readers,
        )
        self._watch = ServiceWatch(
            bus,
            services,
            interval_seconds=settings.watch_seconds,
            gateway_alive_changed=self._hub.gateway_alive_changed,
        )
        self._lending = LendingSocket(self._services, token=token)
        self._server: HttpServer | None = None
        self.port = 0
        """The port that it listens on, once it is started."""

    async def start(self) -> None:
        """Subscribe, then listen; raises `ConfigurationError` when the address cannot be had."""
        settings, token = self._settings, self._token
        events = EventsSocket(
            self._hub, self._services, self._info, token=token, heartbeat_seconds=settings.heartbeat_seconds
        )
        probes = Probes(self._bus, self._service_names, events_open=lambda: self._hub.open)
        application = make_application(self.endpoints(), events, self._lending, probes, settings=settings, token=token)
        server = HttpServer(application, host=settings.host, port=settings.port)
        self.port = await server.start()
        self._server = server
        await self._sources.start()
        await self._hub.start()
        await self._watch.start()
        self._write_port(self.port)

    async def stop(self) -> None:
        """Say goodbye to readers, finish the requests in hand, let go of the bus."""
        if self._server is None:
            return
        await self._watch.stop()
        await self._hub.stop()
        self._lending.stop()
        await self._server.stop()
        self._server = None
        await self._sources.stop()

    def _info(self) -> Info:
        return make_info(
            gateway_id=self._gateway_id, name=self._settings.gateway_name, services=dict(self._watch.ready)
        )

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the table of routes under `/api/v1`."""
        services, settings = self._services, self._settings
        info = InfoHandlers(self._bus, self._service_names, gateway_id=self._gateway_id, name=settings.gateway_name)
        return (
            *info.endpoints(),
            *Mowers(services, self._reader).endpoints(),
            *History(services, self._clock).endpoints(),
            *Totals(services, self._clock).endpoints(),
            *Jobs(services).endpoints(),
            *Zones(services).endpoints(),
            *Export(services, self._clock).endpoints(),
            *Commands(services).endpoints(),
            *Overrides(services).endpoints(),
            # Before the schedules: its path looks like that of one of them.
            *Previews(services).endpoints(),
            *Schedules(services).endpoints(),
            *Runs(services).endpoints(),
            *Sites(services).endpoints(),
            *Weather(services).endpoints(),
            *Groups(services).endpoints(),
            *Principals(services).endpoints(),
            *Geofences(services).endpoints(),
            *Findings(services, self._bus, self._service_names).endpoints(),
            *Bridges(services, meet_timeout_seconds=settings.login_timeout_seconds).endpoints(),
            *Links(services).endpoints(),
            *VendorAccounts(services, login_timeout_seconds=settings.login_timeout_seconds).endpoints(),
        )
