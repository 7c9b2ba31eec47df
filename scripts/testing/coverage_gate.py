"""Joins what the suites measured and holds both packages to the same floor."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from scripts.set_up.places import ROOT
from scripts.testing.child import coverage_data

PACKAGES = ("edge_gateway", "custom_components")
LEAST_PERCENT = 90
TIMEOUT_SECONDS = 300


@dataclass(frozen=True)
class Verdict:
    """The table to print, and a sentence for each package that is covered too little."""

    table: str
    complaints: list[str]


def judge(reports: Path) -> Verdict:
    """Combine the data of all suites and of the processes they started; compare each package's lines with the floor."""
    data = coverage_data(reports)
    code, output = _coverage(data, "combine", "--quiet", str(data.parent))
    if code:
        return Verdict("", [f"coverage: {output.strip()}"])
    tables, complaints = [], []
    for package in PACKAGES:
        if not any((ROOT / package).rglob("*.py")):
            continue
        arguments = (f"--include={package}/*", f"--fail-under={LEAST_PERCENT}", "--precision=1")
        code, output = _coverage(data, "report", *arguments)
        tables.append(output)
        if code:
            complaints.append(f"coverage of {package}: {output.strip().splitlines()[-1]}")
    return Verdict("\n".join(tables), complaints)


def _coverage(data: Path, *arguments: str) -> tuple[int, str]:
    """Run coverage as a program: as a library it leaves open databases behind, which pytest takes for a mistake."""
    finished = subprocess.run(  # noqa: S603 - the command is our own
        [sys.executable, "-m", "coverage", *arguments],
        check=False,
        cwd=ROOT,
        env={**os.environ, "COVERAGE_FILE": str(data)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    return finished.returncode, finished.stdout
