"""The data folder: identity, secrets, and one program at a time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from edge_gateway import instance
from edge_gateway.contracts.errors import ConfigurationError, ConflictError
from edge_gateway.instance import Instance


def test_a_new_folder_gets_an_identity_and_secrets_that_stay(tmp_path: Path) -> None:
    first = Instance.open(tmp_path / "deep" / "data")
    kept = (first.gateway_id, first.token, first.nats_token)
    sealed = first.secret_box.seal("correct horse", purpose="here")
    first.close()
    second = Instance.open(tmp_path / "deep" / "data")
    assert (second.gateway_id, second.token, second.nats_token) == kept
    assert len(set(kept)) == 3
    assert len(second.token) >= 43
    assert second.secret_box.open(sealed, purpose="here") == "correct horse"
    second.close()


def test_secrets_are_for_the_owner_alone(tmp_path: Path) -> None:
    opened = Instance.open(tmp_path / "data")
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "data").iterdir()}
    assert modes == dict.fromkeys(("gateway_id", "lock", "nats_token", "secret.key", "token"), 0o600)
    opened.close()


def test_a_secret_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    Instance.open(tmp_path).close()
    (tmp_path / "token").chmod(0o644)
    Instance.open(tmp_path).close()
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["gateway_id", "token", "nats_token", "secret.key"])
def test_an_empty_file_is_named_and_not_replaced(tmp_path: Path, name: str) -> None:
    Instance.open(tmp_path).close()
    (tmp_path / name).write_text("\n")
    with pytest.raises(ConfigurationError, match=name):
        Instance.open(tmp_path)
    assert (tmp_path / name).read_text() == "\n"
    # The lock was given back.
    (tmp_path / name).unlink()
    Instance.open(tmp_path).close()


@pytest.mark.parametrize(
    ("name", "damaged"),
    [
        ("token", b"\xff\xfe\x00\x01" * 8),
        ("token", b"a-token-of-a-good-length\nand another line"),
        ("token", b"half"),
        ("token", "ein-schlüssel-für-den-garten".encode()),
        ("token", b"a" * 5_000_000),
        ("nats_token", b"no@address:holds/this?one#here"),
        ("gateway_id", b"a b*>.c"),
        ("gateway_id", b"a" * 3000),
        ("secret.key", b"\xff\xfe"),
    ],
)
def test_a_damaged_file_is_named_and_not_replaced(tmp_path: Path, name: str, damaged: bytes) -> None:
    Instance.open(tmp_path).close()
    (tmp_path / name).write_bytes(damaged)
    with pytest.raises(ConfigurationError, match=name) as raised:
        Instance.open(tmp_path)
    assert "delete it" in (raised.value.remedy or "")
    assert (tmp_path / name).read_bytes() == damaged
    assert not instance.running(tmp_path)


def test_a_key_that_is_none_is_named_and_the_folder_given_back(tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_text("no key\n")
    with pytest.raises(ConfigurationError, match=r"secret\.key"):
        Instance.open(tmp_path)
    assert not instance.running(tmp_path)


def test_a_write_that_was_cut_off_is_repeated(tmp_path: Path) -> None:
    (tmp_path / "token.new").write_text("hal")
    opened = Instance.open(tmp_path)
    assert (tmp_path / "token").read_text().strip() == opened.token
    assert not (tmp_path / "token.new").exists()
    opened.close()


def test_only_one_has_it_at_a_time(tmp_path: Path) -> None:
    first = Instance.open(tmp_path)
    assert instance.running(tmp_path)
    with pytest.raises(ConflictError, match=f"process {os.getpid()}"):
        Instance.open(tmp_path)
    first.close()
    assert not instance.running(tmp_path)
    Instance.open(tmp_path).close()


def test_a_killed_program_has_it_no_longer(tmp_path: Path) -> None:
    code = "import os, sys; from pathlib import Path; from edge_gateway.instance import Instance\n"
    code += "kept = Instance.open(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False, timeout=30)  # noqa: S603 - our own
    assert (tmp_path / "lock").exists()
    assert not instance.running(tmp_path)
    Instance.open(tmp_path).close()


def test_the_port_is_told_while_it_runs(tmp_path: Path) -> None:
    opened = Instance.open(tmp_path)
    opened.write_port(8765)
    assert (tmp_path / "port").read_text() == "8765\n"
    opened.close()
    assert not (tmp_path / "port").exists()


def test_a_file_where_the_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    for place in (tmp_path / "data", tmp_path / "data" / "deeper"):
        for look in (Instance.open, instance.examine):
            with pytest.raises(ConfigurationError) as refused:
                look(place)
            assert refused.value.field == "MOWDECK_DATA_DIR"
            assert str(place) in refused.value.detail


def test_looking_at_a_folder_changes_nothing(tmp_path: Path) -> None:
    assert "will be made" in instance.examine(tmp_path / "a" / "b")
    assert not (tmp_path / "a").exists()
    opened = Instance.open(tmp_path / "data")
    assert "in use" in instance.examine(tmp_path / "data")
    opened.close()
    assert instance.examine(tmp_path / "data") == str(tmp_path / "data")


def test_without_a_name_data_lies_where_programs_keep_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
    assert instance.default_data_folder() == Path("/srv/data/mowdeck")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert instance.default_data_folder() == Path("/home/somebody/.local/share/mowdeck")
