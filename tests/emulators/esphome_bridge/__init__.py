"""An emulated ESPHome Bluetooth bridge: its native API on loopback, and emulated peripherals on the other side.

It does what ESPHome 2026.10 does (and 2026.6 where that differs): one subscriber of advertisements, who alone gets
every Bluetooth answer; a number of connections; GATT by handles.
"""
