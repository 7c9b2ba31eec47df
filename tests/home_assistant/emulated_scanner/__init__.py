"""For a Home Assistant that is a process of its own: one Bluetooth scanner, with another process's mowers before it.

```yaml
emulated_scanner:
  root: the work tree, where the tests are imported from
  port: of the air
```
"""

import importlib
import sys
from datetime import datetime, timedelta
from typing import Any

from homeassistant.core import HomeAssistant, ServiceCall, callback
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.typing import ConfigType

ADVERTISE_EVERY = timedelta(seconds=1)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Put the scanner up, and an action that loses every connection."""
    settings = config["emulated_scanner"]
    sys.path.append(settings["root"])
    far: Any = await hass.async_add_executor_job(importlib.import_module, "tests.emulators.air.far")
    scanners: Any = await hass.async_add_executor_job(importlib.import_module, "tests.home_assistant.scanner.scanner")
    peripherals = await far.peripherals_at(settings["port"])
    scanner = scanners.EmulatedScanner()
    scanner.register(hass)

    @callback
    def advertise(_now: datetime | None = None) -> None:
        connected = {client.address for client in scanner.air.clients}
        for peripheral in peripherals:
            if peripheral.mac not in connected:
                scanner.hear(peripheral)

    @callback
    def lose(_call: ServiceCall) -> None:
        scanner.air.drop()

    hass.services.async_register("emulated_scanner", "lose", lose)
    advertise()
    async_track_time_interval(hass, advertise, ADVERTISE_EVERY, cancel_on_shutdown=True)
    return True
