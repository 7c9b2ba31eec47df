"""The image, built once per run, and containers that end with the test that started them."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.building import image as building
from tests.app.container import SUPERVISOR_TOKEN, Container, Image
from tests.app.network import make_network
from tests.background_loop import BackgroundLoop
from tests.emulators.supervisor.supervisor import FakeSupervisor

type Boot = Callable[..., Container]


@pytest.fixture(scope="session")
def image() -> Iterator[Image]:
    """Return the image of the app, built from the work tree as it is."""
    made = Image(building.build())
    yield made
    made.remove()


@pytest.fixture
def network() -> Iterator[BackgroundLoop]:
    """Return the loop of a network of the test's own."""
    loop = make_network()
    yield loop
    loop.close()


@pytest.fixture
def supervisor(network: BackgroundLoop) -> Iterator[FakeSupervisor]:
    """Return a Supervisor that is not ready at first."""
    fake = FakeSupervisor(token=SUPERVISOR_TOKEN, services=("mowdeck",), refusals=2)
    network.run(fake.start())
    yield fake
    network.run(fake.stop())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder as the Supervisor gives it to an app: root's, with the options that the owner chose."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    options = folder / "options.json"
    options.write_text(json.dumps({"log_level": "info", "simulated_mowers": 1, "open_meteo_key": ""}))
    options.chmod(0o600)
    return folder


@pytest.fixture
def boot(image: Image, network: BackgroundLoop) -> Iterator[Boot]:
    """Start containers."""
    started: list[Container] = []

    def start(data: Path, **how: object) -> Container:
        container = Container(image, data, **how)  # type: ignore[arg-type]  # Container checks its own arguments
        started.append(container)
        network.run(container.start())
        return container

    yield start
    for container in started:
        network.run(container.clean_up())


@pytest.fixture
def home_of_restored(tmp_path: Path) -> Iterator[Path]:
    """Return a place for what a backup brings back."""
    folder = tmp_path / "restored"
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
