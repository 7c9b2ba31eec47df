"""The stream of state reports that a mower sends while somebody needs to see it: started, renewed, ended."""

import time
from collections.abc import Callable
from contextlib import suppress

from pymammotion.proto import LubaMsg, RptAct, RptInfoType

from edge_gateway.contracts.errors import DeadlineError
from edge_gateway.device_gateway.mammotion.errors import no_answer
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink, report_came

CHANNELS = [
    RptInfoType.RIT_CONNECT,
    RptInfoType.RIT_DEV_STA,
    RptInfoType.RIT_RTK,
    RptInfoType.RIT_DEV_LOCAL,
    RptInfoType.RIT_WORK,
    RptInfoType.RIT_MAINTAIN,
]
QUIET_PERIOD_SECONDS = 4.0
"""How often it reports when nothing changed."""
RENEW_SHARE = 0.25
"""It is renewed when only this share of its time is left."""


class ReportStream:
    """Reports of one mower, as often as they are needed."""

    def __init__(self, link: MowerLink, *, seconds: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Let a stream last so long before it is renewed."""
        self._link = link
        self._seconds = seconds
        self._monotonic = monotonic
        self._period = 0.0
        self._ends_at = 0.0

    @property
    def running(self) -> bool:
        """Whether the mower should be reporting by itself."""
        return self._monotonic() < self._ends_at

    async def keep(self, period_seconds: float, *, person: bool) -> None:
        """See to it that the mower reports at least this often; sends something only when that is needed.

        Raises `UnavailableError` or `DeadlineError` like any frame.
        """
        left = self._ends_at - self._monotonic()
        if left > self._seconds * RENEW_SHARE and self._period <= period_seconds:
            return
        renewing = left > 0 and self._period == period_seconds
        await self._send(RptAct.RPT_KEEP if renewing else RptAct.RPT_START, period_seconds, person=person)
        self._period = period_seconds
        self._ends_at = self._monotonic() + self._seconds

    async def keep_for_person(self, period_seconds: float, *, answer_seconds: float) -> None:
        """Keep it for somebody who waits: asked once more when the cloud lost the answer, for it moves nothing.

        Not after a wait of more than `answer_seconds`, which would use up the order's time. Raises
        `UnavailableError`; `DeadlineError` (`no_answer`) when the answer was lost for good.
        """
        began = self._monotonic()
        with suppress(DeadlineError):
            return await self.keep(period_seconds, person=True)
        if self._monotonic() - began <= answer_seconds:
            with suppress(DeadlineError):
                return await self.keep(period_seconds, person=True)
        raise no_answer()

    async def slow_down(self, period_seconds: float) -> None:
        """Let it report more seldom, when it reports more often than this."""
        if self.running and self._period < period_seconds:
            self.forget()
            await self.keep(period_seconds, person=False)

    async def end(self) -> None:
        """Let the mower be quiet (and sleep)."""
        if self.running:
            self.forget()
            await self._send(RptAct.RPT_STOP, 0.0, person=False)

    def forget(self) -> None:
        """Take the stream for ended: the mower fell silent, or the link was cut."""
        self._ends_at = 0.0

    async def ask_once(self, *, seconds: float, person: bool) -> None:
        """Ask for one report and wait until it came; raises `UnavailableError`."""
        payload = self._link.handle.commands.request_iot_sys(
            rpt_act=RptAct.RPT_START, rpt_info_type=CHANNELS, timeout=10_000, period=1000, count=1
        )
        await self._link.ask(payload, report_came, seconds=seconds, person=person)

    def overtaken_by(self, payload: bytes) -> bool:
        """Hear of a frame that left; tell whether it ended the stream.

        The library asks for one report by itself when the mower announces something, and to the mower that takes the
        place of a stream.
        """
        if not self.running:
            return False
        system = LubaMsg().parse(payload).sys
        wish = system.todev_report_cfg if system is not None else None
        if wish is None or wish.count != 1:
            return False
        self.forget()
        return True

    async def _send(self, act: RptAct, period_seconds: float, *, person: bool) -> None:
        payload = self._link.handle.commands.request_iot_sys(
            rpt_act=act,
            rpt_info_type=CHANNELS,
            timeout=round(self._seconds * 1000),
            period=round(period_seconds * 1000),
            no_change_period=round(max(QUIET_PERIOD_SECONDS, period_seconds) * 1000),
            count=1 if act == RptAct.RPT_STOP else 0,
        )
        await self._link.send(payload, person=person)
