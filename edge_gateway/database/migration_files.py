"""The SQL files of the migrations, as they lie in the package."""

import hashlib
import re
from pathlib import Path
from typing import override

import msgspec

from edge_gateway.contracts.errors import ConfigurationError

FOLDER = Path(__file__).parent / "migrations"

_NAME = re.compile(r"(?P<number>\d{4})_(?P<name>[a-z0-9_]+)\.sql")


class Migration(msgspec.Struct, frozen=True):
    """One step forward of one schema."""

    schema: str
    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """The SHA-256 of the text: an applied file never changes."""
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @override
    def __str__(self) -> str:
        """Return how it is spoken of: `fleet 0001_mowers`."""
        return f"{self.schema} {self.number:04d}_{self.name}"


def read(schema: str, folder: Path = FOLDER) -> list[Migration]:
    """Return the migrations of a schema in their order.

    Raises `ConfigurationError` (`migrations_broken`) when a number is missing or doubled or a name is none: an
    installation that lost files must not touch the database.
    """
    found = []
    for path in sorted((folder / schema).glob("*.sql")):
        match = _NAME.fullmatch(path.name)
        if match is None:
            raise ConfigurationError(
                code="migrations_broken", detail=f"The migration {schema}/{path.name} is not named 0001_words.sql."
            )
        found.append(Migration(schema, int(match["number"]), match["name"], path.read_text(encoding="utf-8")))
    if [migration.number for migration in found] != list(range(1, len(found) + 1)) or not found:
        raise ConfigurationError(
            code="migrations_broken",
            detail=f"The migrations of {schema} are not numbered from 0001 on: {', '.join(map(str, found)) or 'none'}.",
            remedy="The installation is damaged: install the program again.",
        )
    return found
