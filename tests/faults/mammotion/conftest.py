"""The library is loaded as the gateway does it, before anything of it is imported."""

from tests.emulators.mammotion.loaded import fast_settings

SETTINGS = fast_settings()
