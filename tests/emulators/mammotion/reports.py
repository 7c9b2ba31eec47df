"""The state reports of an emulated mower: their content, and the stream that the app asks for."""

import asyncio
from collections.abc import Callable, Sequence

from pymammotion.proto import (
    ReportInfoCfg,
    ReportInfoData,
    RptAct,
    RptConnectStatus,
    RptDevLocation,
    RptDevStatus,
    RptRtk,
    RptWork,
)

from tests.emulators.mammotion.garden import Garden
from tests.emulators.mammotion.status import MowerStatus

FIXED = 4
"""The receiver's word for a position that is good to centimetres."""


def report_data(status: MowerStatus, garden: Garden) -> ReportInfoData:
    """Return a report of a state."""
    return ReportInfoData(
        connect=RptConnectStatus(connect_type=2, wifi_rssi=-61, iot_con_status=1),
        dev=RptDevStatus(
            sys_status=status.mode,
            charge_state=status.charge_state,
            battery_val=round(status.battery_percent),
            self_check_status=status.self_check,
        ),
        rtk=RptRtk(status=FIXED, pos_level=0, gps_stars=31, co_view_stars=24),
        locations=[
            RptDevLocation(
                real_pos_x=round(status.east * 1e4),
                real_pos_y=round(status.north * 1e4),
                real_toward=round(status.toward_degrees * 1e4),
                pos_type=status.position_type,
                zone_hash=status.zone_hash,
                bol_hash=garden.map_hash,
            )
        ],
        work=RptWork(
            path_hash=status.path_hash,
            ub_path_hash=status.path_hash,
            area=status.mow_percent << 16 | status.area_mowed_m2,
            bp_info=status.breakpoint_reason,
            knife_height=status.knife_height_mm,
        ),
    )


def error_entries(codes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the log of errors as it is sent: codes negative, newest first."""
    return [(-abs(code), at) for code, at in reversed(codes)]


class ReportStream:
    """Reports once, or again and again until its time is over, as the app asks."""

    def __init__(self, report: Callable[[], None]) -> None:
        """Report through `report`."""
        self.period_factor = 1.0
        """A test makes it smaller, so that reports come faster."""
        self._report = report
        self._task: asyncio.Task[None] | None = None
        self._deadline = 0.0
        self._period_seconds = 1.0

    @property
    def running(self) -> bool:
        """Whether reports keep coming."""
        return self._task is not None and not self._task.done()

    def configure(self, wish: ReportInfoCfg) -> None:
        """Do what the app asks."""
        if wish.act == RptAct.RPT_STOP:
            self.stop()
            return
        if wish.count == 1:
            # One report is a wish of its own: it takes the place of a stream.
            self.stop()
            self._report()
            return
        loop = asyncio.get_running_loop()
        if wish.act == RptAct.RPT_START or not self.running:
            self._period_seconds = max(0.02, (wish.period or 1000) / 1000 * self.period_factor)
        self._deadline = loop.time() + (wish.timeout or 10_000) / 1000
        if not self.running:
            self._task = loop.create_task(self._run())

    def stop(self) -> None:
        """Report no more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while loop.time() < self._deadline:
            self._report()
            await asyncio.sleep(self._period_seconds)
