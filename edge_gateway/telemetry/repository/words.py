"""Texts that stand in the log as numbers."""

from collections.abc import Collection

from edge_gateway.telemetry.repository import Connection

_LEARN = """
INSERT INTO telemetry.word (text) SELECT * FROM unnest($1::text[]) ON CONFLICT (text) DO NOTHING
"""
_READ = "SELECT text, number FROM telemetry.word WHERE text = ANY($1)"
_REMEMBERED = 10_000


class Words:
    """The numbers of texts; a number once given stays, so what is known need not be looked up again."""

    def __init__(self) -> None:
        """Know none."""
        self.numbers: dict[str, int] = {}

    async def learn(self, connection: Connection, texts: Collection[str]) -> None:
        """See to it that all these texts have numbers; outside of a transaction, which may be rolled back."""
        missing = [text for text in texts if text not in self.numbers]
        if not missing:
            return
        if len(self.numbers) > _REMEMBERED:
            self.numbers.clear()
            missing = list(texts)
        await connection.execute(_LEARN, sorted(missing))
        for row in await connection.fetch(_READ, missing):
            self.numbers[row["text"]] = row["number"]
