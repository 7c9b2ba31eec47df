"""Which firmware a mower has, and which is the newest that the vendor offers for it."""

from dataclasses import replace

from pymammotion.data.model.device import Device, MowerDevice
from pymammotion.http.model.http import CheckDeviceVersion
from pymammotion.transport.cloud import CloudTransport

_NO_VERSIONS = frozenset({"", "1.0.0.0"})
"""What the library has where nobody told a version."""


def firmware_of(device: Device) -> str | None:
    """Return the main firmware's version; null until it was told."""
    version = device.main_firmware_version
    return version or (device.mower_state.swversion if isinstance(device, MowerDevice) else None) or None


def newest_firmware_of(device: Device) -> str | None:
    """Return the newest version that the vendor offers, the one that the mower has among them; null until it told."""
    check = device.update_check
    if check.current_version in _NO_VERSIONS:
        return None
    if not check.upgradeable:
        return firmware_of(device)
    offered = check.product_version_info_vo
    return None if offered is None else offered.release_version or None


def take_check(device: Device, check: CheckDeviceVersion) -> None:
    """Let the library's model know what the vendor answered; an answer without the mower's own version says nothing."""
    if check.current_version not in _NO_VERSIONS:
        # Who asks once a day would show the progress of an update for a day: that is left to the mower's own reports.
        device.apply_version_check(replace(check, isupgrading=False))


def send_limit_holds(firmware: str | None) -> bool:
    """Tell whether the vendor's limit of messages holds for a mower; of an unknown firmware it is taken to."""
    return bool(CloudTransport.version_is_rate_limited(firmware or ""))
