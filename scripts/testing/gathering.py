"""A pytest session whose tests are run by other pytest sessions: one report, one closing line, one exit code."""

import queue
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.testing.child import Outcome, end_all, run
from scripts.testing.coverage_gate import Verdict
from scripts.testing.suites import LANES, Stages, Suite


class Gathering:
    """The plugin that runs the suites in place of tests of the session's own."""

    def __init__(self, lint_code: int, stages: Stages, reports: Path, judge: Callable[[Path], Verdict]) -> None:
        """Take lint's exit code, which counts like a failed test, the suites, a folder, and who judges coverage."""
        self._lint_code = lint_code
        self._stages = stages
        self._reports = reports
        self._judge = judge
        self._lines: list[str] = []
        self._coverage: Verdict | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool:
        """Collect nothing here."""
        session.items = []
        session.testscollected = 0
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the suites stage by stage, then measure their coverage."""
        try:
            for stage in self._stages:
                for outcome in _run_side_by_side(stage, self._reports):
                    self._take(session, outcome)
        finally:
            end_all()
        if self._lint_code:
            self._fail(session, "lint: failed (its findings are above the tests)")
        if session.testscollected:
            self._coverage = self._judge(self._reports)
            for complaint in self._coverage.complaints:
                self._fail(session, complaint)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str]:
        """Count each test without printing a letter for it: the suites' own lines tell how far the run is."""
        if report.failed and report.when != "call":
            return "error", "", ""
        counts = report.when == "call" or not report.passed
        return report.outcome if counts else "", "", ""

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what each suite took, what was left out, and what is covered."""
        if self._coverage:
            terminalreporter.section("coverage")
            terminalreporter.write(self._coverage.table)
        terminalreporter.section("suites")
        for line in self._lines:
            terminalreporter.write_line(line)

    def _take(self, session: pytest.Session, outcome: Outcome) -> None:
        """Pass a suite's reports on, as if its tests had run here."""
        config = session.config
        counts = Counter[str]()
        for entry in outcome.reports:
            report = config.hook.pytest_report_from_serializable(config=config, data=entry)
            if isinstance(report, pytest.CollectReport):
                config.hook.pytest_collectreport(report=report)
                counts["not collected"] += 1
                continue
            config.hook.pytest_runtest_logreport(report=report)
            if report.when == "call" or report.failed:
                counts[report.outcome] += 1
            session.testscollected += report.when == "setup"
        if outcome.broken:
            config.hook.pytest_collectreport(
                report=pytest.CollectReport(f"tests/{outcome.suite.name}", "failed", outcome.broken, [])
            )
        result = ", ".join(f"{count} {word}" for word, count in counts.items()) or "nothing to run"
        ending = " and then it broke off" if outcome.broken else ""
        self._add(session, f"{outcome.suite.name}: {result}{ending} ({outcome.seconds:.1f} s)")
        for line in outcome.left_out:
            self._add(session, f"{outcome.suite.name}: {line}")

    def _fail(self, session: pytest.Session, line: str) -> None:
        session.testsfailed += 1
        self._add(session, line)

    def _add(self, session: pytest.Session, line: str) -> None:
        """Print a line now, for who watches, and again at the end."""
        reporter: pytest.TerminalReporter | None = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter:
            reporter.write_line(line)
        self._lines.append(line)


def _run_side_by_side(stage: tuple[Suite, ...], reports: Path) -> Iterator[Outcome]:
    """Run a stage in lanes side by side and yield the outcomes as they come; suites without tests are passed over."""
    waiting = deque(suite for suite in stage if suite.has_tests)
    outcomes: queue.SimpleQueue[Outcome | BaseException] = queue.SimpleQueue()

    def run_lane() -> None:
        try:
            while True:
                try:
                    suite = waiting.popleft()
                except IndexError:
                    return
                outcomes.put(run(suite, reports))
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            outcomes.put(error)

    awaited = len(waiting)
    for _ in range(LANES):
        threading.Thread(target=run_lane, daemon=True).start()
    for _ in range(awaited):
        outcome = outcomes.get()
        if isinstance(outcome, BaseException):
            raise outcome
        yield outcome
