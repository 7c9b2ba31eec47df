"""The frames that move a mower or ask it for a route, and how their answers are recognised."""

from collections.abc import Callable
from enum import Enum

from pymammotion.data.model.device import MowerDevice
from pymammotion.data.model.device_config import OperationSettings, build_route_information
from pymammotion.mammotion.commands.mammotion_command import MammotionCommand
from pymammotion.proto import LubaMsg, NavReqCoverPath, NavTaskCtrlAck

from edge_gateway.device_gateway.mammotion.route_settings import RouteSettings

NO_PATH = 1
"""A route's answer with a hash up to this holds no path."""
_DEFAULT_DETECTION = 2


class Move(Enum):
    """A frame that moves the mower or stops it: the vendor's number of the action."""

    START = 1
    """The planned job; with an open breakpoint the old one goes on instead."""
    PAUSE = 2
    RESUME = 3
    CANCEL = 4
    RETURN = 5
    """Sent while the mower returns it calls it back, so it never is."""
    CANCEL_RETURN = 12


def move_frame(commands: MammotionCommand, move: Move) -> bytes:
    """Return the frame."""
    builders: dict[Move, Callable[[], bytes]] = {
        Move.START: commands.start_job,
        Move.PAUSE: commands.pause_execute_task,
        Move.RESUME: commands.resume_execute_task,
        Move.CANCEL: commands.cancel_job,
        Move.RETURN: commands.return_to_dock,
        Move.CANCEL_RETURN: commands.cancel_return_to_dock,
    }
    return builders[move]()


def answer_to(move: Move) -> Callable[[LubaMsg], NavTaskCtrlAck | None]:
    """Return what picks the mower's answer to this move: a late answer to another one is none."""

    def pick(message: LubaMsg) -> NavTaskCtrlAck | None:
        ack = message.nav.todev_taskctrl_ack if message.nav is not None else None
        return ack if ack is not None and ack.action == move.value else None

    return pick


def route_frame(
    commands: MammotionCommand, device: MowerDevice, zone_hashes: tuple[int, ...], settings: RouteSettings
) -> bytes:
    """Return the frame that asks for the route of a new job."""
    wishes = OperationSettings(
        areas=list(zone_hashes),
        speed=settings.speed,
        ultra_wave=_DEFAULT_DETECTION if settings.detection is None else settings.detection,
        channel_mode=settings.pattern,
        channel_width=settings.path_spacing_cm,
        # A model whose blades are not set by the job gets the library's own number for that.
        blade_height=settings.blade_height_mm or 0,
        toward=settings.angle,
        toward_mode=settings.angle_mode,
        toward_included_angle=settings.crossing_angle,
        mowing_laps=settings.border_laps,
        obstacle_laps=settings.obstacle_laps,
        border_mode=int(settings.grid_first),
    )
    route = build_route_information(commands.get_device_name(), device, wishes)
    return commands.generate_route_information(route)


def route_answer(message: LubaMsg) -> NavReqCoverPath | None:
    """Pick the answer to a route that was asked for."""
    route = message.nav.bidire_reqconver_path if message.nav is not None else None
    return route if route is not None and route.sub_cmd == 0 else None


def route_told(message: LubaMsg) -> NavReqCoverPath | None:
    """Pick the answer to the question for the present route."""
    route = message.nav.bidire_reqconver_path if message.nav is not None else None
    return route if route is not None and route.sub_cmd == 2 else None  # noqa: PLR2004  # the vendor's word for it
