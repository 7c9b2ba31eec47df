"""The unit tests of the pure rules bite: hardly a change of a rule goes unnoticed, and each that does is explained.

What is changed, and which tests are run, stands in pyproject.toml (`tool.mutmut`). The work tree is copied to
`mutants/` first; what a change looked like is shown by `.venv-mutation/bin/mutmut show NAME` afterwards.
"""

import re
import shutil
import subprocess

import pytest

from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT

HOURS = 3600
CAUGHT = frozenset({"killed", "timeout"})
"""A rule that no longer comes to an end is noticed, too."""
EXPLAINED = re.compile(r"`(edge_gateway\.[^`]+__mutmut_\d+)`")


def mutmut(*arguments: str) -> str:
    """Run the tool in the work tree; return what it printed."""
    finished = subprocess.run(  # noqa: S603 - the command is our own
        [str(ENVIRONMENTS["mutation"].path / "bin" / "mutmut"), *arguments],
        check=True,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=3 * HOURS,
    )
    return finished.stdout


@pytest.mark.timeout(3 * HOURS)
def test_less_than_one_change_in_twenty_goes_unnoticed_and_each_of_those_is_explained() -> None:
    shutil.rmtree(ROOT / "mutants", ignore_errors=True)
    mutmut("run")
    lines = mutmut("results", "--all", "true").splitlines()
    outcomes = dict(line.strip().rsplit(": ", 1) for line in lines if "__mutmut_" in line)
    unnoticed = {name for name, outcome in outcomes.items() if outcome not in CAUGHT}
    explained = set(EXPLAINED.findall((ROOT / "docs" / "mutation.md").read_text(encoding="utf-8")))

    assert len(outcomes) > 3000
    assert len(unnoticed) < len(outcomes) / 20
    assert sorted(unnoticed - explained) == []
