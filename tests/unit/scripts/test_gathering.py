"""The closing line and the exit code tell of every suite, also of one that broke off."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.set_up.places import ROOT
from scripts.testing.suites import BY_NAME_ONLY, FAULTS, MUTATION, ROUTINE

PASSES = "def test_passes() -> None: pass\n"
FAILS = "def test_fails() -> None: assert False\n"
ERRORS = "import pytest\n@pytest.fixture\ndef broken(): raise ValueError\ndef test_errors(broken: None) -> None: pass\n"
CRASHES = "import os\ndef test_crashes() -> None: os._exit(0)\n"
CANNOT_BE_COLLECTED = "import no_such_module\n"


def gather(folder: Path, suites: dict[str, str], lint_code: int = 0) -> tuple[int, str]:
    """Gather suites of one file each; return the exit code and the output."""
    # Not measured: the data would be mixed with the run around this test. No plugins: they take seconds to load.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name, content in suites.items():
        (folder / name).mkdir()
        (folder / name / f"test_{name}.py").write_text(content)
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "tests.unit.scripts.gather_suites", str(folder), str(lint_code)],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        timeout=50,
    )
    return result.returncode, result.stdout


def test_adds_up_the_suites(tmp_path: Path) -> None:
    code, output = gather(tmp_path, {"first": PASSES, "second": PASSES})
    assert "2 passed in" in output.splitlines()[-1]
    assert "first: 1 passed" in output
    assert code == pytest.ExitCode.OK


def test_counts_failures_and_errors_and_shows_them(tmp_path: Path) -> None:
    code, output = gather(tmp_path, {"first": PASSES + FAILS, "second": ERRORS})
    assert "1 failed, 1 passed, 1 error in" in output.splitlines()[-1]
    assert "def test_fails" in output
    assert code == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize(
    ("content", "explanation"),
    [(CRASHES, "ended with code 0 before it had finished"), (CANNOT_BE_COLLECTED, "no_such_module")],
)
def test_a_suite_that_breaks_off_is_an_error(tmp_path: Path, content: str, explanation: str) -> None:
    code, output = gather(tmp_path, {"first": PASSES, "second": content})
    assert "1 passed, 1 error in" in output.splitlines()[-1]
    assert explanation in output
    assert code == pytest.ExitCode.TESTS_FAILED


def test_a_failed_lint_fails_the_run(tmp_path: Path) -> None:
    code, output = gather(tmp_path, {"first": PASSES}, lint_code=1)
    assert "lint: failed" in output
    assert code == pytest.ExitCode.TESTS_FAILED


def test_nothing_at_all_is_a_failure(tmp_path: Path) -> None:
    code, output = gather(tmp_path, {})
    assert "no tests ran" in output.splitlines()[-1]
    assert code == pytest.ExitCode.NO_TESTS_COLLECTED


def test_every_test_belongs_to_a_routine_suite_once() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        holders = {suite.folder for suite in ROUTINE if path.is_relative_to(suite.folder)}
        by_name = any(path.is_relative_to(suite.folder) for suite in (FAULTS, MUTATION))
        assert len(holders) == (0 if by_name else 1), path


def test_a_suite_is_routine_or_run_by_name() -> None:
    assert not set(ROUTINE) & set(BY_NAME_ONLY)
