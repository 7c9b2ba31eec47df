"""Loads the library for tests, as the gateway does it, pointed at the emulated cloud of this process."""

from edge_gateway.device_gateway.mammotion.loading import load_library_now
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from tests.emulators.mammotion.address import emulator_url


def fast_settings() -> MammotionSettings:
    """Return settings with which nothing takes long; the library is loaded for them."""
    settings = MammotionSettings(
        cloud_url=emulator_url(),
        api_url=emulator_url(),
        http_timeout_seconds=3,
        answer_seconds=0.7,
        confirm_seconds=2,
        connect_seconds=2,
        order_period_seconds=0.5,
        busy_period_seconds=1,
        linger_seconds=0.5,
        silent_seconds=1.5,
        poll_idle_seconds=30,
        poll_charging_seconds=30,
        poll_docked_seconds=30,
        retry_seconds=0.3,
        retry_maximum_seconds=1,
        map_retry_seconds=1,
    )
    load_library_now(settings)
    return settings
