"""Loads the library as the gateway does it, before a test imports it."""

from tests.emulators.mammotion.loaded import fast_settings

fast_settings()
