"""A mower's map, in metres east and north of its origin."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from .errors import MalformedError
from .reading import Reading

type Point = tuple[float, float]
"""Metres east and north."""

type Ring = tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class MapArea:
    """An area on the map."""

    id: str
    name: str
    boundary: Ring

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            name=reading.text("name"),
            boundary=_ring(reading.fields.get("boundary"), f"{reading.path}.boundary"),
        )


@dataclass(frozen=True, kw_only=True)
class Map:
    """What is known of a mower's ground."""

    observed_at: datetime
    complete: bool
    areas: tuple[MapArea, ...]
    obstacles: tuple[Ring, ...]
    no_go_zones: tuple[Ring, ...]
    dock: Point | None

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        dock = reading.fields.get("dock")
        return cls(
            observed_at=reading.moment("observed_at"),
            complete=reading.flag("complete"),
            areas=reading.objects("areas", MapArea.read),
            obstacles=_rings(reading, "obstacles"),
            no_go_zones=_rings(reading, "no_go_zones"),
            dock=None if dock is None else _point(dock, f"{reading.path}.dock"),
        )


def _rings(reading: Reading, name: str) -> tuple[Ring, ...]:
    value = reading.fields.get(name) or []
    if not isinstance(value, list):
        raise MalformedError(f"{reading.path}.{name} is not a list")
    return tuple(_ring(each, f"{reading.path}.{name}[{index}]") for index, each in enumerate(value))


def _ring(value: Any, path: str) -> Ring:  # noqa: ANN401  # any JSON
    if value is None:
        return ()
    if not isinstance(value, list):
        raise MalformedError(f"{path} is not a list of points")
    return tuple(_point(each, path) for each in value)


def _point(value: Any, path: str) -> Point:  # noqa: ANN401  # any JSON
    match value:
        case [int() | float() as east, int() | float() as north]:
            return float(east), float(north)
        case _:
            raise MalformedError(f"{path} is not a point")
