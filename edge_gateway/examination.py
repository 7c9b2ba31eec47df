"""What `check` and `doctor` look at, and what they advise."""

import asyncio
import shutil
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import msgspec

from edge_gateway import instance
from edge_gateway.backup import folders, manifest
from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.embedded import postgres_folder, postgres_programs, runtime_folder
from edge_gateway.settings import ProgramSettings, Settings, unknown_variables

_LOW_DISK_BYTES = 500 * 1024 * 1024
_ANSWER_SECONDS = 5.0
_WRONG = 2


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    subject: str
    detail: str
    remedy: str | None = None
    """What to do; null: nothing is wrong."""


async def report(settings: Settings, folder: Path, *, thorough: bool) -> int:
    """Print what was found and return the exit code: 0 when nothing is wrong, else 2.

    `thorough` also asks a running gateway how it is.
    """
    findings = await examine(settings, folder)
    if thorough:
        findings += await asyncio.to_thread(_ask_running, settings, folder)
    for finding in findings:
        sys.stdout.write(f"{'ok   ' if finding.remedy is None else 'WRONG'} {finding.subject}: {finding.detail}\n")
        if finding.remedy:
            sys.stdout.write(f"      {finding.remedy}\n")
    return _WRONG if any(finding.remedy for finding in findings) else 0


async def examine(settings: Settings, folder: Path) -> list[Finding]:
    """Look at settings and data folder; nothing is started or changed."""
    found = [Finding("settings", "all are allowed"), *_strange_variables()]
    try:
        found.append(Finding("data folder", instance.examine(folder)))
        if settings.program.database_url is None:
            found.append(await _database(settings.program, folder))
        found += await asyncio.to_thread(_backup, folder)
    except MowDeckError as error:
        found.append(Finding("data folder", error.detail, error.remedy or "See above."))
    if not instance.running(folder) and settings.api.port:
        found.append(_port(settings.api.host, settings.api.port))
    return found


def _strange_variables() -> Iterator[Finding]:
    for name, nearest in unknown_variables().items():
        remedy = f"Did you mean {nearest}?" if nearest else "Remove it: docs/settings.md lists all settings."
        yield Finding("settings", f"{name} is no setting of the program", remedy)


async def _database(settings: ProgramSettings, folder: Path) -> Finding:
    major = await postgres_programs.installed_major(settings.postgres_bin)
    if postgres_folder.must_be_made(folder / "postgres", major):
        return Finding("database", f"none yet; the first start makes one (PostgreSQL {major})")
    return Finding("database", f"PostgreSQL {major}")


def _backup(folder: Path) -> list[Finding]:
    """Look at the newest backup, where there is one, and compare its dump with what was written."""
    found = []
    if failure := folders.read_failure(folder):
        found.append(
            Finding("backup", f"that of {failure.at:%Y-%m-%d %H:%M} UTC failed: {failure.detail}", "Make another one.")
        )
    if (newest := folders.newest(folder)) is not None:
        try:
            made = manifest.read(newest)
            manifest.check_dump(newest, made)
        except MowDeckError as error:
            return [*found, Finding("backup", error.detail, error.remedy or "Make another one.")]
        found.append(Finding("backup", f"of {made.made_at:%Y-%m-%d %H:%M} UTC, whole"))
    return found


def _port(host: str, port: int) -> Finding:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
    except OSError as error:
        return Finding(
            "API", f"cannot listen on {host}, port {port}: {error.strerror}", "Set MOWDECK_API_HOST, MOWDECK_API_PORT."
        )
    return Finding("API", f"{host}, port {port} is free")


def _ask_running(settings: Settings, folder: Path) -> list[Finding]:
    found = []
    if folder.is_dir() and (free := shutil.disk_usage(folder).free) < _LOW_DISK_BYTES:
        found.append(Finding("disk", f"{free // 1024**2} MB are free", "Make room: states are lost on a full disk."))
    if not instance.running(folder):
        if runtime_folder.left_behind(folder):
            found.append(Finding("gateway", "not running; the last run did not end cleanly, the next start recovers"))
        else:
            found.append(Finding("gateway", "not running"))
        return found
    try:
        port = int((folder / "port").read_text())
        address = f"http://{settings.api.host}:{port}/readyz"
        with urllib.request.urlopen(address, timeout=_ANSWER_SECONDS) as answer:
            found.append(Finding("gateway", f"running and ready on port {port} ({answer.status})"))
    except urllib.error.HTTPError as error:
        words = error.read(4000).decode(errors="replace")
        status = HTTPStatus(error.code)
        found.append(Finding("gateway", f"running, not ready ({status}): {words}", "The log says why."))
    except (OSError, ValueError) as error:
        found.append(Finding("gateway", f"running, and its API does not answer: {error}", "The log says why."))
    return found
