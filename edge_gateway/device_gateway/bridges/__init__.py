"""Bluetooth bridges (ESPHome): kept with their keys, connected, watched, and lent to the vendors' adapters."""
