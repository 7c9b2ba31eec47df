"""An emulated Home Assistant that lends its Bluetooth: it dials `/api/v1/bluetooth`, peripherals are near it."""
