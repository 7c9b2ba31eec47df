"""What some tests need of the machine: they are selected where they can run, and named where they cannot."""

import os
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
LEFT_OUT = pytest.StashKey[list[str]]()


@dataclass(frozen=True)
class Need:
    """One marker: what it asks for, whether that is there, and the Debian packages that bring it."""

    marker: str
    what: str
    is_met: Callable[[], bool]
    packages: tuple[str, ...] = ()


def find_chromium() -> str | None:
    """Return the path of a browser that playwright can drive."""
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def _is_root() -> bool:
    return os.geteuid() == 0


def _has_buildah() -> bool:
    return all(map(shutil.which, ("buildah", "debootstrap")))


def _has_apparmor() -> bool:
    # Debian's folder for programs of root is not on everybody's path.
    return shutil.which("apparmor_parser", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin") is not None


NEEDS = (
    Need("needs_apparmor", "AppArmor's parser", _has_apparmor, ("apparmor",)),
    Need("needs_root", "the rights of root", _is_root),
    Need("needs_chromium", "a Chromium browser", lambda: find_chromium() is not None, ("chromium",)),
    Need("needs_compiler", "a C++ compiler", lambda: shutil.which("g++") is not None, ("build-essential",)),
    Need("needs_buildah", "buildah and debootstrap", _has_buildah, ("buildah", "debootstrap")),
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests whose needs are not met."""
    unmet = [need for need in NEEDS if not need.is_met()]
    selected, left_out, reasons = [], [], Counter[str]()
    for item in items:
        lacking = next((need for need in unmet if item.get_closest_marker(need.marker)), None)
        if lacking is None:
            selected.append(item)
        else:
            left_out.append(item)
            reasons[lacking.what] += 1
    config.stash[LEFT_OUT] = [f"{count} left out: this machine lacks {what}" for what, count in reasons.items()]
    if left_out:
        items[:] = selected
        config.hook.pytest_deselected(items=left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name what was left out."""
    for line in config.stash.get(LEFT_OUT, []):
        terminalreporter.write_line(line)
