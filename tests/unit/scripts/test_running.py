"""What scripts/run says: of a child that ended by itself, and of options that make no sense."""

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.running.process import Process, ProcessEndedError
from scripts.set_up.places import ROOT


async def test_the_last_lines_are_of_this_start_only(tmp_path: Path) -> None:
    log = tmp_path / "child.txt"
    log.write_text("an earlier start\n")
    child = Process("The child", [sys.executable, "-c", "print('ä reason')"], log=log, variables={}, folder=tmp_path)
    await child.start()
    await child.wait()
    with pytest.raises(ProcessEndedError) as raised:
        child.check()
    assert "ä reason" in str(raised.value)
    assert "an earlier start" not in str(raised.value)


@pytest.mark.parametrize(
    ("option", "value", "limits"),
    [
        ("--gateway-port", "65536", "1 to 65535"),
        ("--gateway-port", "0", "1 to 65535"),
        ("--home-assistant-port", "many", "1 to 65535"),
        ("--mowers", "-1", "0 to 10000"),
        ("--mowers", "²", "0 to 10000"),
    ],
)
def test_an_option_out_of_its_limits_is_said(option: str, value: str, limits: str) -> None:
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "scripts.running", f"{option}={value}"],
        check=False,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert result.returncode == 2
    assert f"argument {option}: {value!r} is no whole number from {limits}" in result.stderr


@pytest.mark.parametrize(("option", "code"), [("--help", 0), ("--mowers=-1", 2)])
def test_nothing_is_fetched_to_say_what_the_options_are(option: str, code: int, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, tmp_path / "scripts" / "run", option],
        check=False,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert result.returncode == code, result.stderr
    assert "--emulate-mammotion" in result.stdout + result.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["scripts"]


def test_a_data_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "inside"
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "scripts.running", "--gateway-only", f"--gateway-port={port}", f"--data-dir={folder}"],
        check=False,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert result.returncode == 1
    assert result.stderr == f"{folder} cannot be used: Not a directory. Choose another folder with --data-dir.\n"
    assert result.stdout == ""
