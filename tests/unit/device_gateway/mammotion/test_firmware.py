"""Which firmware is the newest, from what the vendor's cloud answered."""

from dataclasses import replace

import pytest
from pymammotion.data.model.device import MowerDevice
from pymammotion.data.model.device_info import DeviceFirmwares
from pymammotion.http.model.http import CheckDeviceVersion, ProductVersionInfo

from edge_gateway.device_gateway.mammotion.firmware import firmware_of, newest_firmware_of, take_check

OFFER = ProductVersionInfo(release_version="1.31.0.4")


@pytest.mark.parametrize(
    ("answer", "firmware", "newest"),
    [
        (CheckDeviceVersion(current_version="1.30.2.1", upgradeable=True, product_version_info_vo=OFFER),
         "1.30.2.1", "1.31.0.4"),
        (CheckDeviceVersion(current_version="1.30.2.1"), "1.30.2.1", "1.30.2.1"),
        (CheckDeviceVersion(current_version="1.30.2.1", product_version_info_vo=OFFER), "1.30.2.1", "1.30.2.1"),
        (CheckDeviceVersion(current_version="1.30.2.1", upgradeable=True), "1.30.2.1", None),
        (CheckDeviceVersion(current_version="1.30.2.1", upgradeable=True, product_version_info_vo=ProductVersionInfo()),
         "1.30.2.1", None),
        (CheckDeviceVersion(upgradeable=True, product_version_info_vo=OFFER), None, None),
        (CheckDeviceVersion(current_version="", upgradeable=True, product_version_info_vo=OFFER), None, None),
    ],
)  # fmt: skip
def test_what_is_offered_is_the_newest_and_else_what_it_has(
    answer: CheckDeviceVersion, firmware: str | None, newest: str | None
) -> None:
    device = MowerDevice(name="Luba-VPEMU0001")
    assert (firmware_of(device), newest_firmware_of(device)) == (None, None)
    take_check(device, answer)
    assert (firmware_of(device), newest_firmware_of(device)) == (firmware, newest)


def test_what_the_mower_tells_later_counts_and_a_look_leaves_no_progress_standing() -> None:
    device = MowerDevice(name="Luba-VPEMU0001")
    take_check(device, CheckDeviceVersion(current_version="1.30.2.1", isupgrading=True, progress=40))
    assert not device.update_check.isupgrading
    device = replace(device, device_firmwares=DeviceFirmwares(device_version="1.31.0.4"))
    assert (firmware_of(device), newest_firmware_of(device)) == ("1.31.0.4", "1.31.0.4")
