"""Home Assistant's Bluetooth, adapters and proxies, lent to a gateway for the mowers whose owners want that.

`lending.py` begins it and imports the rest only where there is Bluetooth: elsewhere its libraries need not be there.
"""
