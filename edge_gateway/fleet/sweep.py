"""Closes commands whose end was never reported, so that none stays open for ever."""

import asyncio
from datetime import timedelta

import msgspec
import structlog

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import STATUS_ORDER, Command, CommandOutcome
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.database.absence import ABSENT, explained
from edge_gateway.database.pools import Pool
from edge_gateway.fleet import metrics
from edge_gateway.fleet.closing_rules import OpenCommand, close_overdue
from edge_gateway.fleet.command_desk import CommandDesk
from edge_gateway.fleet.repository import commands

_log = structlog.get_logger(__name__)


class Sweep:
    """Looks at the open commands again and again. Every replica may: what is closed is closed once."""

    def __init__(
        self, bus: EventBus, pool: Pool, clock: Clock, desk: CommandDesk, *, grace_seconds: float, every_seconds: float
    ) -> None:
        """Look every `every_seconds`; a report may be `grace_seconds` late."""
        self._bus = bus
        self._pool = pool
        self._clock = clock
        self._desk = desk
        self._grace = timedelta(seconds=grace_seconds)
        self._every_seconds = every_seconds
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Look once, so that what a crash left behind is settled, then go on looking."""
        await self._sweep_if_possible()
        self._task = asyncio.create_task(self._run(), name="fleet sweep")

    async def stop(self) -> None:
        """Stop looking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def sweep(self) -> None:
        """Close what is overdue; raises `UnavailableError` when database or bus is away."""
        with explained():
            async with self._pool.acquire() as connection:
                found = await commands.read_open(connection, self._clock.now())
            for command in found:
                try:
                    await self._look_at(command)
                except (UnavailableError, *ABSENT):
                    raise
                except Exception:  # noqa: BLE001  # what is wrong with one command must not keep the others open
                    _log.exception("open command not looked at", command=command.command.id)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._every_seconds)
            await self._sweep_if_possible()

    async def _sweep_if_possible(self) -> None:
        try:
            await self.sweep()
        except UnavailableError as error:
            _log.warning("open commands not looked at", code=error.code)
        except Exception:  # noqa: BLE001  # whatever fails here must not end the looking; it is logged
            _log.exception("open commands not looked at")

    async def _look_at(self, found: OpenCommand) -> None:
        closing = close_overdue(found, self._clock.now(), self._grace)
        if closing is None:
            return
        command = found.command
        # The report may lie on the bus, not yet delivered: after a restart above all.
        outcome = await self._reported(command)
        if outcome is not None and STATUS_ORDER[outcome.status] > STATUS_ORDER[command.status]:
            await self._desk.take_outcome(outcome)
            return
        closed = await self._desk.close(command, closing.status, closing.reason)
        if (closed.status, closed.reason) == (closing.status, closing.reason):
            metrics.CLOSED.labels(closing.reason).inc()
            _log.warning("command closed without a report", command=command.id, reason=closing.reason)

    async def _reported(self, command: Command) -> CommandOutcome | None:
        """Return what was told last of a command; null when that is nothing, or cannot be read."""
        try:
            envelope = await self._bus.last(subjects.outcome_subject(command.mower_id, command.id))
            return None if envelope is None else envelope.decode(CommandOutcome)
        except msgspec.DecodeError:
            _log.exception("report of a command not readable", command=command.id)
            return None
