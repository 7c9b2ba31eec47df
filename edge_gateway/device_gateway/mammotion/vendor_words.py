"""Reads the library's models into the structs of this room: state, map, limits, settings."""

import json
import math
from datetime import datetime
from typing import Any

from pymammotion.data.model.coordinates import CoordinateConverter
from pymammotion.data.model.device import Device, MowerDevice
from pymammotion.data.model.device_capabilities import DeviceConfig
from pymammotion.data.model.generate_route_information import GenerateRouteInformation
from pymammotion.data.model.hash_list import FrameList, HashList
from pymammotion.data.model.mowing_modes import DetectionStrategy
from pymammotion.utility.device_type import DeviceType

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.map import Point
from edge_gateway.contracts.mower import Problem
from edge_gateway.device_gateway.mammotion.firmware import firmware_of, newest_firmware_of
from edge_gateway.device_gateway.mammotion.map_mapping import VendorArea, VendorMap
from edge_gateway.device_gateway.mammotion.memory import Base
from edge_gateway.device_gateway.mammotion.problems import error_word
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.mammotion.route_settings import Limits, RouteSettings
from edge_gateway.device_gateway.provider import FoundMower, LoggedProblem

_device_config = DeviceConfig()
_FULL_PERCENT = 100
_POSITION_UNITS = 10_000
"""Of a metre, in a report's place."""
_POLE, _HALF_TURN = 90, 180
_FARTHEST_DEGREES = 0.5
"""No mower is farther from its base station than some kilometres."""


def read_state(device: MowerDevice, *, observed_at: datetime, reported: bool) -> Reading:
    """Return what a mower told. `reported`: a full report came since we listen, not only single values."""
    report = device.report_data
    status, work = report.dev, report.work
    # Without a mode it just started, and says 0 for all that it does not know yet.
    reported = reported and status.sys_status != 0
    located = reported and bool(report.locations) and _stands_by_its_base(device)
    return Reading(
        observed_at=observed_at,
        # 0 is both "not active" and the library's default for never told.
        mode=status.sys_status or None,
        charge_state=status.charge_state if reported else None,
        battery_percent=status.battery_val if 0 < status.battery_val <= _FULL_PERCENT else None,
        breakpoint=work.bp_info if reported else None,
        mow_percent=work.mow_percent if reported else None,
        path_hash=work.path_hash if reported else None,
        zone_hash=device.location.work_zone or None,
        place=device.location.position_type if reported else None,
        self_check=status.self_check_status if reported else None,
        knife_height_mm=work.knife_height or None,
        latitude=device.location.device.latitude if located else None,
        longitude=device.location.device.longitude if located else None,
        job_zone_hashes=tuple(device.work.zone_hashs),
        error_codes=tuple(device.errors.active_codes),
        map_hash=report.locations[0].bol_hash if reported and report.locations else None,
    )


def read_map(device: MowerDevice) -> VendorMap:
    """Return the map as far as it is known."""
    hashes = device.map
    base, dock = device.location.RTK, device.location.dock
    reported = device.report_data.locations
    current = not reported or reported[0].bol_hash == hashes.computed_bol_hash
    names = {number: name.name for name in hashes.area_name if (number := _number(name.hash)) is not None}
    base_known = base_is_placed(device)
    return VendorMap(
        complete=current and bool(hashes.root_hash_lists) and not hashes.find_incomplete_hashes(0),
        areas=tuple(
            VendorArea(hash=key, name=names.get(key) or frames.name, outline=_points(frames))
            for key, frames in hashes.area.items()
        ),
        obstacles=_outlines(hashes.obstacle),
        no_go_zones=(*_outlines(hashes.no_go_zone), *_outlines(hashes.no_go_zone_variant)),
        # The library calls the dock's metres east longitude and its metres north latitude.
        dock=(dock.longitude, dock.latitude) if base_known else None,
        base_yaw=base.yaw,
        base_latitude=_degrees(base.latitude) if base_known else None,
        base_longitude=_degrees(base.longitude) if base_known else None,
    )


