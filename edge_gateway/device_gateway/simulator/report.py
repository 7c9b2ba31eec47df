"""What a simulated machine reports, in the gateway's words. Pure."""

import math
from datetime import datetime

from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.contracts.mower import Activity, Job, Position, Problem
from edge_gateway.device_gateway.provider import DriverState
from edge_gateway.device_gateway.simulator.gardens import Garden
from edge_gateway.device_gateway.simulator.machine import Body, Machine, MachineJob, Phase
from edge_gateway.device_gateway.simulator.route import area_m2

_METRES_PER_DEGREE = 111_320.0
_FULL_PERCENT = 100

_ACTIVITIES = {
    Phase.DOCKED: Activity.DOCKED,
    Phase.STARTING: Activity.DOCKED,
    Phase.LEAVING: Activity.MOWING,
    Phase.MOWING: Activity.MOWING,
    Phase.PAUSED: Activity.PAUSED,
    Phase.RETURNING: Activity.RETURNING,
    Phase.IDLE: Activity.IDLE,
    Phase.BROKEN: Activity.ERROR,
}


class Site:
    """Where one simulated garden lies and what its areas are called."""

    def __init__(self, vendor_key: str, *, latitude: float, longitude: float) -> None:
        """Lay the dock at these degrees."""
        self.latitude = latitude
        self.longitude = longitude
        self._prefix = vendor_key.lower()

    def area_id(self, ground: str) -> str:
        """Return our id of an area."""
        return f"{self._prefix}-{ground}"

    def ground(self, area_id: str) -> str:
        """Return the garden's key of an area."""
        return area_id.removeprefix(f"{self._prefix}-")

    def position(self, machine: Machine) -> Position:
        """Return where the machine is, in degrees."""
        east_degrees = machine.east / (_METRES_PER_DEGREE * math.cos(math.radians(self.latitude)))
        return Position(
            latitude=round(self.latitude + machine.north / _METRES_PER_DEGREE, 7),
            longitude=round(self.longitude + east_degrees, 7),
            heading_degrees=round(machine.heading_degrees, 1),
        )


def report(machine: Machine, body: Body, site: Site, *, at: datetime) -> DriverState:
    """Return the machine's report of this moment."""
    in_dock = machine.phase in {Phase.DOCKED, Phase.STARTING}
    battery = math.floor(machine.battery_percent + 1e-6)
    return DriverState(
        observed_at=at,
        activity=_ACTIVITIES[machine.phase],
        battery_percent=battery,
        charging=in_dock and battery < _FULL_PERCENT,
        on_charger=in_dock,
        position=site.position(machine),
        area_id=_area_id(machine, body, site),
        progress_percent=None if machine.job is None else _progress(machine.job, body),
        job=None
        if machine.job is None
        else Job(
            id=machine.job.id,
            started_at=machine.job.started_at,
            area_ids=tuple(site.area_id(ground) for ground in machine.job.grounds),
            resumable=not machine.job.finished,
        ),
        problem=None if machine.problem is None else Problem(code=machine.problem),
    )


def draw_map(garden: Garden, site: Site, *, mower_id: str, account_id: str, at: datetime) -> MowerMap:
    """Return the map of a garden."""
    return MowerMap(
        mower_id=mower_id,
        account_id=account_id,
        observed_at=at,
        complete=True,
        areas=tuple(
            Area(
                id=site.area_id(ground.key),
                vendor_key=ground.key,
                name=ground.name,
                boundary=ground.boundary,
                size_m2=round(area_m2(ground.boundary), 1),
            )
            for ground in garden.grounds
        ),
        obstacles=garden.obstacles,
        no_go_zones=garden.no_go_zones,
        dock=(0.0, 0.0),
        origin_latitude=site.latitude,
        origin_longitude=site.longitude,
    )


def _progress(job: MachineJob, body: Body) -> float:
    if job.finished:
        return float(_FULL_PERCENT)
    return round(min(job.distance_m / body.route(job).length_m * _FULL_PERCENT, 99.9), 1)


def _area_id(machine: Machine, body: Body, site: Site) -> str | None:
    if machine.phase is not Phase.MOWING or machine.job is None:
        return None
    ground = body.route(machine.job).place(machine.job.distance_m).ground
    return None if ground is None else site.area_id(ground)
