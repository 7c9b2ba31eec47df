"""The short-lived folder beside the data."""

import os
import tempfile
from pathlib import Path

import pytest

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.embedded import runtime_folder


def test_it_is_private_short_and_found_again(tmp_path: Path) -> None:
    runtime = runtime_folder.create(tmp_path, shared=False)
    assert runtime.path.stat().st_mode & 0o777 == 0o700
    assert runtime.subfolder("postgres").stat().st_mode & 0o777 == 0o700
    assert len(bytes(runtime.path / "postgres" / ".s.PGSQL.5432")) < 108
    assert runtime_folder.left_behind(tmp_path) == runtime.path
    runtime.remove()
    assert not runtime.path.exists()
    assert runtime_folder.left_behind(tmp_path) is None


def test_when_shared_others_pass_through_and_see_nothing(tmp_path: Path) -> None:
    runtime = runtime_folder.create(tmp_path, shared=True)
    runtime.subfolder("postgres")
    assert runtime.path.stat().st_mode & 0o777 == 0o711
    runtime.remove()


def test_what_the_run_before_left_is_deleted(tmp_path: Path) -> None:
    old = runtime_folder.create(tmp_path, shared=False)
    (old.subfolder("postgres") / "socket").write_text("")
    new = runtime_folder.create(tmp_path, shared=False)
    assert not old.path.exists()
    assert new.path != old.path
    new.remove()


def test_a_link_to_something_else_costs_nobody_anything(tmp_path: Path) -> None:
    valuable = tmp_path / "valuable"
    valuable.mkdir()
    (valuable / "letter").write_text("dear")
    (tmp_path / "runtime").symlink_to(valuable)
    assert runtime_folder.left_behind(tmp_path) is None
    runtime = runtime_folder.create(tmp_path, shared=False)
    assert (valuable / "letter").exists()
    runtime.remove()


def test_a_long_or_closed_place_for_temporary_files_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("l" * 100)
    closed = tmp_path / "closed"
    long.mkdir()
    closed.mkdir(mode=0o700)
    for place in (long, closed):
        monkeypatch.setattr(tempfile, "tempdir", os.fspath(place))
        runtime = runtime_folder.create(tmp_path, shared=True)
        assert not runtime.path.is_relative_to(place)
        runtime.remove()


def test_no_place_at_all_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(tmp_path))
    monkeypatch.setattr(runtime_folder, "_PLACES", ())
    with pytest.raises(ConfigurationError) as refused:
        runtime_folder.create(tmp_path, shared=True)
    assert refused.value.code == "no_runtime_folder"


def test_it_is_made_anew_when_somebody_cleaned_up(tmp_path: Path) -> None:
    runtime = runtime_folder.create(tmp_path, shared=True)
    runtime.path.rmdir()
    assert runtime.subfolder("nats").is_dir()
    assert runtime.path.stat().st_mode & 0o777 == 0o711
    runtime.remove()
