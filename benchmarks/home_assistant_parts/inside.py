"""The Home Assistant that is measured: a process of its own that says in lines what it needs, and ends with figures."""

import asyncio
import gc
import json
import logging
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from homeassistant import bootstrap
from homeassistant.components.mqtt.const import CONFIG_ENTRY_MINOR_VERSION, CONFIG_ENTRY_VERSION
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EVENT_STATE_CHANGED
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.registry import SAVE_DELAY
from homeassistant.runner import RuntimeConfig

from benchmarks.home_assistant_parts.blocks import Blocks
from tests.emulators.gateway.documents import GATEWAY_ID

ROOT = Path(__file__).resolve().parents[2]
MOWERS = 50
PATIENCE_SECONDS = 120.0
AT_ONCE = 5
"""Mowers whose values MQTT is given in one moment, once more: as many as the gateway tells of in one."""


@dataclass(frozen=True)
class Told:
    """What a stretch of reports cost."""

    cpu_seconds: float
    writes: int


async def ask(order: str) -> None:
    """Have the outer process do something, and wait until it is done."""
    print(order, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that nothing tells of."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110  # nothing tells of it, and it is no part of what is measured
            await asyncio.sleep(0.05)


def make_entry(domain: str, version: int, minor_version: int, unique_id: str | None, **data: Any) -> ConfigEntry[Any]:  # noqa: ANN401  # JSON
    """Return an entry that is not added yet."""
    return ConfigEntry(
        data=data,
        discovery_keys=MappingProxyType({}),
        domain=domain,
        minor_version=minor_version,
        options={},
        source="user",
        subentries_data=None,
        title=domain,
        unique_id=unique_id,
        version=version,
    )


class Measurement:
    """One Home Assistant and what it was made to do."""

    def __init__(self, hass: HomeAssistant, seconds: int) -> None:
        """Feed it for so many seconds at a time."""
        self.hass = hass
        self.blocks = Blocks()
        self._seconds = seconds
        self._writes = 0
        hass.bus.async_listen(EVENT_STATE_CHANGED, self._count)

    @callback
    def _count(self, _event: Event[EventStateChangedData]) -> None:
        self._writes += 1

    def states(self) -> int:
        """Return how many entities show something that is known."""
        return sum(state.state != "unavailable" for state in self.hass.states.async_all())

    async def feed(self, order: str, *arguments: str) -> Told:
        """Let the outer process report, and subtract what the same time costs without."""
        gc.collect()
        begun = time.thread_time()
        await asyncio.sleep(self._seconds)
        idle = time.thread_time() - begun
        begun, writes = time.thread_time(), self._writes
        await ask(" ".join((order, str(self._seconds), *arguments)))
        return Told(cpu_seconds=time.thread_time() - begun - idle, writes=self._writes - writes)

    async def as_ours(self, act: Coroutine[Any, Any, Any]) -> None:
        """Do something in a task of its own, which counts as ours: in this one its callbacks would not."""
        await self.hass.async_create_task(act, "mowdeck", eager_start=False)

    async def registries_written(self) -> None:
        """Wait until Home Assistant has written down what was set up, which is no part of any report."""
        await asyncio.sleep(SAVE_DELAY + 2)
        await self.hass.async_block_till_done()

    async def mowdeck(self, port: int, token: str) -> dict[str, Any]:
        """Measure the integration."""
        hass = self.hass
        entry = make_entry("mowdeck", 1, 1, GATEWAY_ID, host="127.0.0.1", port=port, token=token)
        seconds: dict[str, float] = {}
        cpu: dict[str, float] = {}

        async def timed(name: str, act: Callable[[], Any]) -> None:
            begun, begun_cpu = time.perf_counter(), time.thread_time()
            with self.blocks.phase(name):
                await act()
                await hass.async_block_till_done()
            seconds[name] = time.perf_counter() - begun
            cpu[name] = time.thread_time() - begun_cpu
            # What is asked for afterwards is no part of it, and none of what follows.
            with self.blocks.phase("lookups"):
                await until(lambda: all(len(each.values) == MOWERS for each in entry.runtime_data.lookups[:2]))

        await timed("setup_empty", lambda: hass.config_entries.async_add(entry))
        shown = self.states()
        await hass.config_entries.async_unload(entry.entry_id)
        await timed("setup_full", lambda: self.as_ours(hass.config_entries.async_setup(entry.entry_id)))
        await self.registries_written()
        told = await self.feed("feed_gateway")
        # Once more: what measures each callback costs as much as a small one.
        with self.blocks.phase("reports"):
            await ask(f"feed_gateway {self._seconds}")
        with self.blocks.phase("loss"):
            await ask("stop_gateway")
            await until(lambda: self.states() < shown / 10)
        with self.blocks.phase("return"):
            await ask("start_gateway")
            await until(lambda: self.states() >= shown)
        with self.blocks.phase("reload"):
            await self.as_ours(hass.config_entries.async_reload(entry.entry_id))
            await hass.async_block_till_done()
        entities = len(er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id))
        await hass.config_entries.async_unload(entry.entry_id)
        return {
            "integration_cpu_percent": round(100 * told.cpu_seconds / self._seconds, 2),
            "longest_block_ms": round(max(self.blocks.longest_ms.values()), 2),
            "setup_seconds": round(max(seconds.values()), 2),
            "setup_seconds_by_registry": {name: round(each, 2) for name, each in seconds.items()},
            "setup_cpu_seconds": {name: round(each, 2) for name, each in cpu.items()},
            "longest_block_ms_by_phase": {name: round(each, 2) for name, each in self.blocks.longest_ms.items()},
            "longest_block_of": {name: each[:160] for name, each in self.blocks.culprits.items()},
            "longest_block_ms_with_collections": round(max(self.blocks.longest_with_collections_ms.values()), 2),
            "longest_block_ms_with_collections_by_phase": {
                name: round(each, 2) for name, each in self.blocks.longest_with_collections_ms.items()
            },
            "longest_block_ms_of_others_by_phase": {
                name: round(each, 2) for name, each in self.blocks.longest_of_others_ms.items()
            },
            "longest_block_of_others": {name: each[:160] for name, each in self.blocks.culprits_of_others.items()},
            "entities": entities,
            "states": shown,
            "state_writes": told.writes,
            "cpu_ms_per_state_write": round(1000 * told.cpu_seconds / told.writes, 4),
        }

    async def mqtt(self, port: int) -> dict[str, Any]:
        """Measure Home Assistant's own MQTT integration with as many state writes."""
        hass = self.hass
        data = {"broker": "127.0.0.1", "port": port, "discovery": True, "protocol": "3.1.1"}
        entry = make_entry("mqtt", CONFIG_ENTRY_VERSION, CONFIG_ENTRY_MINOR_VERSION, None, **data)
        await hass.config_entries.async_add(entry)
        await hass.async_block_till_done()

        def discovered() -> bool:
            found = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
            return len(found) == 2 * MOWERS and all(hass.states.get(each.entity_id) for each in found)

        # It hears of its devices only once it has subscribed, which nothing tells.
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not discovered():
                await ask("discover")
                await asyncio.sleep(1)
        # It subscribes to the topics of what it discovered with a pause.
        await asyncio.sleep(2)
        await self.registries_written()
        told = await self.feed("feed_broker", "1")
        together = await self.feed("feed_broker", str(AT_ONCE))
        return {
            "mqtt_cpu_percent": round(100 * told.cpu_seconds / self._seconds, 2),
            "mqtt_state_writes": told.writes,
            "mqtt_cpu_ms_per_state_write": round(1000 * told.cpu_seconds / told.writes, 4),
            "mqtt_cpu_ms_per_state_write_at_once": round(1000 * together.cpu_seconds / together.writes, 4),
        }


