"""The command `mowdeck-edge`."""

import argparse
import asyncio
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import structlog

from edge_gateway import __version__, logs
from edge_gateway.contracts.errors import ConfigurationError, MowDeckError
from edge_gateway.instance import default_data_folder
from edge_gateway.settings import Settings, unknown_variables

# ruff: noqa: PLC0415 - a command loads what it needs: --help and check answer without the services' libraries

_log = structlog.get_logger(__name__)

_FAILED = 1
_WRONG_CONFIGURATION = 2
_LEAVE_SECONDS = 1.5


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry the command out and return its exit code: 0, 1 for a failure, 2 for a wrong configuration."""
    options = make_parser().parse_args(arguments)
    try:
        return _carry_out(options)
    except ConfigurationError as error:
        _complain(error)
        return _WRONG_CONFIGURATION
    except MowDeckError as error:
        _complain(error)
        return _FAILED


def make_parser() -> argparse.ArgumentParser:
    """Return what understands the command line."""
    parser = argparse.ArgumentParser(prog="mowdeck-edge", description="The local gateway for robotic mowers.")
    parser.add_argument("--version", action="version", version=f"mowdeck-edge {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    folder = argparse.ArgumentParser(add_help=False)
    folder.add_argument("--data-dir", type=Path, metavar="DIR", help="the data folder (default: MOWDECK_DATA_DIR)")
    run = commands.add_parser("run", parents=[folder], help="run the gateway until SIGTERM or Ctrl+C")
    run.add_argument("--services", metavar="NAMES", help="run only these, separated by commas (default: all)")
    commands.add_parser("check", parents=[folder], help="look at settings and data folder without starting anything")
    commands.add_parser("doctor", parents=[folder], help="say what is wrong and what to do about it")
    commands.add_parser("backup", parents=[folder], help="make a verified copy of the database in the data folder")
    restore = commands.add_parser("restore", parents=[folder], help="bring a backup back; the gateway must not run")
    restore.add_argument("backup", nargs="?", type=Path, metavar="FOLDER", help="(default: the data folder's newest)")
    restore.add_argument("--replace", action="store_true", help="also where a database with data lies")
    for name, what in (("export", "write sites and plans"), ("import", "make sites and plans that are missing")):
        portable = commands.add_parser(name, parents=[folder], help=f"{what}, as JSON; the gateway must run")
        portable.add_argument("file", type=Path, metavar="FILE")
    inside = commands.add_parser("app", help="carry a command out inside the app for Home Assistant's Supervisor")
    inside.add_argument("arguments", nargs=argparse.REMAINDER, metavar="command")
    commands.add_parser("settings-document", help="print docs/settings.md")
    return parser


def _carry_out(options: argparse.Namespace) -> int:
    if options.command == "settings-document":
        from edge_gateway.settings_document import settings_document

        sys.stdout.write(settings_document())
        return 0
    if options.command == "app":
        from edge_gateway.supervisor import launch

        return launch.become(options.arguments)
    settings = Settings.load()
    folder = options.data_dir or settings.program.data_dir or default_data_folder()
    if options.command == "run":
        return _run(settings, folder, options.services)
    if options.command in {"backup", "restore"}:
        return _keep(settings, folder, options)
    if options.command in {"export", "import"}:
        from edge_gateway.backup import portable

        work = portable.export if options.command == "export" else portable.bring_in
        return asyncio.run(work(folder, options.file))
    from edge_gateway import examination

    return asyncio.run(examination.report(settings, folder, thorough=options.command == "doctor"))


def _run(settings: Settings, folder: Path, services: str | None) -> int:
    # Until the loop listens for signals: leave as cleanly as after it.
    signal.signal(signal.SIGTERM, _leave)
    logs.configure(settings.program.log_level, settings.program.log_format)
    for name, nearest in unknown_variables().items():
        _log.warning("a variable of the environment is no setting", name=name, did_you_mean=nearest)
    from edge_gateway import app, composition

    code = _FAILED
    try:
        with asyncio.Runner() as runner:
            try:
                runner.run(app.run(settings, folder, composition.chosen(services)))
                code = 0
            finally:
                _leave_in_time(code)
    except MowDeckError:
        raise
    except Exception:  # noqa: BLE001 - nothing is left above it: logged with its traceback, and a code for the caller
        _log.exception("the gateway failed; this is a fault of the program")
    return code


def _keep(settings: Settings, folder: Path, options: argparse.Namespace) -> int:
    from edge_gateway import backup_commands

    logs.configure(settings.program.log_level, settings.program.log_format)
    if options.command == "backup":
        return asyncio.run(backup_commands.back_up(settings, folder))
    return asyncio.run(backup_commands.restore(settings, folder, options.backup, replace=options.replace))


def _leave(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _leave_in_time(code: int) -> None:
    """End the process soon, even if a thread or a task of a library does not end: data and servers are safe by now."""
    timer = threading.Timer(_LEAVE_SECONDS, os._exit, [code])
    timer.daemon = True
    timer.start()


def _complain(error: MowDeckError) -> None:
    sys.stderr.write(f"mowdeck-edge: {error.detail}\n")
    if error.remedy:
        sys.stderr.write(f"{error.remedy}\n")
