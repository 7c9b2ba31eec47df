"""A program for test_gathering: gathers the suites found in a folder, each a folder of its own, without coverage."""

import sys
from pathlib import Path

import pytest

from scripts.testing.coverage_gate import Verdict
from scripts.testing.gathering import Gathering
from scripts.testing.suites import Suite

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    reports = folder / "reports"
    reports.mkdir()
    suites = sorted(path.parent.name for path in folder.glob("*/test_*.py"))
    stages = tuple((Suite(name, timeout_seconds=20, all_tests=folder),) for name in suites)
    gathering = Gathering(int(sys.argv[2]), stages, reports, lambda _: Verdict("", []))
    sys.exit(pytest.main(["--noconftest", "-p", "no:cacheprovider", str(folder)], plugins=[gathering]))
