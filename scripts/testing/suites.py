"""The suites: where each lies, which environment it runs in, how long it may take."""

from dataclasses import dataclass
from pathlib import Path

from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT


@dataclass(frozen=True)
class Suite:
    """One pytest run: a folder of tests in one environment."""

    name: str
    environment_name: str = "gateway"
    timeout_seconds: int = 900
    all_tests: Path = ROOT / "tests"
    part_of: str = ""
    """The suite whose folder holds its tests; empty: its own."""
    keyword: str = ""
    """Of a part: pytest's expression that selects its tests."""

    @property
    def folder(self) -> Path:
        """The folder of its tests."""
        return self.all_tests / (self.part_of or self.name)

    @property
    def has_tests(self) -> bool:
        """Whether there is anything to run yet."""
        return any(self.folder.rglob("test_*.py"))

    def command(self, *arguments: str, measured: bool) -> list[str]:
        """Return the command that runs it, with further arguments for pytest; the working folder is the work tree.

        Files, folders or tests of it that are named among the arguments are run instead of all of it.
        """
        python = str(ENVIRONMENTS[self.environment_name].python)
        coverage = ["-m", "coverage", "run", f"--rcfile={ROOT / 'pyproject.toml'}"] if measured else []
        # A suite with a configuration of its own keeps it, while its tests are named from the work tree's top.
        own_settings = self.folder / "pytest.toml"
        settings = [f"--config-file={own_settings}", f"--rootdir={ROOT}"] if own_settings.exists() else []
        plugins = ["-p", "tests.reporting.needs"]
        selection = ["-k", self.keyword] if self.keyword else []
        whole = [] if any(map(self._holds, arguments)) else [str(self.folder)]
        return [python, *coverage, "-m", "pytest", *plugins, *settings, *whole, *selection, *arguments]

    def _holds(self, argument: str) -> bool:
        """Tell whether an argument names something of this suite, as pytest reads it: `path`, `path::test`."""
        path = (ROOT / argument.partition("::")[0]).resolve()
        return not argument.startswith("-") and path.is_relative_to(self.folder) and path.exists()


UNIT = Suite("unit")
SERVICE = Suite("service", timeout_seconds=2400)
PROVIDER = Suite("provider")
# Home Assistant's test plugin blocks sockets and watches tasks: a run, and an environment, of its own.
HOME_ASSISTANT = Suite("home_assistant", "home-assistant-2026.10")
END_TO_END = Suite("end_to_end", timeout_seconds=1800)
# The same in two parts: a test waits for a plan's minute for most of its time, so two versions go side by side.
END_TO_END_OLDEST = Suite("end_to_end_oldest", timeout_seconds=1800, part_of="end_to_end", keyword="2026.10")
END_TO_END_NEWEST = Suite("end_to_end_newest", timeout_seconds=1800, part_of="end_to_end", keyword="not 2026.10")
# The bridges' firmware: ESPHome itself has an environment of its own, which these tests start.
FIRMWARE = Suite("firmware")
APP = Suite("app", timeout_seconds=1800)
FAULTS = Suite("faults", timeout_seconds=3600)
# The tool that changes the rules has an environment of its own, which this suite starts.
MUTATION = Suite("mutation", timeout_seconds=10800)
# A part for each room, so that two processors have enough to share.
SERVICE_PARTS = tuple(
    Suite(f"service/{folder.name}", timeout_seconds=1800)
    for folder in sorted(SERVICE.folder.iterdir(), key=lambda folder: -sum(1 for _ in folder.rglob("test_*.py")))
    if any(folder.rglob("test_*.py"))
)

type Stages = tuple[tuple[Suite, ...], ...]

LANES = 2
"""How many suites of a stage run side by side; some tests ask how quick the program is, so no more than processors."""
# One stage after the other; of a stage, a lane that is free takes the next suite: the longest come first.
STAGES: Stages = (
    (APP, *SERVICE_PARTS[:3], PROVIDER, UNIT, *SERVICE_PARTS[3:], HOME_ASSISTANT, FIRMWARE),
    (END_TO_END_OLDEST, END_TO_END_NEWEST),
)
ROUTINE = tuple(suite for stage in STAGES for suite in stage)
# Longer suites run when they are named.
BY_NAME_ONLY = (SERVICE, END_TO_END, FAULTS, MUTATION)
SUITES = {suite.name: suite for suite in (*ROUTINE, *BY_NAME_ONLY)}
