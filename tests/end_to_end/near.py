"""A Home Assistant with a Bluetooth scanner that hears the emulated mowers, and the road with it."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import override

from scripts.running.home_assistant import HomeAssistant
from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT
from tests.end_to_end.emulated_cloud import EmulatedCloud
from tests.end_to_end.road import Road, free_port, open_road

_SCANNER = ROOT / "tests" / "home_assistant" / "emulated_scanner"


class NearHomeAssistant(HomeAssistant):
    """It has the scanner as one more integration."""

    def __init__(self, cloud: EmulatedCloud, *, environment: str, folder: Path) -> None:
        """Describe it; the cloud runs by the time it starts."""
        super().__init__(
            python=ENVIRONMENTS[environment].python,
            folder=folder,
            integration=ROOT / "custom_components" / "mowdeck",
            port=free_port(),
        )
        self._cloud = cloud

    @override
    def install(self) -> None:
        super().install()
        configuration = self.folder / "configuration.yaml"
        lines = f"emulated_scanner:\n  root: {ROOT}\n  port: {self._cloud.air_port}\n"
        configuration.write_text(configuration.read_text(encoding="utf-8") + lines, encoding="utf-8")
        place = self.folder / "custom_components" / _SCANNER.name
        shutil.copytree(_SCANNER, place, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)


@asynccontextmanager
async def open_near_road(environment: str, folder: Path) -> AsyncIterator[Road]:
    """Start the road with the mower near Home Assistant's Bluetooth."""

    def near(cloud: EmulatedCloud) -> HomeAssistant:
        return NearHomeAssistant(cloud, environment=environment, folder=folder / "home-assistant")

    async with open_road(environment, folder, gateway_folder=folder / "gateway", home_assistant_of=near) as road:
        yield road
