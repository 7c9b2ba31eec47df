"""The WebSocket over which Home Assistant lends its Bluetooth: checked here, handed on to the device gateway."""
