"""Makes values that a schema of the openapi document allows, and watches which of their fields are read."""

from typing import Any, override

type Json = dict[str, Any]

MOMENT = "2026-05-01T07:00:00Z"
"""Any text may be this: the document says of most moments only that they are texts."""

PLAIN: dict[str, Any] = {"number": 3.5, "boolean": True, "null": None, "string": MOMENT, "integer": 3}
"""A value of each type that is no object and no list."""

VARIANTS = 4
"""A recurrence has three kinds, and most fields may be null."""


class Watched(dict[str, Any]):
    """An object that lets only those fields be read that its schema promises."""

    promised: frozenset[str] = frozenset()

    @override
    def get(self, key: str, default: object = None) -> Any:
        """Read a field as the client does."""
        assert key in self.promised, f"the client reads {key}, and the API promises {', '.join(sorted(self.promised))}"
        return super().get(key, default)


class Samples:
    """Values of one document's schemas."""

    def __init__(self, document: Json) -> None:
        """Take the document that references lead into."""
        self._schemas: Json = document["components"]["schemas"]

    def make(self, schema: Json, variant: int) -> Any:  # noqa: ANN401  # JSON
        """Return one value: of the variants, the last one has null wherever it may be, and empty lists."""
        schema = self.resolved(schema)
        if "anyOf" in schema:
            return self._choice(schema["anyOf"], variant)
        if "enum" in schema:
            return schema["enum"][variant % len(schema["enum"])]
        match schema.get("type"):
            case "object":
                return self._object(schema, variant)
            case "array":
                return self._array(schema, variant)
            case "string" if schema.get("format") == "date":
                return MOMENT[:10]
            case plain:
                return PLAIN.get(str(plain))

    def _choice(self, choices: list[Json], variant: int) -> Any:  # noqa: ANN401  # JSON
        """Return a value of one of several schemas."""
        others = [each for each in choices if each != {"type": "null"}]
        if variant == VARIANTS - 1 and len(others) < len(choices):
            return None
        return self.make(others[variant % len(others)], variant)

    def resolved(self, schema: Json) -> Json:
        """Follow references."""
        while "$ref" in schema:
            schema = self._schemas[schema["$ref"].rpartition("/")[2]]
        return schema

    def _object(self, schema: Json, variant: int) -> Json:
        fields: Json = schema.get("properties", {})
        if not fields:
            # Of the versions of the API; nothing else is a number by a name.
            return {"min": 1, "max": 1} if schema.get("additionalProperties") == {"type": "integer"} else {}
        # What has a default is answered too.
        made = Watched({name: self.make(each, variant) for name, each in fields.items()})
        made.promised = frozenset(fields)
        return made

    def _array(self, schema: Json, variant: int) -> list[Any]:
        if "prefixItems" in schema:
            return [self.make(each, variant) for each in schema["prefixItems"]]
        return [] if variant == VARIANTS - 1 else [self.make(schema.get("items", {}), variant)]