def map_is_stale(device: MowerDevice, reading: Reading) -> bool:
    """Tell whether the mower has another map than the one that is known."""
    if reading.map_hash is None:
        return False
    hashes = device.map
    return reading.map_hash != hashes.computed_bol_hash or bool(hashes.find_incomplete_hashes(0))


def base_is_placed(device: MowerDevice) -> bool:
    """Tell whether the mower knows where its base station stands."""
    base = device.location.RTK
    return base.latitude != 0.0 or base.longitude != 0.0


def read_base(device: MowerDevice) -> Base | None:
    """Return where base station and dock stand; null until the mower told."""
    base, dock = device.location.RTK, device.location.dock
    if not base_is_placed(device):
        return None
    return Base(
        latitude=base.latitude,
        longitude=base.longitude,
        yaw=base.yaw,
        dock_east=dock.longitude,
        dock_north=dock.latitude,
        dock_rotation=dock.rotation,
    )


def recall_base(device: MowerDevice, base: Base) -> None:
    """Tell the library's model where base station and dock stood when the mower last told."""
    location = device.location
    location.RTK.latitude, location.RTK.longitude, location.RTK.yaw = base.latitude, base.longitude, base.yaw
    location.dock.longitude, location.dock.latitude = base.dock_east, base.dock_north
    location.dock.rotation = base.dock_rotation
    reported = device.report_data.locations
    if reported:
        # A report that came before was reckoned without the base.
        east, north = reported[0].real_pos_x / _POSITION_UNITS, reported[0].real_pos_y / _POSITION_UNITS
        sine, cosine = math.sin(base.yaw), math.cos(base.yaw)
        location.device = CoordinateConverter(base.latitude, base.longitude).enu_to_lla(
            sine * east + cosine * north, cosine * east - sine * north
        )


def _stands_by_its_base(device: MowerDevice) -> bool:
    """Tell whether the place can be meant: one that was reckoned before the base's place came lies at 0, 0."""
    base, place = device.location.RTK, device.location.device
    if not base_is_placed(device) or (place.latitude, place.longitude) == (0.0, 0.0):
        return False
    north = place.latitude - _degrees(base.latitude)
    east = place.longitude - _degrees(base.longitude)
    inside = abs(place.latitude) <= _POLE and abs(place.longitude) <= _HALF_TURN
    return inside and math.hypot(north, east) <= _FARTHEST_DEGREES


def read_limits(device: MowerDevice) -> Limits:
    """Return what the model can do; the library's guesses for models that it does not know do not count."""
    keys = (device.mower_state.sub_model_id, device.mower_state.product_key)
    known = next((found for key in keys if key and (found := _device_config.get_working_parameters(key))), None)
    detections = _detections(device)
    if known is None:
        return Limits(detections=detections)
    blades, speed, spacing = known.blade_height, known.working_speed, known.path_spacing
    return Limits(
        blade_height_mm=(int(blades.min), int(blades.max)) if blades.max > 0 else None,
        speed=(speed.min, speed.max) if speed.max > 0 else None,
        path_spacing_cm=(int(spacing.min), int(spacing.max)) if spacing.max > 0 else None,
        detections=detections,
    )


def _detections(device: MowerDevice) -> dict[str, int]:
    """Return the ways to treat obstacles that the model has with its firmware, by their names."""
    ways = DetectionStrategy.for_device(device.name, firmware_of(device) or "")
    return {way.option_key(ways): int(way) for way in ways}


def sets_blade_height(device_name: str) -> bool:
    """Tell whether a job sets the blades of this model."""
    return not DeviceType.is_yuka(device_name)


def read_settings(device: MowerDevice) -> RouteSettings | None:
    """Return the settings of the job that the mower last told of; null when it told none."""
    work = device.work
    if work.speed <= 0 or work.channel_width <= 0:
        return None
    order = GenerateRouteInformation.decode_path_order(work.reserved)
    return RouteSettings(
        blade_height_mm=work.knife_height if work.knife_height > 0 else None,
        speed=round(work.speed, 3),
        path_spacing_cm=work.channel_width,
        pattern=work.channel_mode,
        angle=work.toward,
        angle_mode=work.toward_mode,
        crossing_angle=work.toward_included_angle or 90,
        border_laps=work.edge_mode,
        obstacle_laps=order.obstacle_laps if work.reserved else 1,
        grid_first=bool(order.edge_mode) if work.reserved else False,
        detection=work.ultra_wave,
    )


