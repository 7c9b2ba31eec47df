"""An emulated Bluetooth scanner for Home Assistant's own Bluetooth, and the GATT client over which it connects.

It takes the place of an adapter or a proxy; what is behind it are emulated peripherals.
"""
