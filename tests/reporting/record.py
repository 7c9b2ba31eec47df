"""Writes what a suite's tests reported into a file, one JSON object a line, for the run that gathers all suites.

The last line is `{"exit": code, "left_out": [sentence, …]}`; a file without it tells of a suite that did not finish.
"""

import json
from pathlib import Path
from typing import TextIO

import pytest

from tests.reporting.needs import LEFT_OUT


class Recorder:
    """The plugin that writes."""

    def __init__(self, config: pytest.Config, file: TextIO) -> None:
        """Take the open file; it is closed at the session's end."""
        self._config = config
        self._file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write what one phase of one test reported."""
        self._write_report(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Write that a file could not be collected."""
        if report.failed:
            self._write_report(report)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write the line that says that the suite finished."""
        self._write({"exit": int(exitstatus), "left_out": self._config.stash.get(LEFT_OUT, [])})
        self._file.close()

    def _write_report(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        self._write(self._config.hook.pytest_report_to_serializable(config=self._config, report=report))

    def _write(self, entry: dict[str, object]) -> None:
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the file."""
    parser.addoption("--record", type=Path, help="write all reports into this file")


def pytest_configure(config: pytest.Config) -> None:
    """Start recording when a file is named."""
    path: Path | None = config.getoption("--record")
    if path is not None:
        config.pluginmanager.register(Recorder(config, path.open("w", encoding="utf-8")))