async def measure(folder: Path, gateway_port: int, token: str, broker_port: int, seconds: int) -> dict[str, Any]:
    """Start Home Assistant and return all figures."""
    (folder / "configuration.yaml").touch()
    (folder / "custom_components").symlink_to(ROOT / "custom_components")
    hass = await bootstrap.async_setup_hass(RuntimeConfig(config_dir=str(folder), skip_pip=True))
    if hass is None:
        raise RuntimeError("Home Assistant did not start")
    logging.getLogger().setLevel(logging.ERROR)
    await hass.async_start()
    await hass.async_block_till_done()
    gc.collect()
    measurement = Measurement(hass, seconds)
    figures = await measurement.mowdeck(gateway_port, token)
    figures |= await measurement.mqtt(broker_port)
    for name in ("", "_at_once"):
        mqtt = figures[f"mqtt_cpu_ms_per_state_write{name}"]
        figures[f"ratio_cpu_to_mqtt{name}"] = round(figures["cpu_ms_per_state_write"] / mqtt, 3)
    await hass.async_stop(force=True)
    return figures


def main() -> None:
    """Measure, and print the figures as the last line."""
    folder, gateway_port, token, broker_port, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(measure(Path(folder), int(gateway_port), token, int(broker_port), int(seconds)))))


if __name__ == "__main__":
    main()
