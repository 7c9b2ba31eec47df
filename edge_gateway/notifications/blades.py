"""New blades: Telemetry tells when they are worn, and is asked whether they were changed since."""

import time

import structlog

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.device import MowerRequest
from edge_gateway.contracts.errors import DeadlineError, NotFoundError, UnavailableError
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.notifications import NotificationCode
from edge_gateway.contracts.principals import OWNER
from edge_gateway.database.pools import Pool
from edge_gateway.notifications import repository
from edge_gateway.notifications.intake import Intake
from edge_gateway.notifications.watch import BladeReport

_log = structlog.get_logger(__name__)

_LOOK_SECONDS = 30.0


class Blades:
    """Asks about the mowers whose blades are known to be worn."""

    def __init__(self, bus: EventBus, pool: Pool, intake: Intake) -> None:
        """Ask over `bus`; what is found out is judged by `intake`."""
        self._bus = bus
        self._pool = pool
        self._intake = intake
        self._looked_at: float | None = None

    async def look(self) -> None:
        """Ask, at most every 30 s; a Telemetry that does not answer says nothing."""
        if self._looked_at is not None and time.monotonic() - self._looked_at < _LOOK_SECONDS:
            return
        self._looked_at = time.monotonic()
        async with self._pool.acquire() as connection:
            watches = await repository.read_watches(connection, ACCOUNT_ID)
        for watch in watches:
            condition = watch.conditions.get(NotificationCode.BLADE_WORN)
            if condition is None or condition.began_at is None:
                continue
            question = MowerRequest(on_behalf_of=OWNER, account_id=watch.account_id, mower_id=watch.mower_id)
            try:
                health = await self._bus.request(routes.HEALTH_READ, question)
            except (NotFoundError, UnavailableError, DeadlineError) as error:
                _log.info("blades not to be asked about", mower=watch.mower_id, code=error.code)
                continue
            reset_at = health.blades_reset_at
            if reset_at is not None and reset_at > condition.began_at:
                report = BladeReport(mower_id=watch.mower_id, account_id=watch.account_id, at=reset_at, worn=False)
                await self._intake.judge([report])