def read_problem_log(device: MowerDevice) -> tuple[LoggedProblem, ...]:
    """Return the mower's log of errors, newest first."""
    log = device.errors
    return tuple(
        LoggedProblem(problem=Problem(code=error_word(code), vendor_code=str(abs(code))), logged_at=at)
        for code, at in zip(log.err_code_list, log.logged_at, strict=False)
        if code != 0
    )


def has_headlight(device_name: str) -> bool:
    """Tell whether the model has a light for the night."""
    return not DeviceType.is_luba1(device_name)


def read_facts(device: MowerDevice) -> tuple[Setting, ...]:
    """Return what the mower tells of its wear and its firmware; what it never told is left out."""
    wear, update = device.report_data.maintenance, device.update_check
    facts = (
        ("blade_used_minutes", wear.blade_used_time.blade_used_time, "min"),
        ("blade_warning_minutes", wear.blade_used_time.blade_used_warn_time, "min"),
        ("driven_metres", wear.mileage, "m"),
        ("worked_minutes", wear.work_time, "min"),
        ("battery_cycles", wear.bat_cycles, None),
        ("firmware_version", firmware_of(device), None),
        ("update_progress_percent", update.progress if update.isupgrading else None, "%"),
    )
    return tuple(Setting(key=key, value=value, unit=unit, read_only=True) for key, value, unit in facts if value)


def mower_model(device_name: str, product_key: str) -> str | None:
    """Return the model's name."""
    kind = DeviceType.value_of_str(device_name, product_key)
    return None if kind is DeviceType.UNKNOWN else str(kind.get_model())


def found_mower(device_name: str, product_key: str, device: Device | None, vendor_account_id: str) -> FoundMower:
    """Return a mower of an account as the gateway is told of it; `device` is null while the account is not reached."""
    return FoundMower(
        vendor_key=device_name,
        vendor_account_id=vendor_account_id,
        name=device_name,
        model=mower_model(device_name, product_key),
        firmware_version=None if device is None else firmware_of(device),
        newest_firmware_version=None if device is None else newest_firmware_of(device),
        serial_number=device_name,
    )


def is_mower(device_name: str, product_key: str) -> bool:
    """Tell mowers from base stations and pool cleaners."""
    return not (DeviceType.is_rtk(device_name, product_key) or DeviceType.is_swimming_pool(device_name, product_key))


def remembered_mowers(tokens: str) -> tuple[tuple[str, str], ...]:
    """Return name and product key of the mowers that a kept login (JSON) knows; nothing is asked for that."""
    kept = json.loads(tokens)
    direct = (kept.get("mammotion_device_records") or {}).get("records") or []
    older = ((kept.get("device_data") or {}).get("data") or {}).get("data") or []
    named = {
        record.get("deviceName") or record.get("device_name"): record.get("productKey")
        or record.get("product_key")
        or ""
        for record in (*older, *direct)
    }
    return tuple((name, key) for name, key in named.items() if name and is_mower(name, key))


def tokens_text(cache: dict[str, Any]) -> str:
    """Return the library's login data as JSON: a secret."""
    return json.dumps(cache, default=lambda model: model.to_dict())


def _outlines(elements: dict[int, FrameList]) -> tuple[tuple[Point, ...], ...]:
    return tuple(_points(frames) for frames in elements.values())


def _points(frames: FrameList) -> tuple[Point, ...]:
    ordered = sorted(frames.data, key=lambda frame: frame.current_frame)
    return tuple((point.x, point.y) for frame in ordered for point in frame.data_couple)


def _number(value: object) -> int | None:
    """Return a number as it is; the library takes over from broken frames what is none."""
    return value if isinstance(value, int) else None


def _degrees(radians: float) -> float:
    return round(math.degrees(radians), 8)


def known_zone_hashes(hashes: HashList) -> frozenset[int]:
    """Return the hashes of the areas that the map has now."""
    return frozenset(hashes.area)
