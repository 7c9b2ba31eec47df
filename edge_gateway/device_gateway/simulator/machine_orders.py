"""What an order makes of a simulated machine. Pure; raises `RefusedError` where the machine says no."""

from datetime import datetime

import msgspec

from edge_gateway.device_gateway.simulator.faults import Fault
from edge_gateway.device_gateway.simulator.machine import (
    LOW_BATTERY_PERCENT,
    MOVING,
    STARTING_SECONDS,
    Body,
    Machine,
    MachineJob,
    Phase,
    break_down,
    is_home,
)

_CARRIED_METRES = 500.0
"""So far a mower that is carried away is from its dock."""
_START_PERCENT = LOW_BATTERY_PERCENT + 5.0


class RefusedError(Exception):
    """The machine says no; the text is its reason as a vendor would code it."""


def start(machine: Machine, *, job_id: str, grounds: tuple[str, ...], angle_degrees: float, at: datetime) -> Machine:
    """Begin a new job; an open one is refused (it is cancelled first)."""
    if machine.open_job is not None:
        reason = "job_open"
        raise RefusedError(reason)
    _check_can_leave(machine)
    job = MachineJob(id=job_id, started_at=at, grounds=grounds, angle_degrees=angle_degrees)
    return _leave(msgspec.structs.replace(machine, job=job, jobs_made=machine.jobs_made + 1))


def resume(machine: Machine, body: Body) -> Machine:
    """Go on with the open job."""
    if machine.open_job is None:
        reason = "no_job"
        raise RefusedError(reason)
    if machine.phase is Phase.RETURNING and not body.model.turns_back:
        reason = "returning"
        raise RefusedError(reason)
    _check_can_leave(machine)
    return _leave(machine)


def pause(machine: Machine) -> Machine:
    """Stop where it is."""
    if machine.phase is Phase.STARTING:
        return msgspec.structs.replace(machine, phase=Phase.DOCKED, goes_on=False)
    if machine.phase in MOVING:
        stopped = Phase.IDLE if machine.open_job is None else Phase.PAUSED
        return msgspec.structs.replace(machine, phase=stopped, goes_on=False, job=machine.open_job)
    return machine


def return_home(machine: Machine) -> Machine:
    """Go home; a machine that is on its way home already turns back, as some vendors' do."""
    match machine.phase:
        case Phase.BROKEN:
            reason = "problem"
            raise RefusedError(reason)
        case Phase.RETURNING:
            return msgspec.structs.replace(
                machine, phase=Phase.IDLE if machine.open_job is None else Phase.PAUSED, job=machine.open_job
            )
        case Phase.STARTING:
            return msgspec.structs.replace(machine, phase=Phase.DOCKED, goes_on=False)
        case Phase.DOCKED:
            return msgspec.structs.replace(machine, goes_on=False)
        case _:
            return break_down(msgspec.structs.replace(machine, phase=Phase.RETURNING, goes_on=False))


def cancel(machine: Machine) -> Machine:
    """End the job, finished or not."""
    match machine.phase:
        case Phase.LEAVING | Phase.MOWING | Phase.PAUSED:
            phase = Phase.IDLE
        case Phase.STARTING:
            phase = Phase.DOCKED
        case _:
            phase = machine.phase
    return msgspec.structs.replace(machine, phase=phase, job=None, goes_on=False)


def set_fault(machine: Machine, fault: Fault) -> Machine:
    """Let something be wrong, or right again: a machine that a problem stopped waits where it stands."""
    was_away = machine.fault is Fault.CARRIED_AWAY
    machine = msgspec.structs.replace(machine, fault=fault)
    if fault is Fault.CARRIED_AWAY:
        return msgspec.structs.replace(
            machine, phase=Phase.IDLE, east=_CARRIED_METRES, north=0.0, job=None, goes_on=False, problem=None
        )
    if was_away:
        machine = msgspec.structs.replace(machine, phase=Phase.DOCKED, east=0.0, north=0.0)
    if machine.phase is not Phase.BROKEN or fault is not Fault.NONE:
        return break_down(machine)
    rest = Phase.DOCKED if is_home(machine) else Phase.IDLE if machine.open_job is None else Phase.PAUSED
    return msgspec.structs.replace(machine, phase=rest, problem=None)


def _check_can_leave(machine: Machine) -> None:
    if machine.phase is Phase.BROKEN:
        reason = "problem"
        raise RefusedError(reason)
    if machine.battery_percent < _START_PERCENT:
        reason = "battery_low"
        raise RefusedError(reason)


def _leave(machine: Machine) -> Machine:
    if machine.fault is Fault.NO_MOTION or machine.phase in {Phase.LEAVING, Phase.MOWING, Phase.STARTING}:
        return machine
    if machine.phase is Phase.DOCKED:
        return msgspec.structs.replace(machine, phase=Phase.STARTING, starting_seconds=STARTING_SECONDS, goes_on=False)
    return break_down(msgspec.structs.replace(machine, phase=Phase.LEAVING, goes_on=False))
