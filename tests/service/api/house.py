"""The API with real Fleet, Telemetry and Notifications, and a Scheduler and device gateway that the test plays."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import aiohttp
import msgspec

from edge_gateway.api.service import ApiService
from edge_gateway.api.settings import ApiSettings
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.identifiers import state_event_id
from edge_gateway.contracts.mower import Activity, MowerState, Position
from edge_gateway.database.pools import Pool
from edge_gateway.notifications.service import NotificationsService
from edge_gateway.notifications.settings import NotificationsSettings
from edge_gateway.telemetry.service import TelemetryService
from edge_gateway.telemetry.settings import TelemetrySettings
from tests.eventually import eventually
from tests.service.api.played import PlayedDeviceGateway, PlayedScheduler
from tests.service.fleet.house import FleetHouse

TOKEN = "the-token-of-a-test"  # noqa: S105  # opens one test's server
HEADERS = {"Authorization": f"Bearer {TOKEN}", "X-MowDeck-Principal": "user:owner"}


class Answer(NamedTuple):
    """What the API answered."""

    status: int
    body: Any

    @property
    def error(self) -> dict[str, Any]:
        """The error of an answer that is one."""
        assert set(self.body) == {"error"}
        error: dict[str, Any] = self.body["error"]
        return error


class ApiHouse:
    """The house with the API as its door."""

    def __init__(
        self, bus: EventBus, fleet_pool: Pool, telemetry_pool: Pool, notifications_pool: Pool, settings: ApiSettings
    ) -> None:
        """Prepare everything; the parts are started by `start`."""
        self.bus = bus
        self.clock = SystemClock()
        self.fleet = FleetHouse(bus, fleet_pool)
        self.telemetry = TelemetryService(
            bus=bus,
            pool=telemetry_pool,
            clock=self.clock,
            settings=TelemetrySettings(ingest_batch_wait_seconds=0.01),
            instance_id="test",
        )
        self.notifications = NotificationsService(
            bus=bus,
            pool=notifications_pool,
            clock=self.clock,
            settings=NotificationsSettings(state_batch_wait_seconds=0.01, tick_seconds=0.05),
            instance_id="test",
        )
        self.scheduler = PlayedScheduler(bus, self.clock)
        self.gateway = PlayedDeviceGateway(bus, self.clock)
        self.ports: list[int] = []
        self.settings = settings
        self.api = self.make_api(bus)
        self._session: aiohttp.ClientSession | None = None

    def make_api(self, bus: EventBus) -> ApiService:
        """Return an API that is not started."""
        return ApiService(
            bus=bus,
            clock=self.clock,
            settings=self.settings,
            gateway_id="01JDGATEWAY",
            token=TOKEN,
            write_port=self.ports.append,
        )

    async def start(self) -> None:
        """Start everything, with one mower."""
        await self.fleet.start()
        await self.telemetry.start()
        await self.notifications.start()
        await self.scheduler.start()
        await self.gateway.start()
        await self.fleet.add_mower("sim-1")
        await self.api.start()
        await eventually(self._reads_everything)

    async def stop(self) -> None:
        """Stop everything."""
        if self._session is not None:
            await self._session.close()
        await self.api.stop()
        await self.gateway.stop()
        await self.scheduler.stop()
        await self.notifications.stop()
        await self.telemetry.stop()
        await self.fleet.stop()

    async def restart_api(self) -> None:
        """Stop the API and start another one."""
        await self.api.stop()
        self.api = self.make_api(self.bus)
        await self.api.start()
        await eventually(self._reads_everything)

    @property
    def mower_id(self) -> str:
        """The mower."""
        return self.fleet.mower_id

    @property
    def url(self) -> str:
        """Where the API listens."""
        return f"http://127.0.0.1:{self.api.port}"

    @property
    def session(self) -> aiohttp.ClientSession:
        """A client."""
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=20))
        return self._session

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str | None = None,
        headers: dict[str, str] | None = None,
        raw: bytes | None = None,
    ) -> Answer:
        """Ask the API as its owner; `headers` replace single ones (an empty one is left out)."""
        sent = HEADERS | ({"Idempotency-Key": key} if key else {}) | (headers or {})
        sent = {name: value for name, value in sent.items() if value}
        data = raw if body is None else msgspec.json.encode(body)
        if data is not None:
            sent.setdefault("Content-Type", "application/json")
        url = self.url + path if path.startswith("/healthz") else f"{self.url}/api/v1{path}"
        async with self.session.request(method, url, data=data, headers=sent) as response:
            text = await response.text()
            return Answer(response.status, msgspec.json.decode(text) if text else None)

    def state(self, seconds: float = 0.0, **changes: Any) -> MowerState:  # noqa: ANN401  # fields by name
        """Return a report of the mower, some seconds from now."""
        report = MowerState(
            mower_id=self.mower_id,
            account_id="home",
            observed_at=self.clock.now() + timedelta(seconds=seconds),
            activity=Activity.MOWING,
            battery_percent=80,
            position=Position(latitude=52.5, longitude=13.4),
        )
        return msgspec.structs.replace(report, **changes)

    async def tell_state(self, state: MowerState) -> datetime:
        """Publish a report as a mower's actor does; return when it was observed."""
        envelope = wrap(
            state,
            id=state_event_id(state.mower_id, state.observed_at),
            type=subjects.STATE_TYPE,
            occurred_at=state.observed_at,
            account_id="home",
            subject_id=state.mower_id,
        )
        await self.bus.publish(subjects.state_subject(state.mower_id), envelope)
        return state.observed_at

    async def _reads_everything(self) -> bool:
        async with self.session.get(f"{self.url}/readyz") as response:
            return response.status == 200
