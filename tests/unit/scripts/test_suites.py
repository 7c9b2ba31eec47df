"""What of a suite is run: all of it, or what is named."""

import pytest

from scripts.testing.suites import FIRMWARE, HOME_ASSISTANT, UNIT

TEST = "tests/unit/scripts/test_suites.py"


@pytest.mark.parametrize(
    "named", [TEST, f"{TEST}::test_all_of_a_suite_is_run_when_nothing_of_it_is_named", "tests/unit/scripts"]
)
def test_what_is_named_is_run_instead_of_all(named: str) -> None:
    command = UNIT.command(named, "-k", "late", measured=False)
    assert str(UNIT.folder) not in command
    assert command[-3:] == [named, "-k", "late"]


@pytest.mark.parametrize("arguments", [(), ("-k", "late"), ("-x", "--lf"), ("tests/unit/none_such.py",)])
def test_all_of_a_suite_is_run_when_nothing_of_it_is_named(arguments: tuple[str, ...]) -> None:
    assert str(UNIT.folder) in UNIT.command(*arguments, measured=False)


def test_a_file_of_another_suite_narrows_nothing() -> None:
    assert str(FIRMWARE.folder) in FIRMWARE.command(TEST, measured=False)
    assert str(HOME_ASSISTANT.folder) in HOME_ASSISTANT.command("tests", measured=False)
