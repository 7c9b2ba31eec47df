"""Positions packed: some minutes of a mower's way in one row, in centimetres from its first point, thinned. Pure."""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

import msgspec

from edge_gateway.contracts.telemetry import PositionRow
from edge_gateway.telemetry.ground import METRES_PER_DEGREE

LONGEST = timedelta(minutes=5)
_REACH_CENTIMETRES = 32_000
"""A small integer of the database ends at 32,767."""
_CENTIMETRES_PER_DEGREE = METRES_PER_DEGREE * 100
_DECISECOND = timedelta(milliseconds=100)


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of a mower's way. The three lists are as long as it has points; the first is the beginning itself."""

    begins_at: datetime
    latitude: float
    """Degrees, of the first point."""
    longitude: float
    deciseconds: tuple[int, ...]
    """Since the beginning."""
    north_centimetres: tuple[int, ...]
    east_centimetres: tuple[int, ...]


def thin(points: Iterable[PositionRow], apart: timedelta) -> Iterator[PositionRow]:
    """Return the points that lie at least so far apart in time, and the last one."""
    kept: PositionRow | None = None
    left_out: PositionRow | None = None
    for point in points:
        if kept is None or point.observed_at - kept.observed_at >= apart:
            yield point
            kept, left_out = point, None
        else:
            left_out = point
    if left_out is not None:
        yield left_out


def pack(points: Iterable[PositionRow]) -> list[Segment]:
    """Return points, oldest first, as segments."""
    segments: list[Segment] = []
    gathered: list[PositionRow] = []
    for point in points:
        if gathered and not _fits(gathered[0], point):
            segments.append(_packed(gathered))
            gathered = []
        gathered.append(point)
    if gathered:
        segments.append(_packed(gathered))
    return segments


def unpack(segment: Segment) -> list[PositionRow]:
    """Return the points of a segment, each within a centimetre of what was packed."""
    east_degrees = _CENTIMETRES_PER_DEGREE * math.cos(math.radians(segment.latitude))
    return [
        PositionRow(
            observed_at=segment.begins_at + deciseconds * _DECISECOND,
            latitude=segment.latitude + north / _CENTIMETRES_PER_DEGREE,
            longitude=segment.longitude + east / east_degrees,
        )
        for deciseconds, north, east in zip(
            segment.deciseconds, segment.north_centimetres, segment.east_centimetres, strict=True
        )
    ]


def _fits(first: PositionRow, point: PositionRow) -> bool:
    north, east = _offset(first, point)
    return point.observed_at - first.observed_at < LONGEST and max(abs(north), abs(east)) <= _REACH_CENTIMETRES


def _packed(points: Sequence[PositionRow]) -> Segment:
    first = points[0]
    offsets = [_offset(first, point) for point in points]
    return Segment(
        begins_at=first.observed_at,
        latitude=first.latitude,
        longitude=first.longitude,
        deciseconds=tuple((point.observed_at - first.observed_at) // _DECISECOND for point in points),
        north_centimetres=tuple(north for north, _ in offsets),
        east_centimetres=tuple(east for _, east in offsets),
    )


def _offset(first: PositionRow, point: PositionRow) -> tuple[int, int]:
    """Return how far a point lies to the north and to the east, in centimetres."""
    north = (point.latitude - first.latitude) * _CENTIMETRES_PER_DEGREE
    east = (point.longitude - first.longitude) * _CENTIMETRES_PER_DEGREE * math.cos(math.radians(first.latitude))
    return round(north), round(east)
