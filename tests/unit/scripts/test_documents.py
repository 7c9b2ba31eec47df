"""What the documents tell their readers to type is what the programs understand.

Each command is put before the program that it names, or before that program's own help. One that nobody here knows how
to check fails: teach this test to, or leave the command out. What the commands do is the other suites' business; the
requests are made in tests/unit/api/test_documented_requests.py.
"""

import importlib.util
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types; its stubs would be one more pin

from edge_gateway.cli import make_parser
from edge_gateway.composition import FACTORIES
from edge_gateway.settings import known_variables
from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT
from tests.documents import Said, blocks, commands

COMMANDS = list(commands())
INTEGRATION = ROOT / "custom_components/mowdeck"
_ASSIGNMENT = re.compile(r"(MOWDECK_[A-Z_]+)=(\S+)")
_OWN_SCRIPTS = {
    "run": "scripts.running",
    "test": "scripts.testing",
    "setup": "scripts.set_up",
    "lint": "scripts.linting",
    "build-app": "scripts.building",
}
_MAIN = {"scripts.set_up": "import sys; from scripts.set_up.command import main; sys.exit(main(sys.argv[1:]))"}


@cache
def help_of(module: str) -> str:
    """Return what a program says of itself."""
    start = ["-c", _MAIN[module]] if module in _MAIN else ["-m", module]
    asked = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, *start, "--help"], check=True, cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    return asked.stdout


def check_words(module: str, words: list[str]) -> None:
    """Check that a program's help knows options and names; what follows `--` is pytest's."""
    own, _, for_pytest = " ".join(words).partition(" -- ")
    for word in own.split():
        assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", help_of(module)), word
    for word in for_pytest.split():
        assert not word.startswith("tests/") or (ROOT / word).exists(), word


def check_gateway(words: list[str]) -> None:
    """Check a command line of the gateway itself."""
    options = make_parser().parse_args(words)
    services = getattr(options, "services", None)
    assert services is None or set(services.split(",")) <= FACTORIES.keys()


def check_module(module: str, words: list[str]) -> None:
    """Check that a program of ours is there and knows its options."""
    found = importlib.util.find_spec(module)
    assert found is not None
    if found.submodule_search_locations:
        found = importlib.util.find_spec(f"{module}.__main__")
        assert found is not None
    assert found.origin is not None
    text = Path(found.origin).read_text(encoding="utf-8")
    assert '__name__ == "__main__"' in text
    for option in (word for word in words if word.startswith("--")):
        assert f'"{option}"' in text, option


def check(words: list[str]) -> None:
    """Check one command; one of a kind that is not known fails."""
    while assigned := _ASSIGNMENT.fullmatch(words[0]):
        assert assigned[1] in known_variables()
        words = words[1:]
    if ">" in words:
        words, written = words[: words.index(">")], words[words.index(">") + 1 :]
        assert all((ROOT / name).exists() for name in written)
    match words:
        case [script, *rest] if script.startswith("scripts/"):
            assert (ROOT / script).stat().st_mode & 0o111
            check_words(_OWN_SCRIPTS[script.removeprefix("scripts/")], rest)
        case ["mowdeck-edge", *rest]:
            check_gateway(rest)
        case ["python" | "python3" | ".venv/bin/python", "-m", "edge_gateway", *rest]:
            check_gateway(rest)
        case ["python" | "python3" | ".venv/bin/python", "-m", module, *rest]:
            check_module(module, rest)
        case [".venv-esphome/bin/esphome", "run" | "config" | "compile", file]:
            assert ENVIRONMENTS["esphome"].path.name == ".venv-esphome"
            assert (ROOT / file).is_file()
        case ["cat", "/var/lib/mowdeck/token"]:
            pass  # The file `token` of the data folder is what every test of the API reads.
        case ["curl", *_]:
            pass  # tests/unit/api/test_documented_requests.py
        case _:
            pytest.fail("nobody checks this command")


@pytest.mark.parametrize("said", COMMANDS, ids=str)
def test_a_command_is_understood(said: Said) -> None:
    check(said.words)


def test_commands_are_found_and_wrong_ones_are_noticed() -> None:
    documents = {said.document for said in COMMANDS}
    assert {"README.md", "addon/DOCS.md", "docs/bluetooth-bridge.md", "docs/development.md"} <= documents
    for wrong in (
        "mowdeck-edge start",
        "mowdeck-edge run --services telemetri",
        "MOWDECK_API_HOSTS=x .venv/bin/python -m edge_gateway run",
        "scripts/run --without-home-assistant",
        "scripts/test units",
        "scripts/setup --only gatewy",
        "python -m tests.emulators.mammoth",
        ".venv-esphome/bin/esphome run esphome/mowdeck-bridge-moon.yaml",
        "systemctl restart mowdeck",
    ):
        with pytest.raises((AssertionError, KeyError, SystemExit, OSError, pytest.fail.Exception)):
            check(wrong.split())


def listed(name: str) -> dict[str, Any]:
    """Return what the integration offers of a kind."""
    found: dict[str, Any] = yaml.safe_load((INTEGRATION / f"{name}.yaml").read_text(encoding="utf-8"))
    return found


def mentioned(tree: object) -> list[tuple[str, dict[str, Any]]]:
    """Return every action, trigger and condition of ours in an example, each with the mapping that it stands in."""
    if isinstance(tree, list):
        return [one for item in tree for one in mentioned(item)]
    if not isinstance(tree, dict):
        return []
    own = [
        (f"{kind} {tree[kind].removeprefix('mowdeck.')}", tree)
        for kind in ("action", "trigger", "condition")
        if str(tree.get(kind, "")).startswith("mowdeck.")
    ]
    return own + [one for item in tree.values() for one in mentioned(item)]


@pytest.mark.parametrize("block", list(blocks("yaml")), ids=str)
def test_an_example_for_home_assistant_names_what_there_is(block: Said) -> None:
    loader = yaml.SafeLoader(block.text)
    loader.yaml_constructors = {**loader.yaml_constructors, "!secret": lambda _loader, node: node.value}
    example = loader.get_data()
    offered = {"action": listed("services"), "trigger": listed("triggers"), "condition": listed("conditions")}
    for what, stands_in in mentioned(example):
        kind, name = what.split()
        known = offered[kind]
        assert name in known, what
        fields = (known[name] or {}).get("fields", {})
        given = stands_in.get("data" if kind == "action" else "options", {})
        flat = {inner for field in fields.values() for inner in (field or {}).get("fields", {})} | set(fields)
        assert set(given) <= flat, what
    for package in (example.get("packages", {}) if isinstance(example, dict) else {}).values():
        path = re.fullmatch(r"github://mowdeck/mowdeck/(.+)@main", package)
        assert path is None or (ROOT / path[1]).is_file(), package


def test_the_shell_that_the_examples_are_for_understands_them() -> None:
    bash = shutil.which("bash")
    assert bash
    for block in blocks("console", "sh"):
        judged = subprocess.run(  # noqa: S603 - it only reads
            [bash, "-n"], input=block.text.replace("<vendor>", "vendor"), check=False, capture_output=True, text=True
        )
        assert judged.returncode == 0, (block.document, judged.stderr)
