"""The migrations' files: names and numbers."""

from pathlib import Path

import pytest

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.database import migration_files


def write(folder: Path, *names: str) -> Path:
    (folder / "garden").mkdir()
    for name in names:
        (folder / "garden" / name).write_text("SELECT 1")
    return folder


def test_reads_in_the_order_of_the_numbers(tmp_path: Path) -> None:
    found = migration_files.read("garden", write(tmp_path, "0002_roses.sql", "0001_beds.sql"))
    assert [(migration.number, migration.name) for migration in found] == [(1, "beds"), (2, "roses")]


@pytest.mark.parametrize(
    "names",
    [(), ("0002_roses.sql",), ("0001_beds.sql", "0003_path.sql"), ("0001_beds.sql", "0001_roses.sql"), ("beds.sql",)],
)
def test_refuses_a_gap_a_double_and_a_strange_name(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(ConfigurationError) as refused:
        migration_files.read("garden", write(tmp_path, *names))
    assert refused.value.code == "migrations_broken"


def test_a_checksum_tells_texts_apart(tmp_path: Path) -> None:
    folder = write(tmp_path, "0001_beds.sql")
    before = migration_files.read("garden", folder)[0].checksum
    (folder / "garden" / "0001_beds.sql").write_text("SELECT 2")
    assert migration_files.read("garden", folder)[0].checksum != before


def test_every_schema_of_the_package_reads() -> None:
    schemas = [path.name for path in migration_files.FOLDER.iterdir() if path.is_dir()]
    assert all(migration_files.read(schema) for schema in schemas)
