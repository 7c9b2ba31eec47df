"""What a Mammotion mower can do: the same orders for all models, job settings within each model's limits."""

from pymammotion.data.model.device import MowerDevice

from edge_gateway.contracts.state_intervals import maximum_state_interval_seconds
from edge_gateway.device_gateway.mammotion.route_settings import Limits, job_settings
from edge_gateway.device_gateway.mammotion.vendor_words import read_limits, sets_blade_height
from edge_gateway.device_gateway.provider import Capabilities


def capabilities_of(device_name: str, device: MowerDevice | None) -> Capabilities:
    """Return what a mower can do; without a device of the library, which knows the model, within any model's limits."""
    limits = Limits() if device is None else read_limits(device)
    return Capabilities(
        can_resume_while_returning=True,
        has_areas=True,
        maximum_state_interval_seconds=maximum_state_interval_seconds("mammotion"),
        job_settings=job_settings(limits, sets_blade_height=sets_blade_height(device_name)),
    )
