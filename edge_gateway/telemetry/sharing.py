"""Shares the partitions with the other copies of Telemetry: each takes its fair share in, and gives up what is more."""

import asyncio
from datetime import timedelta

import structlog

from edge_gateway.bus.waiting import wait_at_most
from edge_gateway.database.absence import ABSENT
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry import metrics
from edge_gateway.telemetry.fair_share import fair_share, to_give_up
from edge_gateway.telemetry.repository import replicas

_LOG = structlog.get_logger(__name__)

_EVERY_SECONDS = 2.0
_GONE_AFTER = timedelta(seconds=10)
"""As long as a lease lives without its holder."""


class Share:
    """What this copy takes in now, and how much it may."""

    def __init__(self, partitions: int) -> None:
        """Begin with nothing, and no limit."""
        self.partitions = partitions
        self.limit = partitions
        self.held: dict[int, asyncio.Event] = {}
        """By partition what tells its intake to give it up."""
        self.taking = asyncio.Lock()
        """Held while a partition is taken: two at once could be one too many."""
        self.reaches_bus = False

    @property
    def has_room(self) -> bool:
        """Whether another partition may be taken."""
        return len(self.held) < self.limit


class Sharing:
    """The rounds of one copy. One partition cannot be shared, and costs no round."""

    def __init__(self, pool: Pool, share: Share, *, instance_id: str) -> None:
        """Keep `share` fair."""
        self._pool = pool
        self._share = share
        self._instance_id = instance_id
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin the rounds."""
        if self._share.partitions > 1:
            self._task = asyncio.create_task(self._run(), name="telemetry-sharing")

    async def stop(self) -> None:
        """Leave the partitions to the others."""
        self._stopping.set()
        if self._task is None:
            return
        await self._task
        try:
            async with self._pool.acquire() as connection:
                await replicas.forget(connection, self._instance_id)
        except ABSENT as error:
            _LOG.info("the others notice by themselves that this copy stops", reason=type(error).__name__)

    async def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                await self._round()
            except ABSENT as error:
                # Who has what stays as it is.
                _LOG.warning("the partitions cannot be shared now", reason=type(error).__name__)
            except Exception:  # noqa: BLE001  # whatever fails here must not end the sharing; it is logged
                _LOG.exception("the partitions were not shared")
            await wait_at_most(self._stopping, _EVERY_SECONDS)

    async def _round(self) -> None:
        share = self._share
        metrics.PARTITIONS_HELD.set(len(share.held))
        if not share.reaches_bus:
            # Without the bus this copy takes nothing in: the others need not leave it anything.
            return
        async with self._pool.acquire() as connection:
            living = await replicas.note(connection, self._instance_id, gone_after=_GONE_AFTER)
        share.limit = fair_share(share.partitions, living, self._instance_id)
        for partition in to_give_up(share.held, share.limit):
            if not share.held[partition].is_set():
                _LOG.info("a partition is given to another copy", partition=partition, replicas=len(living))
                share.held[partition].set()
