"""A program for ESPHome's environment: checks files with `esphome config` and prints what it makes of each, as JSON.

`{path: {"code": int, "log": [line, …], "config": {…} | null}}`; a warning's further lines are lines of the log.
"""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import yaml  # type: ignore[import-untyped]  # it comes with ESPHome, in whose environment this runs

SIDE_BY_SIDE = 2
TIMEOUT_SECONDS = 120
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Reader(yaml.SafeLoader):  # type: ignore[misc]  # untyped, see above
    """Reads ESPHome's own tags, such as `!lambda`, as the text behind them."""


Reader.add_multi_constructor("!", lambda _loader, _tag, node: node.value)


def resolve(path: str) -> dict[str, Any]:
    """Return what ESPHome says of one file."""
    finished = subprocess.run(  # noqa: S603 - ESPHome of the environment that runs this
        [sys.executable, "-m", "esphome", "config", "--show-secrets", path],
        check=False,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    valid = finished.returncode == 0
    return {
        "code": finished.returncode,
        "log": _COLOUR.sub("", finished.stderr if valid else finished.stderr + finished.stdout).splitlines(),
        "config": yaml.load(finished.stdout, Reader) if valid else None,  # noqa: S506 - a safe loader with text more
    }


if __name__ == "__main__":
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        print(json.dumps(dict(zip(sys.argv[1:], pool.map(resolve, sys.argv[1:]), strict=True))))  # noqa: T201
