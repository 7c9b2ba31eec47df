"""Orders that the mower said yes to, followed until its state shows them or their time is over."""

import asyncio

import msgspec
import structlog

from edge_gateway.contracts.commands import CommandStatus
from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.device_gateway.confirmation import confirms, unconfirmed_reason
from edge_gateway.device_gateway.decisions import Action
from edge_gateway.device_gateway.late_writes import LateWrites
from edge_gateway.device_gateway.outcomes import Outcomes
from edge_gateway.device_gateway.provider import Driver, DriverState
from edge_gateway.device_gateway.repository import Repository

_log = structlog.get_logger(__name__)

_REFRESH_SECONDS = 10.0
_SHORTEST_SECONDS = 5.0
"""An order is followed at least this long, however late the mower's yes came."""


class _Followed(msgspec.Struct, frozen=True):
    command_id: str
    kind: str
    action: Action
    job_id: str | None
    timer: asyncio.Task[None]


class FollowUp:
    """Follows the last acknowledged order of one mower; a newer one takes its place."""

    def __init__(
        self, driver: Driver, outcomes: Outcomes, writes: LateWrites, repository: Repository, *, confirm_seconds: float
    ) -> None:
        """Follow this driver's mower, each order for so long."""
        self._confirm_seconds = confirm_seconds
        self._driver = driver
        self._outcomes = outcomes
        self._writes = writes
        self._repository = repository
        self._followed: _Followed | None = None
        self._heard = 0
        self._state: DriverState | None = None

    @property
    def heard(self) -> int:
        """How many states were heard so far."""
        return self._heard

    def hear(self, state: DriverState) -> None:
        """Look whether a state shows the order."""
        self._heard += 1
        self._state = state
        followed = self._followed
        if followed is not None and confirms(followed.action, state, job_id=followed.job_id):
            self._end(followed, CommandStatus.CONFIRMED)

    def follow(
        self,
        command_id: str,
        kind: str,
        action: Action,
        *,
        job_id: str | None,
        since: int,
        left_seconds: float,
    ) -> None:
        """Follow an order; states heard after the `since`-th count already.

        `left_seconds`: until its time is over, counted from its issue.
        """
        self.supersede()
        seconds = min(max(left_seconds, _SHORTEST_SECONDS), self._confirm_seconds)
        timer = asyncio.create_task(self._time_out(seconds), name=f"confirmation of {command_id}")
        self._followed = _Followed(command_id, kind, action, job_id, timer)
        if self._state is not None and self._heard > since and confirms(action, self._state, job_id=job_id):
            self._end(self._followed, CommandStatus.CONFIRMED)

    def supersede(self) -> None:
        """End following an order whose effect can no longer be told apart from a newer one's."""
        if self._followed is not None:
            self._end(self._followed, CommandStatus.FAILED, "superseded")

    async def stop(self) -> None:
        """Stop following; the row in hand lets the next life go on with it."""
        followed, self._followed = self._followed, None
        if followed is not None:
            followed.timer.cancel()
            await asyncio.gather(followed.timer, return_exceptions=True)

    async def _time_out(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        try:
            # The mower's word, should its reports have been lost; the driver tells what it heard, and so confirms.
            async with asyncio.timeout(_REFRESH_SECONDS):
                self._state = await self._driver.refresh()
        except (MowDeckError, TimeoutError) as error:
            _log.info("mower not asked before giving up", reason=str(error) or type(error).__name__)
        followed = self._followed
        if followed is None:
            return
        if self._state is not None and confirms(followed.action, self._state, job_id=followed.job_id):
            self._end(followed, CommandStatus.CONFIRMED)
        else:
            self._end(followed, CommandStatus.FAILED, unconfirmed_reason(self._state))

    def _end(self, followed: _Followed, status: CommandStatus, reason: str | None = None) -> None:
        self._followed = None
        if followed.timer is not asyncio.current_task():
            followed.timer.cancel()
        values = {}
        if status is CommandStatus.FAILED and self._state is not None:
            problem = self._state.problem
            values = {"activity": self._state.activity, "problem": None if problem is None else problem.code}
        self._outcomes.tell(followed.command_id, followed.kind, status, reason=reason, values=values)
        self._writes.put(lambda: self._repository.let_go([followed.command_id]))
