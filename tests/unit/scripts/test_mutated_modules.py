"""What mutation testing changes is pure: a rule that reads a clock or a file cannot be judged by its unit tests."""

import ast
import tomllib
from pathlib import Path

import pytest

from scripts.set_up.places import ROOT

MODULES = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]["only_mutate"]
IMPURE = frozenset({"open", "print", "now", "today", "utcnow", "monotonic", "time_ns", "sleep", "getenv"})


@pytest.mark.parametrize("module", MODULES)
def test_a_module_whose_rules_are_changed_awaits_nothing_and_asks_no_clock(module: str) -> None:
    tree = ast.parse(Path(ROOT, module).read_text(encoding="utf-8"))
    called = {
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }
    awaits = any(isinstance(node, ast.AsyncFunctionDef | ast.Await) for node in ast.walk(tree))
    assert (called & IMPURE, awaits) == (set(), False)
