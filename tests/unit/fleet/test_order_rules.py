"""What an order may say."""

import functools

import pytest

from edge_gateway.contracts.commands import CommandBody, CommandKind, StartMode
from edge_gateway.contracts.errors import ConflictError, InvalidError
from edge_gateway.fleet.order_rules import check_areas, check_body, check_key, check_repeated

START = CommandKind.START_MOW
PUT = functools.partial(CommandBody, kind=CommandKind.PUT_SETTING)


@pytest.mark.parametrize(
    "body",
    [
        CommandBody(kind=START),
        CommandBody(kind=START, mode=StartMode.NEW, area_ids=("a", "b"), pattern={"angle": 30}),
        CommandBody(kind=START, mode=StartMode.RESUME),
        CommandBody(kind=CommandKind.PAUSE),
        CommandBody(kind=CommandKind.RETURN_TO_DOCK),
        CommandBody(kind=CommandKind.REFRESH),
        CommandBody(kind=CommandKind.PUT_SETTING, setting_key="blade_height", setting_value=0),
        CommandBody(kind=CommandKind.PUT_SETTING, setting_key="lamp", setting_value=False),
        CommandBody(kind=CommandKind.PUT_SETTING, setting_key="x", setting_value="x" * 256),
        CommandBody(kind=START, area_ids=tuple(f"a{number}" for number in range(200))),
    ],
)
def test_orders_that_make_sense(body: CommandBody) -> None:
    check_body(body)


@pytest.mark.parametrize(
    ("body", "field", "detail"),
    [
        (CommandBody(kind=CommandKind.PAUSE, mode=StartMode.NEW), "mode", "mode means nothing to pause."),
        (CommandBody(kind=CommandKind.RESUME, area_ids=("a",)), "area_ids", "area_ids means nothing to resume."),
        (CommandBody(kind=CommandKind.CANCEL_JOB, pattern={}), "pattern", "pattern means nothing to cancel_job."),
        (CommandBody(kind=START, setting_key="x"), "setting_key", "setting_key means nothing to start_mow."),
        (CommandBody(kind=START, setting_value=1), "setting_value", "setting_value means nothing to start_mow."),
        (PUT(setting_value=1), "setting_key", "put_setting needs a setting_key."),
        (PUT(setting_key="", setting_value=1), "setting_key", "put_setting needs a setting_key."),
        (PUT(setting_key="x"), "setting_value", "put_setting needs a setting_value."),
        (
            PUT(setting_key="x", setting_value="x" * 257),
            "setting_value",
            "A setting's value has at most 256 characters.",
        ),
        (
            CommandBody(kind=START, mode=StartMode.RESUME, area_ids=("a",)),
            "area_ids",
            "A resumed job keeps its areas: area_ids must be left out.",
        ),
        (CommandBody(kind=START, area_ids=("a", "a")), "area_ids", "area_ids names an area twice."),
        (
            CommandBody(kind=START, area_ids=tuple(f"a{number}" for number in range(201))),
            "area_ids",
            "area_ids names more than 200 areas.",
        ),
    ],
)
def test_orders_that_make_none_name_the_field_and_say_why(body: CommandBody, field: str, detail: str) -> None:
    with pytest.raises(InvalidError) as raised:
        check_body(body)
    assert (raised.value.code, raised.value.field, raised.value.detail) == ("invalid", field, detail)


@pytest.mark.parametrize("angle", ["30", True, [30], 361, 1e308, 10**400, float("nan")])
def test_an_angle_that_is_none_names_the_field(angle: object) -> None:
    with pytest.raises(InvalidError) as raised:
        check_body(CommandBody(kind=START, pattern={"angle": angle}))
    assert raised.value.field == "pattern.angle"


def test_a_pattern_that_is_too_long_names_the_field() -> None:
    with pytest.raises(InvalidError) as raised:
        check_body(CommandBody(kind=START, pattern={"note": "x" * 4096}))
    assert raised.value.field == "pattern"


def test_areas_on_the_map_are_taken() -> None:
    check_areas(CommandBody(kind=START), None)
    check_areas(CommandBody(kind=START, area_ids=("a",)), {"a", "b"})


@pytest.mark.parametrize(
    ("named", "known", "unknown"),
    [(("a", "c"), {"a"}, ["c"]), (("a",), set[str](), ["a"]), (("a",), None, ["a"])],
)
def test_areas_that_are_not_are_listed_with_the_remedy(
    named: tuple[str, ...], known: set[str] | None, unknown: list[str]
) -> None:
    with pytest.raises(InvalidError) as raised:
        check_areas(CommandBody(kind=START, area_ids=named), known)
    error = raised.value
    assert (error.code, error.field) == ("invalid", "area_ids")
    assert error.detail == "area_ids names areas that are not on the mower's map."
    assert error.remedy == "Choose from the areas that the mower has now."
    assert error.values == {"unknown": unknown, "map_known": known is not None}


def test_no_area_is_not_all_areas() -> None:
    with pytest.raises(InvalidError) as raised:
        check_areas(CommandBody(kind=START, area_ids=()), {"a"})
    assert (raised.value.code, raised.value.field) == ("invalid", "area_ids")
    assert raised.value.detail == "area_ids is empty: name an area, or leave it out for all enabled ones."


def test_a_key_comes_back_with_the_same_order_only() -> None:
    body = CommandBody(kind=START, area_ids=("a",), pattern={"angle": 30})
    check_repeated(body, "m1", CommandBody(kind=START, area_ids=("a",), pattern={"angle": 30}), "m1")
    for other, mower in ((body, "m2"), (CommandBody(kind=START, area_ids=("b",)), "m1")):
        with pytest.raises(ConflictError) as raised:
            check_repeated(body, "m1", other, mower)
        error = raised.value
        assert (error.code, error.field) == ("key_reused", "key")
        assert error.detail == "This key was used for another order before."
        assert error.remedy == "Give every order a key of its own; repeat a key only with the very same order."


@pytest.mark.parametrize("key", ["", "x" * 513, "a\nb", "\x00"])
def test_keys_that_cannot_be_kept(key: str) -> None:
    with pytest.raises(InvalidError) as raised:
        check_key(key)
    assert (raised.value.code, raised.value.field) == ("invalid", "key")
    assert raised.value.detail == "key must be 1 to 512 printable characters."


@pytest.mark.parametrize("key", ["01JD:2026-05-01T07:00:00+00:00:01JE", "x", "x" * 512])
def test_keys_of_the_scheduler_and_of_any_length_up_to_the_longest_are_kept(key: str) -> None:
    check_key(key)
