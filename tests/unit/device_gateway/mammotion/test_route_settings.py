"""The settings of a new job: the user's, else the mower's own, and never a blade height of 0."""

from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import InvalidError, UnsafeError
from edge_gateway.device_gateway.mammotion.route_settings import Limits, RouteSettings, choose, job_settings

LIMITS = Limits(blade_height_mm=(25, 70), speed=(0.2, 1.2), path_spacing_cm=(20, 35))
OWN = RouteSettings(
    blade_height_mm=50, speed=0.5, path_spacing_cm=30, pattern=1, angle=20, border_laps=3, obstacle_laps=2
)


def chosen(
    wish: dict[str, Any] | None = None,
    *,
    own: RouteSettings | None = OWN,
    limits: Limits = LIMITS,
    current: int | None = 45,
    sets: bool = True,
) -> RouteSettings:
    return choose(wish, own=own, limits=limits, current_blade_height_mm=current, sets_blade_height=sets)


def test_nothing_named_is_the_mower_s_own_with_the_blades_where_they_stand() -> None:
    expected = RouteSettings(
        blade_height_mm=45, speed=0.5, path_spacing_cm=30, pattern=1, angle=20, border_laps=3, obstacle_laps=2
    )
    assert chosen() == expected


def test_only_what_is_named_changes() -> None:
    settings = chosen({"angle": 90})
    assert (settings.angle, settings.angle_mode) == (90, 1)
    assert (settings.speed, settings.border_laps) == (0.5, 3)


@pytest.mark.parametrize(("word", "number"), [("relative", 0), ("absolute", 1), ("random", 2)])
def test_how_an_angle_is_meant_is_named_in_a_word(word: str, number: int) -> None:
    assert chosen({"angle_mode": word}).angle_mode == number
    for wish in ({"angle": 30, "angle_mode": word}, {"angle_mode": word, "angle": 30}):
        assert (chosen(wish).angle, chosen(wish).angle_mode) == (30, number)


def test_how_obstacles_are_treated_is_named_in_a_word_of_the_model() -> None:
    limits = msgspec.structs.replace(LIMITS, detections={"off": 1, "standard": 10, "sensitive": 11})
    assert chosen({"obstacle_detection": "standard"}, limits=limits).detection == 10
    with pytest.raises(InvalidError) as caught:
        chosen({"obstacle_detection": "less_touch"}, limits=limits)
    assert caught.value.field == "pattern.obstacle_detection"
    assert "off, standard, sensitive" in caught.value.detail


def test_what_can_be_named_is_listed_and_each_of_it_can_be_named() -> None:
    limits = msgspec.structs.replace(LIMITS, detections={"off": 1})
    listed = job_settings(limits, sets_blade_height=True)
    wish = {one.key: one.allowed[0] if one.allowed else one.minimum for one in listed} | {"grid_first": True}
    assert chosen(wish, limits=limits).detection == 1
    assert {"angle_mode", "obstacle_detection", "blade_height", "speed"} <= wish.keys()
    assert "blade_height" not in {one.key for one in job_settings(limits, sets_blade_height=False)}


def test_every_wish_is_taken() -> None:
    wish = {
        "angle": -45,
        "speed": 0.8,
        "blade_height": 60,
        "path_spacing": 22,
        "pattern": "crossed",
        "crossing_angle": 60,
        "border_laps": 0,
        "obstacle_laps": 4,
        "grid_first": True,
    }
    expected = RouteSettings(
        blade_height_mm=60,
        speed=0.8,
        path_spacing_cm=22,
        pattern=1,
        angle=-45,
        angle_mode=1,
        crossing_angle=60,
        border_laps=0,
        obstacle_laps=4,
        grid_first=True,
    )
    assert chosen(wish) == expected


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("angle", 181, "is a number from -180 to 180"),
        ("angle", -181, "is a number from -180 to 180"),
        ("angle", "north", "is a number from -180 to 180"),
        ("angle", True, "is a number from -180 to 180"),
        ("angle_mode", 1, "is one of relative, absolute, random"),
        ("speed", 1.21, "is a number from 0.2 to 1.2"),
        ("speed", 0, "is a number from 0.2 to 1.2"),
        ("blade_height", 0, "is a number from 25 to 70"),
        ("blade_height", 24, "is a number from 25 to 70"),
        ("blade_height", 71, "is a number from 25 to 70"),
        ("path_spacing", 19, "is a number from 20 to 35"),
        ("pattern", "spiral", "is one of parallel, crossed, segmented, edges_only"),
        ("crossing_angle", -1, "is a number from 0 to 180"),
        ("crossing_angle", 181, "is a number from 0 to 180"),
        ("border_laps", 5, "is a number from 0 to 4"),
        ("obstacle_laps", -1, "is a number from 0 to 4"),
        ("obstacle_laps", 5, "is a number from 0 to 4"),
        ("grid_first", 1, "is true or false"),
        ("mood", "good", "is not a setting of this mower's jobs"),
    ],
)
def test_what_is_not_allowed_is_named_with_what_is(key: str, value: object, why: str) -> None:
    with pytest.raises(InvalidError) as caught:
        chosen({key: value})
    assert (caught.value.code, caught.value.field) == ("invalid_pattern", f"pattern.{key}")
    assert caught.value.detail == f"The setting {key} {why}."


