"""What is kept about a mower across restarts: ids of its areas, its open job and settings, where its base stands."""

import msgspec
import structlog

from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.device_gateway.mammotion.area_identity import KnownArea
from edge_gateway.device_gateway.mammotion.job_track import JobTrack
from edge_gateway.device_gateway.mammotion.route_settings import RouteSettings
from edge_gateway.device_gateway.vendor_memory import MemoryStore

_log = structlog.get_logger(__name__)


class Base(msgspec.Struct, frozen=True, kw_only=True):
    """Where base station and dock stand, in the vendor's units."""

    latitude: float
    """Radians."""
    longitude: float
    """Radians."""
    yaw: float
    """Radians by which the mower's metres are turned."""
    dock_east: float
    """Metres from the base station, like all places of the mower before they are turned."""
    dock_north: float
    dock_rotation: int = 0


class MowerMemory(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept about one mower."""

    areas: tuple[KnownArea, ...] = ()
    """Those of the map, then those that are gone."""
    job: JobTrack | None = None
    settings: RouteSettings | None = None
    base: Base | None = None
    """Until the mower tells it again: its first reports after a restart have a place with it."""


class Memory:
    """The memory of one mower: changed at once here, written when the database takes it."""

    def __init__(self, vendor_key: str, store: MemoryStore) -> None:
        """Remember nothing until `load`."""
        self._vendor_key = vendor_key
        self._store = store
        self._content = MowerMemory()
        self._written: bytes | None = None

    @property
    def content(self) -> MowerMemory:
        """What is known."""
        return self._content

    async def load(self) -> None:
        """Read what was kept; what cannot be read is as if it had never been."""
        try:
            kept = await self._store.load(self._vendor_key)
            if kept is not None:
                self._content = msgspec.json.decode(kept, type=MowerMemory)
                self._written = kept
        except (MowDeckError, msgspec.DecodeError) as error:
            _log.warning("what was kept about a mower cannot be read", mower=self._vendor_key, error=str(error))

    def change(
        self,
        *,
        areas: tuple[KnownArea, ...] | None = None,
        job: JobTrack | msgspec.UnsetType | None = msgspec.UNSET,
        settings: RouteSettings | None = None,
        base: Base | None = None,
    ) -> None:
        """Change what is given."""
        self._content = MowerMemory(
            areas=self._content.areas if areas is None else areas,
            job=self._content.job if job is msgspec.UNSET else job,
            settings=settings or self._content.settings,
            base=base or self._content.base,
        )

    async def flush(self) -> None:
        """Write what changed; what the database does not take now is tried again at the next time."""
        content = msgspec.json.encode(_without_progress(self._content))
        if content == self._written:
            return
        try:
            await self._store.save(self._vendor_key, content)
        except MowDeckError as error:
            _log.warning("what is known of a mower is not kept yet", mower=self._vendor_key, error=str(error))
            return
        self._written = content


def _without_progress(content: MowerMemory) -> MowerMemory:
    """Progress is told again by the mower; writing each percent would wear cards out."""
    if content.job is None or content.job.progress_percent is None:
        return content
    coarse = content.job.progress_percent // 10 * 10
    return msgspec.structs.replace(content, job=msgspec.structs.replace(content.job, progress_percent=coarse))
