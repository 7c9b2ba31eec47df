"""What the set-up says when it is stopped, or may not write."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from scripts.set_up import command
from scripts.set_up.environments import Environment


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a work tree whose environments are all missing."""
    tools = tmp_path / "tools"
    monkeypatch.setattr(command, "TOOLS", tools)
    monkeypatch.setattr(command, "is_current", lambda _environment: False)
    return tools


def test_control_c_is_one_sentence(
    tools: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_wanted: Sequence[Environment]) -> None:
        assert tools.is_dir()
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_make_all", interrupted)
    assert command.set_up(["gateway"]) == command.INTERRUPTED
    assert capsys.readouterr().err.strip().endswith("The next start goes on from here.")


def test_a_checkout_that_cannot_be_written_is_said_with_what_to_do(
    tools: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A file in the place of the folder above refuses everybody, root as well.
    tools.write_text("")
    monkeypatch.setattr(command, "TOOLS", tools / "inside")
    assert command.set_up(["gateway"]) == 1
    sentence, remedy = capsys.readouterr().err.splitlines()
    assert "cannot be made" in sentence
    assert "right to write" in remedy
