"""The simulated gardens and the models that mow them: made up, the same at every start."""

import msgspec

from edge_gateway.contracts.map import Point


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """One area of a garden, in metres east and north of the dock."""

    key: str
    name: str
    boundary: tuple[Point, ...]


class Garden(msgspec.Struct, frozen=True, kw_only=True):
    """What one mower mows; its dock stands at (0, 0)."""

    grounds: tuple[Ground, ...]
    obstacles: tuple[tuple[Point, ...], ...] = ()
    no_go_zones: tuple[tuple[Point, ...], ...] = ()


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """What a machine of one kind can do."""

    name: str
    cutting_width_m: float
    mowing_speed_m_s: float
    travel_speed_m_s: float
    mowing_minutes: float
    """How long a full battery lasts."""
    charging_minutes: float
    """From empty to full."""
    turns_back: bool
    """It can be turned back on its way home."""


SMALL = Garden(
    grounds=(
        Ground(key="front-lawn", name="Front lawn", boundary=((2.0, 1.0), (16.0, 1.0), (16.0, 12.0), (2.0, 12.0))),
        Ground(key="herb-corner", name="Herb corner", boundary=((-9.0, 2.0), (-1.5, 2.0), (-1.5, 9.0))),
    ),
    obstacles=(((7.0, 5.0), (8.0, 5.0), (8.0, 6.0), (7.0, 6.0)),),
)
MEDIUM = Garden(
    grounds=(
        Ground(key="back-garden", name="Back garden", boundary=((1.0, 2.0), (25.0, 2.0), (25.0, 18.0), (1.0, 18.0))),
        Ground(
            key="orchard",
            name="Orchard",
            boundary=((-22.0, 3.0), (-2.0, 3.0), (-2.0, 10.0), (-12.0, 10.0), (-12.0, 20.0), (-22.0, 20.0)),
        ),
        Ground(key="play-lawn", name="Play lawn", boundary=((2.0, -14.0), (14.0, -14.0), (14.0, -3.0), (2.0, -3.0))),
    ),
    obstacles=(((12.0, 9.0), (14.0, 9.0), (14.0, 11.0), (12.0, 11.0)),),
    no_go_zones=(((20.0, 13.0), (25.0, 13.0), (25.0, 18.0), (20.0, 18.0)),),
)
LARGE = Garden(
    grounds=(
        Ground(key="park", name="Park", boundary=((3.0, 3.0), (42.0, 5.0), (38.0, 33.0), (5.0, 30.0))),
        Ground(key="pond-meadow", name="Pond meadow", boundary=((-38.0, 4.0), (-4.0, 4.0), (-10.0, 27.0))),
        Ground(key="drive", name="Drive", boundary=((-3.0, -40.0), (2.0, -40.0), (2.0, -3.0), (-3.0, -3.0))),
        Ground(key="terrace", name="Terrace", boundary=((6.0, -20.0), (24.0, -20.0), (24.0, -5.0), (6.0, -5.0))),
    ),
    obstacles=(((18.0, 15.0), (21.0, 15.0), (21.0, 18.0), (18.0, 18.0)),),
    no_go_zones=(((-16.0, 8.0), (-10.0, 8.0), (-10.0, 14.0), (-16.0, 14.0)),),
)

KINDS: tuple[tuple[Model, Garden], ...] = (
    (
        Model(
            name="Simulated 500",
            cutting_width_m=0.2,
            mowing_speed_m_s=0.35,
            travel_speed_m_s=0.5,
            mowing_minutes=70,
            charging_minutes=60,
            turns_back=False,
        ),
        SMALL,
    ),
    (
        Model(
            name="Simulated 1500",
            cutting_width_m=0.3,
            mowing_speed_m_s=0.45,
            travel_speed_m_s=0.6,
            mowing_minutes=75,
            charging_minutes=90,
            turns_back=True,
        ),
        MEDIUM,
    ),
    (
        Model(
            name="Simulated 3000",
            cutting_width_m=0.4,
            mowing_speed_m_s=0.6,
            travel_speed_m_s=0.8,
            mowing_minutes=90,
            charging_minutes=120,
            turns_back=True,
        ),
        LARGE,
    ),
)
"""Mowers take turns with these."""

NAMES = ("Daisy", "Clover", "Bramble", "Fern", "Hazel", "Ivy", "Juniper", "Moss", "Poppy", "Sorrel", "Tansy", "Yarrow")


def mower_name(number: int) -> str:
    """Return the name of the `number`-th (from 1) simulated mower."""
    return NAMES[number - 1] if number <= len(NAMES) else f"Mower {number}"
