"""What an emulated mower understands: the app's protobuf messages in, its own out.

As a real one it listens to map and job messages only for some seconds after the last `todev_ble_sync`.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import betterproto2
from pymammotion.proto import (
    LubaMsg,
    MctlDriver,
    MctlNav,
    MctlSys,
    NavGetCommData,
    NavGetHashList,
    NavPlanJobSet,
    NavSysParamMsg,
    NavTaskCtrl,
    NavUnableTimeSet,
    SysCommCmd,
)

from tests.emulators.mammotion import frames
from tests.emulators.mammotion.elements import MapElement, map_elements
from tests.emulators.mammotion.mower import EmulatedMower
from tests.emulators.mammotion.reports import ReportStream, error_entries, report_data

SYNCED_SECONDS = 10.0
HASHES_PER_FRAME = 4
POINTS_PER_FRAME = 20
RAIN_DETECTION = 3
BUFFERS = 5
_GROUPS = ("net", "sys", "nav", "driver", "mul", "ota", "base")


@dataclass(frozen=True, kw_only=True)
class Received:
    """A message that reached the mower, decoded."""

    at: float
    """Unix time."""
    device_name: str
    group: str
    """`net`, `sys`, `nav`, `driver`, …"""
    name: str
    """The field that carries it: `todev_taskctrl`, `bidire_reqconver_path`, …"""
    fields: dict[str, Any] = field(default_factory=dict)
    over: str = "cloud"
    """How it came: `cloud`, `bluetooth`."""


@dataclass(frozen=True, kw_only=True)
class Reported:
    """What a report said of where the mower was."""

    at: float
    """Unix time."""
    mode: int
    charge_state: int
    latitude: float
    longitude: float


class Conversation:
    """Hears one mower's messages and answers them."""

    def __init__(self, mower: EmulatedMower, *, iot_id: str, say: Callable[[bytes], None]) -> None:
        """Answer through `say`."""
        self.mower = mower
        self.received: list[Received] = []
        self.reported: list[Reported] = []
        self.reports = ReportStream(self.report)
        self._iot_id = iot_id
        self._send = say
        self._synced_at = -SYNCED_SECONDS
        self._hash_frames: list[Sequence[int]] = []
        self._hash_kind = 0
        self._element: MapElement | None = None

    def report(self) -> None:
        """Say how it is."""
        status, garden = self.mower.status, self.mower.garden
        latitude, longitude = garden.place(status.east, status.north)
        self.reported.append(
            Reported(
                at=time.time(),
                mode=status.mode,
                charge_state=status.charge_state,
                latitude=latitude,
                longitude=longitude,
            )
        )
        self._say(frames.report(report_data(status, garden)))

    def hear(self, raw: bytes, *, over: str = "cloud") -> None:
        """Understand a message, do what it says and answer."""
        message = LubaMsg().parse(raw)
        for group in _GROUPS:
            part = getattr(message, group)
            if part is None:
                continue
            name, value = _leaf(part)
            self.received.append(
                Received(
                    at=time.time(),
                    device_name=self.mower.name,
                    group=group,
                    name=name,
                    fields=_plain(value),
                    over=over,
                )
            )
            self._understand(group, part)

    def _understand(self, group: str, part: Any) -> None:  # noqa: ANN401  # a message of any group
        if group == "net":
            if part.todev_ble_sync:
                self._synced_at = time.monotonic()
            if part.todev_devinfo_req is not None:
                self._say(frames.firmware(self.mower.model.firmware))
        elif group == "sys":
            self._hear_system(part)
        elif group == "mul":
            if part.set_lamp is not None:
                self.mower.lights["night"] = bool(part.set_lamp.lamp_ctrl)
        elif time.monotonic() - self._synced_at > SYNCED_SECONDS:
            return
        elif group == "nav":
            self._hear_navigation(part)
        elif group == "driver":
            self._hear_driver(part)

    def _hear_system(self, part: MctlSys) -> None:
        if part.todev_report_cfg is not None:
            self.reports.configure(part.todev_report_cfg)
        if part.device_product_type_info is not None:
            self._say(frames.product(self.mower.model.main_type, self.mower.model.sub_type))
        if (light := part.todev_time_ctrl_light) is not None and light.operate == 0:
            self.mower.lights["side"] = light.enable == 0
        if part.bidire_comm_cmd is not None:
            self._hear_parameter(part.bidire_comm_cmd)

    def _hear_parameter(self, command: SysCommCmd | NavSysParamMsg) -> None:
        if command.id == BUFFERS and command.context == 1 and self.mower.garden.origin_known:
            self._say(frames.base_and_dock(self.mower.garden))
        elif command.id == BUFFERS and command.context in {2, 3}:
            self._say(frames.error_log(error_entries(self.mower.error_codes)))
        elif command.id == RAIN_DETECTION:
            if command.rw == 1:
                self.mower.status.rain_detection = command.context
            self._say(frames.parameter(RAIN_DETECTION, self.mower.status.rain_detection))

    def _hear_navigation(self, part: MctlNav) -> None:
        if (order := part.todev_taskctrl) is not None:
            self._obey(order)
        if (route := part.bidire_reqconver_path) is not None:
            self._answer_route(part)
        if part.toapp_map_name_msg is not None and route is None:
            self._say(frames.area_names(self.mower.garden.areas, self._iot_id))
        if part.todev_gethash is not None:
            self._answer_hashes(part.todev_gethash)
        if part.todev_get_commondata is not None:
            self._answer_points(part.todev_get_commondata)
        if part.nav_sys_param_cmd is not None:
            self._hear_parameter(part.nav_sys_param_cmd)
        if (plan := part.todev_planjob_set) is not None:
            self._hear_plan(plan)
        if (hours := part.todev_unable_time_set) is not None:
            self._hear_hours(hours)

    def _hear_plan(self, wish: NavPlanJobSet) -> None:
        if wish.sub_cmd == 4:  # the wire's word for an edit
            self.mower.keep_plan(wish)
        elif wish.sub_cmd == 2:  # the wire's word for a question
            plans = self.mower.plans
            told = plans[wish.plan_index] if wish.plan_index < len(plans) else NavPlanJobSet()
            self._say(frames.plan(told, index=wish.plan_index, total=len(plans)))

    def _hear_hours(self, wish: NavUnableTimeSet) -> None:
        if wish.sub_cmd == 1:  # the wire's word for a change
            self.mower.non_work_hours = (wish.unable_start_time, wish.unable_end_time) if wish.trigger else None
        self._say(frames.non_work_hours(self.mower.non_work_hours))

    def _hear_driver(self, part: MctlDriver) -> None:
        if part.todev_knife_height_set is not None:
            before = self.mower.status.knife_height_mm
            self.mower.set_knife_height(part.todev_knife_height_set.knife_height)
            self._say(frames.knife_moved(before, self.mower.status.knife_height_mm))

    def _obey(self, order: NavTaskCtrl) -> None:
        actions = {
            1: self.mower.start,
            2: self.mower.pause,
            3: self.mower.resume,
            4: self.mower.cancel,
            5: self.mower.return_to_dock,
            12: self.mower.cancel_return,
        }
        action = actions.get(order.action)
        if action is None:
            return
        result = self.mower.faults.refuse_orders or action()
        if self.mower.faults.lose_acknowledgements:
            self.mower.faults.lose_acknowledgements -= 1
            return
        self._say(frames.task_acknowledged(order.type, order.action, result, self.mower.status.mode))

    def _answer_route(self, part: MctlNav) -> None:
        route = part.bidire_reqconver_path
        if route is None:
            return
        if route.sub_cmd == 0:
            result, path_hash = self.mower.plan_route(route)
            self._say(frames.route_answer(route, path_hash=path_hash, result=result))
        elif route.sub_cmd == 2:  # the wire's word for a question
            known = self.mower.job.route if self.mower.job else self.mower.last_route
            path_hash = self.mower.job.path_hash if self.mower.job else 0
            self._say(frames.route_answer(known, path_hash=path_hash, result=0, sub_cmd=2))

    def _answer_hashes(self, request: NavGetHashList) -> None:
        if request.sub_cmd == 2:  # the wire's word for: got it, the next one
            self._say_hashes(request.current_frame + 1)
            return
        self._hash_kind = request.sub_cmd
        hashes = self.mower.garden.element_hashes if request.sub_cmd == 0 else []
        self._hash_frames = list(_chunks(hashes, HASHES_PER_FRAME)) or [()]
        self._say_hashes(1)

    def _say_hashes(self, frame: int) -> None:
        if 1 <= frame <= len(self._hash_frames):
            count = len(self._hash_frames)
            self._say(frames.hash_list(self._hash_frames[frame - 1], kind=self._hash_kind, frame=frame, frames=count))

    def _answer_points(self, request: NavGetCommData) -> None:
        if request.sub_cmd == 1:
            self._element = map_elements(self.mower.garden).get(request.hash)
            self._say_points(1)
        elif request.sub_cmd == 2:  # the wire's word for: got it, the next one
            self._say_points(request.current_frame + 1)

    def _say_points(self, frame: int) -> None:
        if self._element is None:
            return
        parts = list(_chunks(self._element.points, POINTS_PER_FRAME))
        if 1 <= frame <= len(parts):
            self._say(frames.element_points(self._element, points=parts[frame - 1], frame=frame, frames=len(parts)))

    def _say(self, raw: bytes) -> None:
        if not self.mower.faults.mute:
            self._send(raw)


def _leaf(part: Any) -> tuple[str, Any]:  # noqa: ANN401  # a message of any group
    for group in ("SubNavMsg", "SubSysMsg", "NetSubType", "SubDrvMsg", "SubMul", "SubOtaMsg", "BaseStationSubType"):
        try:
            name, value = betterproto2.which_one_of(part, group)
        except KeyError:
            continue
        return name, value
    return "", None


def _plain(value: Any) -> dict[str, Any]:  # noqa: ANN401  # a message or a bare number
    if value is None:
        return {}
    if isinstance(value, betterproto2.Message):
        return dict(value.to_dict(casing=betterproto2.Casing.SNAKE, include_default_values=True))
    return {"value": value}


def _chunks[T](items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
