"""Joins what the suites measured and holds both packages to the same floor."""

import io
from dataclasses import dataclass
from pathlib import Path

import coverage
from coverage.exceptions import NoDataError

from scripts.set_up.places import ROOT
from scripts.testing.child import coverage_data

PACKAGES = ("edge_gateway", "custom_components")
LEAST_PERCENT = 90.0


@dataclass(frozen=True)
class Verdict:
    """The table to print, and a sentence for each package that is covered too little."""

    table: str
    complaints: list[str]


def judge(reports: Path) -> Verdict:
    """Combine the data of all suites and of the processes they started; compare each package's lines with the floor."""
    measured = coverage.Coverage(config_file=str(ROOT / "pyproject.toml"), data_file=str(coverage_data(reports)))
    table = io.StringIO()
    complaints = []
    try:
        measured.combine(data_paths=[str(coverage_data(reports).parent)])
    except NoDataError as error:
        return Verdict("", [f"coverage: {error}"])
    for package in PACKAGES:
        if not any((ROOT / package).rglob("*.py")):
            continue
        try:
            percent = measured.report(include=[f"{package}/*"], file=table)
        except NoDataError:
            percent = 0.0
        if percent < LEAST_PERCENT:
            complaints.append(
                f"coverage: {percent:.1f} % of {package}'s lines are covered, {LEAST_PERCENT:.0f} % must be"
            )
    measured.get_data().close()
    return Verdict(table.getvalue(), complaints)
