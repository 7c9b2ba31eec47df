"""The loop beside the tick: it fetches forecasts ahead and tells what became of the verdicts. The tick never waits."""

import asyncio

import asyncpg
import structlog

from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.scheduler import metrics
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.weather.fetching import Fetching
from edge_gateway.scheduler.weather.known_targets import KnownTargets
from edge_gateway.scheduler.weather.port import WeatherProvider
from edge_gateway.scheduler.weather.telling import Telling

_log = structlog.get_logger(__name__)

EVERY_SECONDS = 20.0
_SHORTEST_PAUSE_SECONDS = 0.05


class WeatherWatch:
    """Looks again and again, at once when something is wanted."""

    def __init__(self, surroundings: Surroundings, provider: WeatherProvider) -> None:
        """Ask this weather service."""
        self._surroundings = surroundings
        self._provider = provider
        self._targets = KnownTargets(surroundings.bus, surroundings.fleet, surroundings.clock)
        self._fetching = Fetching(surroundings, provider, self._targets)
        self._telling = Telling(surroundings, self._targets)
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Hear of changes of mowers and sites; the looking is the caller's to do, or `start`'s."""
        await self._targets.start()

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._run(), name="scheduler-weather")

    async def stop(self) -> None:
        """Leave a request that is under way to its fate."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._targets.stop()
        await self._provider.close()

    async def look(self) -> None:
        """Fetch what is needed, then tell what changed."""
        self._surroundings.forecasts.begin_look()
        try:
            await self._fetching.fetch_all()
            await self._telling.tell_all()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, MowDeckError) as error:
            metrics.FAILED_TICKS.labels("weather").inc()
            _log.warning("weather not looked at; it is tried again", error=str(error))
        except Exception:  # noqa: BLE001  # whatever fails here must not end the looking; it is logged
            metrics.FAILED_TICKS.labels("weather").inc()
            _log.exception("weather not looked at; it is tried again")
        finally:
            self._surroundings.forecasts.tell_looked()

    async def _run(self) -> None:
        look_again = self._surroundings.forecasts.look_again
        while True:
            look_again.clear()
            await self.look()
            try:
                async with asyncio.timeout(EVERY_SECONDS):
                    await look_again.wait()
            except TimeoutError:
                continue
            # Wishes that come close together are one look.
            await asyncio.sleep(_SHORTEST_PAUSE_SECONDS)
