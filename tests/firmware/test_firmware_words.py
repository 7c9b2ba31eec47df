"""Words of ESPHome's own firmware that the gateway waits for, read from the source that ESPHome's package brings."""

import re

from edge_gateway.device_gateway.bridges.bridge import _REPLACED
from scripts.set_up.environments import ENVIRONMENTS


def test_the_gateway_understands_who_takes_the_advertisements() -> None:
    """The client that is replaced is told nothing (esphome/esphome 17423): only this line names the other."""
    (source,) = ENVIRONMENTS["esphome"].path.glob(
        "lib/python3.*/site-packages/esphome/components/bluetooth_proxy/bluetooth_proxy.cpp"
    )
    written = re.findall(r'ESP_LOGW\(TAG, "([^"]*replaces[^"]*)"', source.read_text(encoding="utf-8"))
    assert len(written) == 1, "a warning, once: the gateway asks the bridge for warnings only"
    line = written[0] % ("Home Assistant 2026.11", "192.0.2.5", "mowdeck-edge", "192.0.2.9")
    found = _REPLACED.search(f"[W][bluetooth_proxy:750]: {line}")
    assert found is not None
    assert found["thief"].startswith("Home Assistant 2026.11")
    assert found["before"].startswith("mowdeck-edge")
