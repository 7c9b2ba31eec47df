"""Loads the integration's client where there is no Home Assistant: it must not need one.

The package around it does; so the client's modules are imported below a package that is only a folder.
"""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from scripts.set_up.places import ROOT

INTEGRATION = "custom_components.mowdeck"
FOLDER = ROOT / "custom_components" / "mowdeck"
CLIENT = f"{INTEGRATION}.client"


@pytest.fixture
def client_package(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Make the client importable; returns the name of its package."""
    bare = ModuleType(INTEGRATION)
    bare.__path__ = [str(FOLDER)]
    monkeypatch.setitem(sys.modules, INTEGRATION, bare)
    yield CLIENT
    for name in [name for name in sys.modules if name.startswith(CLIENT)]:
        del sys.modules[name]


def module_names() -> list[str]:
    """Return the names of the client's modules."""
    return sorted(path.stem for path in Path(FOLDER / "client").glob("*.py") if path.stem != "__init__")


def load(name: str) -> ModuleType:
    """Return one of the client's modules."""
    return importlib.import_module(f"{CLIENT}.{name}")