@pytest.mark.parametrize(
    ("key", "field", "limits"),
    [
        ("angle", "angle", (-180, 180)),
        ("speed", "speed", (0.2, 1.2)),
        ("blade_height", "blade_height_mm", (25, 70)),
        ("path_spacing", "path_spacing_cm", (20, 35)),
        ("crossing_angle", "crossing_angle", (0, 180)),
        ("border_laps", "border_laps", (0, 4)),
        ("obstacle_laps", "obstacle_laps", (0, 4)),
    ],
)
def test_the_limits_themselves_are_taken(key: str, field: str, limits: tuple[float, float]) -> None:
    for value in limits:
        assert getattr(chosen({key: value}), field) == value


def test_a_model_of_which_little_is_known_takes_what_any_does() -> None:
    unknown = Limits()
    assert chosen({"speed": 1.2, "path_spacing": 5}, limits=unknown, own=RouteSettings(blade_height_mm=30)) == (
        RouteSettings(blade_height_mm=45, speed=1.2, path_spacing_cm=5)
    )
    with pytest.raises(InvalidError):
        chosen({"path_spacing": 36}, limits=unknown)


def test_what_can_be_named_is_listed_with_its_limits() -> None:
    limits = msgspec.structs.replace(LIMITS, detections={"off": 1, "standard": 10})
    listed = [
        Setting(key="pattern", value=None, allowed=("parallel", "crossed", "segmented", "edges_only")),
        Setting(key="angle_mode", value=None, allowed=("relative", "absolute", "random")),
        Setting(key="obstacle_detection", value=None, allowed=("off", "standard")),
        Setting(key="speed", value=None, minimum=0.2, maximum=1.2, unit="m/s"),
        Setting(key="grid_first", value=None, allowed=("true", "false")),
        Setting(key="blade_height", value=None, minimum=25, maximum=70, unit="mm"),
        Setting(key="angle", value=None, minimum=-180, maximum=180, unit="°"),
        Setting(key="crossing_angle", value=None, minimum=0, maximum=180, unit="°"),
        Setting(key="path_spacing", value=None, minimum=20, maximum=35, unit="cm"),
        Setting(key="border_laps", value=None, minimum=0, maximum=4),
        Setting(key="obstacle_laps", value=None, minimum=0, maximum=4),
    ]
    assert list(job_settings(limits, sets_blade_height=True)) == listed
    by_hand = [one for one in listed if one.key not in {"blade_height", "obstacle_detection"}]
    assert list(job_settings(LIMITS, sets_blade_height=False)) == by_hand
    unknown = {one.key: (one.minimum, one.maximum) for one in job_settings(Limits(), sets_blade_height=True)}
    assert (unknown["speed"], unknown["path_spacing"]) == ((0.2, 1.2), (5, 35))
    assert "blade_height" not in unknown


@pytest.mark.parametrize(
    ("current", "own_height", "expected"), [(None, 50, 50), (0, 50, 50), (1, 50, 25), (10, 50, 25), (99, 50, 70)]
)
def test_a_known_height_is_brought_into_the_limits(current: int | None, own_height: int, expected: int) -> None:
    assert chosen(own=RouteSettings(blade_height_mm=own_height), current=current).blade_height_mm == expected


@pytest.mark.parametrize("current", [None, 0, -10])
def test_an_unknown_height_is_never_guessed(current: int | None) -> None:
    with pytest.raises(UnsafeError) as caught:
        chosen(own=None, current=current)
    with pytest.raises(UnsafeError):
        chosen(own=RouteSettings(blade_height_mm=0), current=current)
    error = caught.value
    assert error.code == "blade_height_unknown"
    assert error.detail == "The mower has not told how high its blades stand, and a guess could scalp the lawn."
    assert error.remedy == "Name a blade height, or wait until the mower has reported."


def test_without_limits_a_height_is_kept_but_none_is_taken() -> None:
    assert chosen(limits=Limits()).blade_height_mm == 45
    with pytest.raises(InvalidError) as caught:
        chosen({"blade_height": 50}, limits=Limits())
    assert caught.value.field == "pattern.blade_height"
    assert caught.value.detail == (
        "The setting blade_height cannot be checked: the limits of this model are not known yet."
    )


def test_blades_that_are_set_by_hand_are_left_alone() -> None:
    assert chosen(sets=False, current=None, own=None).blade_height_mm is None
    with pytest.raises(InvalidError) as caught:
        chosen({"blade_height": 50}, sets=False)
    assert caught.value.field == "pattern.blade_height"
    assert caught.value.detail == "The setting blade_height is set by hand on this model."


def test_own_settings_out_of_the_limits_are_brought_in() -> None:
    settings = chosen(own=RouteSettings(speed=3.0, path_spacing_cm=5))
    assert (settings.speed, settings.path_spacing_cm) == (1.2, 20)
    settings = chosen(own=RouteSettings(speed=0.1, path_spacing_cm=50))
    assert (settings.speed, settings.path_spacing_cm) == (0.2, 35)
