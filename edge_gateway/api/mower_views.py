"""A mower as the API shows it: its record, its last state and whether it is reached, merged. Pure."""

from edge_gateway.contracts.fleet import MowerReply
from edge_gateway.contracts.mower import Activity, MowerAvailability, MowerState
from edge_gateway.contracts.views import MowerView, PositionView

GATEWAY_STOPPED = "gateway_stopped"
"""The reason of a mower whose device gateway does not answer."""

NEVER_HEARD = "never_heard"
"""The reason of a mower of which nothing has been heard yet."""


def merge(
    record: MowerReply, state: MowerState | None, availability: MowerAvailability | None, *, gateway_alive: bool
) -> MowerView:
    """Return the view. Live values keep what was last known; `available` says whether they can be trusted now."""
    mower = record.mower
    available, reason = _availability(availability, gateway_alive=gateway_alive)
    return MowerView(
        id=mower.id,
        name=mower.name,
        provider=mower.provider,
        model=mower.model,
        firmware_version=mower.firmware_version,
        newest_firmware_version=mower.newest_firmware_version,
        serial_number=mower.serial_number,
        site_id=mower.site_id,
        available=available,
        unavailable_reason=reason,
        activity=Activity.UNKNOWN if state is None else state.activity,
        battery_percent=None if state is None else state.battery_percent,
        charging=None if state is None else state.charging,
        position=_position(state),
        area_id=None if state is None else state.area_id,
        areas=record.areas,
        progress_percent=None if state is None else state.progress_percent,
        job=None if state is None else state.job,
        obey_rain=mower.obey_rain,
        problem=None if state is None else state.problem,
        links=() if availability is None or not gateway_alive else availability.links,
        observed_at=None if state is None else state.observed_at,
    )


def _availability(availability: MowerAvailability | None, *, gateway_alive: bool) -> tuple[bool, str | None]:
    if not gateway_alive:
        return False, GATEWAY_STOPPED
    if availability is None:
        return False, NEVER_HEARD
    return availability.available, None if availability.available else availability.reason


def _position(state: MowerState | None) -> PositionView | None:
    if state is None or state.position is None:
        return None
    return PositionView(
        latitude=state.position.latitude, longitude=state.position.longitude, observed_at=state.observed_at
    )
