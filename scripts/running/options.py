"""The options of scripts/run. Any Python from 3.9 on can say them: nobody installs anything to read them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.set_up.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def read_options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read a command line, or this program's own; ends the program after help, and when an option makes no sense."""
    parser = argparse.ArgumentParser(
        prog="scripts/run",
        description="Run MowDeck with simulated mowers, and a Home Assistant that shows them. Ctrl-C stops it all.",
    )
    parser.add_argument("--gateway-only", action="store_true", help="leave Home Assistant out")
    port = _number(1, 65535)
    parser.add_argument("--mowers", type=_number(0, 10000), default=3, metavar="N", help="simulated mowers (default 3)")
    parser.add_argument(
        "--emulate-mammotion",
        action="store_true",
        help="start an emulated Mammotion cloud too and log in to it; an emulated Bluetooth bridge hears its mower",
    )
    parser.add_argument("--data-dir", type=Path, default=ROOT / ".run", metavar="DIR", help="default: .run")
    parser.add_argument("--gateway-port", type=port, default=8765, metavar="PORT", help="default 8765")
    parser.add_argument("--home-assistant-port", type=port, default=8123, metavar="PORT", help="default 8123")
    return parser.parse_args(arguments)


def _number(lowest: int, highest: int) -> Callable[[str], int]:
    """Return what reads an option that is a whole number within limits."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and lowest <= int(text) <= highest):
            message = f"{text!r} is no whole number from {lowest} to {highest}"
            raise argparse.ArgumentTypeError(message)
        return int(text)

    return read
