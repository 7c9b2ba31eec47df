"""The real image, booted again and again on the same data, beside a Supervisor."""

import json
import shutil
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types; its stubs would be one more pin

from scripts.building.base_image import base_name
from scripts.set_up.places import ROOT
from tests.app.conftest import Boot
from tests.app.container import HOSTNAME, PAGE, Container, Image, account_of
from tests.background_loop import BackgroundLoop
from tests.emulators.supervisor.supervisor import FakeSupervisor
from tests.eventually import eventually

# The first of them builds the image, on a fresh machine together with its base.
pytestmark = [pytest.mark.needs_buildah, pytest.mark.needs_root, pytest.mark.timeout(1500)]

ACCOUNT = 990
DAY_SECONDS = 86_400
IDLE_MEGABYTES = 250


def exclude(folder: Path, patterns: Sequence[str]) -> Any:  # noqa: ANN401  # what copytree takes
    """Return what leaves out of a copy what the Supervisor leaves out of a backup."""

    def left_out(place: str, names: list[str]) -> list[str]:
        inside = Path("/supervisor/apps/data/local_mowdeck", Path(place).relative_to(folder))
        return [name for name in names if any((inside / name).match(pattern) for pattern in patterns)]

    return left_out


async def read(app: Container, path: str, token: str) -> list[Any]:
    status, text = await app.ask("GET", f"/api/v1/{path}", token=token)
    assert status == 200, text
    items: list[Any] = json.loads(text)["items"]
    return items


def history_of(mower: str) -> str:
    """Return the path of all that a mower reported, whatever the app's clock says."""
    since, until = (datetime.now(UTC) + timedelta(days=days) for days in (-3, 3))
    return f"mowers/{mower}/history?since={since:%Y-%m-%dT%H:%M:%SZ}&until={until:%Y-%m-%dT%H:%M:%SZ}"


async def stored(app: Container, token: str) -> tuple[str, list[Any]]:
    """Wait until states of the first mower are stored; return it and its history, the newest first."""

    async def look() -> tuple[str, list[Any]] | None:
        mowers = await read(app, "mowers", token)
        history = await read(app, history_of(mowers[0]["id"]), token) if mowers else []
        return (mowers[0]["id"], history) if history else None

    return await eventually(look, seconds=60)


def test_what_was_made_is_there_after_each_start(
    image: Image,
    network: BackgroundLoop,
    supervisor: FakeSupervisor,
    data: Path,
    boot: Boot,
    home_of_restored: Path,
    record_property: Any,  # noqa: ANN401  # pytest's own
) -> None:
    # The first start: found by the Supervisor, a plan made, states stored.
    first = boot(data)
    network.run(first.ready(), seconds=130)
    message = network.run(supervisor.passes_on(1))
    assert supervisor.asked >= 3, "it was refused twice"
    assert (message["host"], message["port"], set(message)) == (HOSTNAME, 8765, {"host", "port", "auth_token"})
    token = message["auth_token"]
    mower, before = network.run(stored(first, token))
    plan = {
        "name": "Mornings",
        "target": {"mower_id": mower},
        "recurrence": {"kind": "weekly", "days": ["mon", "thu"], "at": "09:00"},
        "duration_minutes": 60,
    }
    status, text = network.run(first.ask("POST", "/api/v1/schedules", token=token, body=plan))
    assert status == 201, text
    schedule = json.loads(text)["id"]

    # The page is for Home Assistant alone, the look at its health also for the machine itself.
    assert network.run(first.ask("GET", "/", port=PAGE))[0] == 200
    status, text = network.run(first.ask("GET", "/", port=PAGE, came_from="127.0.0.1"))
    assert (status, "inside of Home Assistant" in text) == (403, True)
    assert network.run(first.run(*image.config["Healthcheck"]["Test"][1:])) == (0, "")

    # Nothing runs as root, and what it takes is what a small machine has.
    family = first.processes()
    assert len(family) >= 3
    assert {account_of(process_id) for process_id in family} == {ACCOUNT}
    megabytes = sum(map(proportional_kilobytes, family)) / 1024
    record_property("idle_megabytes", round(megabytes))
    sys.stdout.write(f"the whole app, idle, with one simulated mower: {megabytes:.0f} MiB\n")
    assert megabytes < IDLE_MEGABYTES

    # There are no names to be had in this network: what needs the internet says so, and all else goes on.
    network.run(tells_of_the_missing_internet(first, token, mower), seconds=90)

    # A backup, made as the Supervisor makes it.
    manifest = yaml.safe_load((ROOT / "addon/config.yaml").read_text())
    code, output = network.run(first.run("sh", "-c", manifest["backup_pre"]))
    assert (code, "verified" in output) == (0, True), output
    _, history = network.run(stored(first, token))
    shutil.copytree(data, home_of_restored, symlinks=True, ignore=exclude(data, manifest["backup_exclude"]))
    assert not (home_of_restored / "mowdeck/postgres").exists()
    assert network.run(first.stop()) == 0, first.output

    # The second start, a day later by the clock and with another token: all there, and the Supervisor is told.
    (data / "mowdeck/token").unlink()
    second = boot(data, variables={"MOWDECK_CLOCK_OFFSET_SECONDS": str(DAY_SECONDS)})
    network.run(second.ready(), seconds=130)
    token = network.run(supervisor.passes_on(2))["auth_token"]
    assert token != message["auth_token"]
    network.run(holds(second, token, schedule, mower, history))
    assert network.run(second.stop()) == 0, second.output

    # An empty app to which Home Assistant gives the backup back, a day earlier by the clock.
    third = boot(home_of_restored, variables={"MOWDECK_CLOCK_OFFSET_SECONDS": str(-DAY_SECONDS)})
    network.run(third.ready(), seconds=130)
    assert "the backup is back" in third.output
    network.run(holds(third, message["auth_token"], schedule, mower, before))
    assert network.run(third.stop()) == 0, third.output


