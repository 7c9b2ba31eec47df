"""The rows that evolve with a mower's states. They change while a batch is judged, and are stored once after it.

They stand in the mower's document as arrays, without the names of their fields: a field may be added at the end, with a
default, and none may be moved or taken away. `Totals` is the beginning of `Health`, and stays as it is.
"""

from datetime import date, datetime

import msgspec

from edge_gateway.telemetry.ground import Coordinates


class Totals(msgspec.Struct, kw_only=True, gc=False, array_like=True):
    """What a mower did. Whole numbers: sums must not depend on how states are batched."""

    mowing_microseconds: int = 0
    distance_millimetres: int = 0
    area_square_centimetres: int = 0
    charge_cycles: int = 0
    blade_microseconds: int = 0


class Health(Totals, kw_only=True, gc=False, array_like=True):
    """What a mower did in its life; the blades' time since they were new."""

    blades_reset_at: datetime | None = None
    blade_threshold_told: bool = False
    place: Coordinates | None = None
    """Where it was last known to be."""
    was_charging: bool | None = None
    """What was last known."""
    zone_ids: tuple[str, ...] = ()
    """The owner's zones in which it was then."""
    job_id: str | None = None
    """Its newest job."""


class AreaDay(msgspec.Struct, kw_only=True, gc=False, array_like=True):
    """How long an area was mowed on a day."""

    mowing_microseconds: int = 0
    last_mowed_at: datetime


class JobRow(msgspec.Struct, kw_only=True, gc=False, array_like=True):
    """A job from start to finish, across charging breaks."""

    job_id: str
    started_at: datetime
    last_at: datetime
    command_id: str | None = None
    ended_at: datetime | None = None
    ending: str | None = None
    area_ids: tuple[str, ...] = ()
    progress_percent: float | None = None
    area_square_centimetres: int | None = None
    """Null while the sizes of its areas or its progress are not known."""
    mowing_microseconds: int = 0
    distance_millimetres: int = 0
    charging_breaks: int = 0
    docked: bool = False
    """It stood in its dock at the last report."""


class OpenDay(msgspec.Struct, kw_only=True, gc=False, array_like=True):
    """What a mower did on its newest day, as far as that is not in the days' own rows."""

    day: date
    totals: Totals
    areas: dict[str, AreaDay]


class Evolving(msgspec.Struct, kw_only=True, gc=False, array_like=True):
    """All that evolves with a mower's states, as one document: a batch writes one row of each mower."""

    health: Health
    job: JobRow | None = None
    """Its newest one as it is now; the job's own row is written when it begins and when it ends."""
    day: OpenDay | None = None
