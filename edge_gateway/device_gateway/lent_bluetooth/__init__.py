"""Home Assistant's Bluetooth, lent to the gateway: its scanners hear mowers, its connections carry their frames."""