async def tells_of_the_missing_internet(app: Container, token: str, mower: str) -> None:
    """Check what is told of a forecast and of a login that cannot be asked for."""
    where = {"latitude": 52.52, "longitude": 13.41}
    status, text = await app.ask("PATCH", "/api/v1/sites/home", token=token, body=where)
    assert status == 200, text

    async def told() -> bool:
        _, text = await app.ask("GET", f"/api/v1/weather/{mower}", token=token)
        return json.loads(text)["reason"] == "forecast_unknown" and "forecast not to be had" in app.output

    await eventually(told, seconds=40)
    login = {"provider": "mammotion", "username": "owner@example.com", "password": "secret-of-the-owner"}
    status, text = await app.ask("POST", "/api/v1/vendor-accounts", token=token, body=login)
    assert status == 503, text
    assert "vendor" in json.loads(text)["error"]["code"]
    assert login["password"] not in app.output
    assert (await app.ask("GET", "/readyz"))[0] == 200


async def holds(app: Container, token: str, schedule: str, mower: str, history: list[Any]) -> None:
    """Check that a start lost nothing of what was made before it."""
    assert [plan["id"] for plan in await read(app, "schedules", token)] == [schedule]
    assert mower in [item["id"] for item in await read(app, "mowers", token)]
    found = await read(app, history_of(mower), token)
    moments = {row["observed_at"] for row in found}
    assert {row["observed_at"] for row in history} <= moments


def proportional_kilobytes(process_id: int) -> int:
    lines = Path(f"/proc/{process_id}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def test_the_image_says_how_it_is_run_and_holds_no_compiler(image: Image) -> None:
    assert image.config["Healthcheck"]["Test"][0] == "CMD"
    assert image.config["Labels"]["io.hass.type"] == "app"
    assert set(image.config["Volumes"]) == {"/data"}
    assert ":3.14." in base_name()
    programs = [path.name for folder in ("usr/bin", "opt/mowdeck/bin") for path in (image.root / folder).iterdir()]
    assert not {"gcc", "cc", "g++", "make", "pip", "pip3"} & set(programs)
    packages = {path.name for path in (image.root / "opt/mowdeck/lib/python3.14/site-packages").iterdir()}
    assert not {"setuptools", "pip"} & packages


@pytest.mark.parametrize(
    ("options", "reason"),
    [(("read-only",), "Read-only file system"), (("size=12m",), "No space left on device")],
    ids=["read-only", "full"],
)
def test_a_data_folder_that_cannot_be_used_is_told(
    network: BackgroundLoop, data: Path, boot: Boot, options: tuple[str, ...], reason: str
) -> None:
    app = boot(data, options=options)
    assert network.run(app.end(seconds=60)) != 0
    assert reason in app.output
    assert "Traceback" not in app.output
