"""Runs one suite as a child process and reads back what its tests reported."""

import contextlib
import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.set_up.places import ROOT
from scripts.testing.suites import Suite

# Passed, some failed, nothing to run: the exits of a suite that went through all its tests.
FINISHED = (0, 1, 5)
LOG_TAIL_LINES = 60
RUNNING: set[subprocess.Popen[bytes]] = set()
STOP_TIMEOUT_SECONDS = 20


@dataclass(frozen=True)
class Outcome:
    """What a suite's run gave: its serialised reports, what it left out, and why it broke off if it did."""

    suite: Suite
    seconds: float
    reports: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    broken: str | None = None


def coverage_data(reports: Path) -> Path:
    """Return the path that coverage's data files start with."""
    return reports / "coverage" / "data"


def run(suite: Suite, reports: Path) -> Outcome:
    """Run a suite to its end, measured; its output goes to a log among the reports, shown when it breaks off."""
    file_name = suite.name.replace("/", "_")
    record, log = reports / f"{file_name}.jsonl", reports / f"{file_name}.log"
    record.unlink(missing_ok=True)
    started = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - the command is this package's own
            suite.command("-p", "tests.reporting.record", f"--record={record}", measured=True),
            cwd=ROOT,
            env={**os.environ, "COVERAGE_FILE": str(coverage_data(reports))},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # A group of its own, so that what a suite started can be ended with it.
            start_new_session=True,
        )
        RUNNING.add(process)
        try:
            code: int | None = process.wait(suite.timeout_seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _end(process)
            RUNNING.discard(process)
    return _outcome(suite, code, time.monotonic() - started, record, log)


def end_all() -> None:
    """End the suites that still run, when the run as a whole is ended."""
    for process in tuple(RUNNING):
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a suite that still runs: asked first, so that its fixtures stop their servers."""
    if process.poll() is not None:
        return
    for number in (signal.SIGINT, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        try:
            process.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return


def _outcome(suite: Suite, code: int | None, seconds: float, record: Path, log: Path) -> Outcome:
    entries = read_entries(record)
    reports = [entry for entry in entries if "exit" not in entry]
    last = next((entry for entry in entries if "exit" in entry), None)
    broken = None
    if code is None:
        broken = f"was ended after {suite.timeout_seconds} s"
    elif last is None or (code not in FINISHED and not any(report.get("outcome") == "failed" for report in reports)):
        broken = f"ended with code {code} before it had finished"
    if broken:
        tail = log.read_text(errors="replace").splitlines()[-LOG_TAIL_LINES:]
        broken = "\n".join([f"The suite {suite.name} {broken}. The end of its log:", *tail])
    return Outcome(suite, seconds, reports, last["left_out"] if last else [], broken)


def read_entries(record: Path) -> list[dict[str, Any]]:
    """Read the complete lines of a record; a process that was killed may leave half of one."""
    if not record.exists():
        return []
    lines = record.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines[:-1]]
