"""What an emulated mower says: pymammotion's own protobuf messages, from the mower to the app."""

import math
import time
from collections.abc import Sequence

from pymammotion.proto import (
    AppGetAllAreaHashName,
    AreaHashName,
    CommDataCouple,
    DeviceProductTypeInfoT,
    DevNet,
    DrvDevInfoResp,
    DrvDevInfoRespId,
    DrvDevInfoResult,
    DrvKnifeChangeReport,
    LubaMsg,
    MctlDriver,
    MctlNav,
    MctlSys,
    MsgAttr,
    MsgCmdType,
    MsgDevice,
    NavGetCommDataAck,
    NavGetHashListAck,
    NavPlanJobSet,
    NavReqCoverPath,
    NavSysParamMsg,
    NavTaskCtrlAck,
    NavUnableTimeSet,
    ReportInfoData,
    RptDevLocation,
    RptDevStatus,
    RptRtk,
    RptWork,
    SystemUpdateBufMsg,
)

from tests.emulators.mammotion.elements import MapElement
from tests.emulators.mammotion.garden import EmulatedArea, Garden
from tests.emulators.mammotion.geometry import Point

_ERROR_SLOTS = 10


def wrap(
    *,
    net: DevNet | None = None,
    sys: MctlSys | None = None,
    nav: MctlNav | None = None,
    driver: MctlDriver | None = None,
) -> bytes:
    """Return one message of the mower, with its envelope."""
    kind = MsgCmdType.NAV if nav else MsgCmdType.EMBED_DRIVER if driver else MsgCmdType.EMBED_SYS
    return LubaMsg(
        msgtype=MsgCmdType.ESP if net else kind,
        sender=MsgDevice.DEV_MAINCTL,
        rcver=MsgDevice.DEV_MOBILEAPP,
        msgattr=MsgAttr.RESP,
        seqs=1,
        version=1,
        subtype=1,
        net=net,
        sys=sys,
        nav=nav,
        driver=driver,
        timestamp=round(time.time() * 1000),
    ).SerializeToString()


def report(data: ReportInfoData) -> bytes:
    """Return a state report."""
    return wrap(sys=MctlSys(toapp_report_data=data))


def zeros() -> bytes:
    """Return the report of a mower that just started: it knows nothing yet, and says 0 for all of it."""
    told = ReportInfoData(dev=RptDevStatus(), rtk=RptRtk(), locations=[RptDevLocation()], work=RptWork())
    return report(told)


def task_acknowledged(task_type: int, action: int, result: int, mode: int) -> bytes:
    """Return the answer to an order: `result` 0 is yes."""
    ack = NavTaskCtrlAck(type=task_type, action=action, result=result, nav_state=mode)
    return wrap(nav=MctlNav(todev_taskctrl_ack=ack))


def route_answer(route: NavReqCoverPath, *, path_hash: int, result: int, sub_cmd: int = 0) -> bytes:
    """Return the answer to a route: the request again, with the hash of the planned path."""
    answer = NavReqCoverPath().parse(route.SerializeToString())
    answer.sub_cmd = sub_cmd
    answer.path_hash = path_hash
    answer.result = result
    return wrap(nav=MctlNav(bidire_reqconver_path=answer))


def area_names(areas: Sequence[EmulatedArea], device_id: str) -> bytes:
    """Return the list of the areas' names."""
    names = [AreaHashName(name=area.name, hash=area.hash) for area in areas]
    return wrap(nav=MctlNav(toapp_all_hash_name=AppGetAllAreaHashName(device_id=device_id, hashnames=names)))


def hash_list(hashes: Sequence[int], *, kind: int, frame: int, frames: int) -> bytes:
    """Return one frame of the list of map elements (`kind` is the request's sub-command)."""
    ack = NavGetHashListAck(
        pver=1,
        sub_cmd=kind,
        total_frame=frames,
        current_frame=frame,
        hash_len=len(hashes),
        data_couple=list(hashes),
    )
    return wrap(nav=MctlNav(toapp_gethash_ack=ack))


def element_points(element: MapElement, *, points: Sequence[Point], frame: int, frames: int) -> bytes:
    """Return one frame of a map element's points."""
    ack = NavGetCommDataAck(
        pver=1,
        sub_cmd=1,
        action=8,
        type=element.type,
        hash=element.hash,
        total_frame=frames,
        current_frame=frame,
        data_len=len(points),
        data_couple=[CommDataCouple(x=x, y=y) for x, y in points],
    )
    return wrap(nav=MctlNav(toapp_get_commondata_ack=ack))


def base_and_dock(garden: Garden) -> bytes:
    """Return where base station (radians) and dock (metres) stand; the numbers are scaled as on the wire."""
    buffer = [0] * 16
    buffer[0] = 1
    buffer[5], buffer[6] = (
        round(math.radians(degrees) * 1e8) for degrees in (garden.base_latitude, garden.base_longitude)
    )
    buffer[7], buffer[8] = (round(metres * 1e4) for metres in garden.dock)
    buffer[13] = round(garden.base_yaw * 1e8)
    return wrap(sys=MctlSys(system_update_buf=SystemUpdateBufMsg(update_buf_data=buffer)))


def error_log(codes: Sequence[tuple[int, int]]) -> bytes:
    """Return the log of errors, newest first: pairs of code and Unix time."""
    slots = [*codes, *[(0, 0)] * _ERROR_SLOTS][:_ERROR_SLOTS]
    buffer = [2, 0, len(codes), *(number for slot in slots for number in slot)]
    return wrap(sys=MctlSys(system_update_buf=SystemUpdateBufMsg(update_buf_data=buffer)))


def firmware(version: str) -> bytes:
    """Return the version of the main firmware."""
    info = DrvDevInfoRespId(id=1, type=6, res=DrvDevInfoResult.DRV_RESULT_SUC, info=version)
    return wrap(net=DevNet(toapp_devinfo_resp=DrvDevInfoResp(resp_ids=[info])))


def product(main_type: str, sub_type: str) -> bytes:
    """Return the model's codes."""
    info = DeviceProductTypeInfoT(result=1, main_product_type=main_type, sub_product_type=sub_type)
    return wrap(sys=MctlSys(device_product_type_info=info))


def plan(stored: NavPlanJobSet, *, index: int, total: int) -> bytes:
    """Return a stored plan."""
    stored.sub_cmd, stored.plan_index, stored.total_plan_num = 2, index, total
    return wrap(nav=MctlNav(todev_planjob_set=stored))


def non_work_hours(hours: tuple[str, str] | None) -> bytes:
    """Return the hours in which it does not work."""
    start, end = hours or ("", "")
    told = NavUnableTimeSet(sub_cmd=2, trigger=int(hours is not None), unable_start_time=start, unable_end_time=end)
    return wrap(nav=MctlNav(todev_unable_time_set=told))


def parameter(parameter_id: int, value: int) -> bytes:
    """Return the value of a setting."""
    return wrap(nav=MctlNav(nav_sys_param_cmd=NavSysParamMsg(rw=0, id=parameter_id, context=value)))


def knife_moved(before: int, after: int) -> bytes:
    """Return the report that the blade's height changed, in millimetres."""
    change = DrvKnifeChangeReport(is_start=0, start_height=before, end_height=after, cur_height=after)
    return wrap(driver=MctlDriver(toapp_knife_status_change=change))
