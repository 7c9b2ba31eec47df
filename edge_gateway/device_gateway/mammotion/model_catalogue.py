"""The models that the vendor's library knows, with what they can do: for the page of capabilities."""

from collections.abc import Iterator

import msgspec
from pymammotion.data.model.device import MowerDevice
from pymammotion.data.model.device_capabilities import DeviceConfig
from pymammotion.utility.device_type import DeviceType

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.state_intervals import maximum_state_interval_seconds
from edge_gateway.device_gateway.mammotion.mower_settings import NON_WORK_HOURS, offered_settings
from edge_gateway.device_gateway.mammotion.route_settings import Limits, job_settings
from edge_gateway.device_gateway.mammotion.vendor_plans import ALL_PLANS
from edge_gateway.device_gateway.mammotion.vendor_words import is_mower, read_limits, sets_blade_height
from edge_gateway.device_gateway.provider import Capabilities


class CatalogueModel(msgspec.Struct, frozen=True, kw_only=True):
    """One model, or several that the library does not tell apart."""

    name: str
    capabilities: Capabilities
    settings: tuple[Setting, ...]


def models() -> Iterator[CatalogueModel]:
    """Return the models, within the widest limits that any of their variants has: which it is a mower tells itself."""
    widest = _widest()
    for kind in DeviceType:
        prefix = kind.get_name().partition(",")[0]
        name = f"{prefix}0000"
        if kind is DeviceType.UNKNOWN or not is_mower(name, ""):
            continue
        limits = msgspec.structs.replace(widest, detections=read_limits(MowerDevice(name=name)).detections)
        yield CatalogueModel(
            name=str(kind.get_model()),
            capabilities=Capabilities(
                can_resume_while_returning=True,
                maximum_state_interval_seconds=maximum_state_interval_seconds("mammotion"),
                job_settings=job_settings(limits, sets_blade_height=sets_blade_height(name)),
            ),
            settings=(
                *offered_settings(name, {NON_WORK_HOURS: "off"}, limits.blade_height_mm, blade_height_mm=None),
                Setting(key=ALL_PLANS, value=None, allowed=("off",)),
            ),
        )


def _widest() -> Limits:
    """Return the widest limits of the library's table of variants."""
    config = DeviceConfig()
    variants = [*config.inner_list.values(), *config.default_list.values()]

    def span(what: str) -> tuple[float, float]:
        known = [one for one in variants if one[f"{what}_max"] > 0]
        return min(one[f"{what}_min"] for one in known), max(one[f"{what}_max"] for one in known)

    blades, spacing = span("blade_height"), span("path_spacing")
    return Limits(
        blade_height_mm=(int(blades[0]), int(blades[1])),
        speed=span("working_speed"),
        path_spacing_cm=(int(spacing[0]), int(spacing[1])),
    )
