"""What an order may say."""

import pytest

from edge_gateway.contracts.commands import CommandBody, CommandKind, StartMode
from edge_gateway.contracts.errors import ConflictError, InvalidError
from edge_gateway.fleet.order_rules import check_areas, check_body, check_key, check_repeated

START = CommandKind.START_MOW


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
    ],
)
def test_orders_that_make_sense(body: CommandBody) -> None:
    check_body(body)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (CommandBody(kind=CommandKind.PAUSE, mode=StartMode.NEW), "mode"),
        (CommandBody(kind=CommandKind.RESUME, area_ids=("a",)), "area_ids"),
        (CommandBody(kind=CommandKind.CANCEL_JOB, pattern={}), "pattern"),
        (CommandBody(kind=START, setting_key="x"), "setting_key"),
        (CommandBody(kind=START, setting_value=1), "setting_value"),
        (CommandBody(kind=CommandKind.PUT_SETTING, setting_value=1), "setting_key"),
        (CommandBody(kind=CommandKind.PUT_SETTING, setting_key="", setting_value=1), "setting_key"),
        (CommandBody(kind=CommandKind.PUT_SETTING, setting_key="x"), "setting_value"),
        (CommandBody(kind=START, mode=StartMode.RESUME, area_ids=("a",)), "area_ids"),
        (CommandBody(kind=START, area_ids=("a", "a")), "area_ids"),
        (CommandBody(kind=START, area_ids=tuple(f"a{number}" for number in range(201))), "area_ids"),
        (CommandBody(kind=START, pattern={"angle": "30"}), "pattern.angle"),
        (CommandBody(kind=START, pattern={"angle": True}), "pattern.angle"),
        (CommandBody(kind=START, pattern={"angle": [30]}), "pattern.angle"),
        (CommandBody(kind=START, pattern={"angle": 361}), "pattern.angle"),
        (CommandBody(kind=START, pattern={"angle": 1e308}), "pattern.angle"),
        (CommandBody(kind=START, pattern={"angle": 10**400}), "pattern.angle"),
        (CommandBody(kind=START, pattern={"angle": float("nan")}), "pattern.angle"),
        (CommandBody(kind=START, pattern={"note": "x" * 4096}), "pattern"),
        (CommandBody(kind=CommandKind.PUT_SETTING, setting_key="x", setting_value="x" * 257), "setting_value"),
    ],
)
def test_orders_that_make_none_name_the_field(body: CommandBody, field: str) -> None:
    with pytest.raises(InvalidError) as raised:
        check_body(body)
    assert raised.value.field == field


def test_areas_on_the_map_are_taken() -> None:
    check_areas(CommandBody(kind=START), None)
    check_areas(CommandBody(kind=START, area_ids=("a",)), {"a", "b"})


@pytest.mark.parametrize(("named", "known"), [(("a", "c"), {"a"}), (("a",), set[str]()), (("a",), None), ((), {"a"})])
def test_areas_that_are_not_name_the_field(named: tuple[str, ...], known: set[str] | None) -> None:
    with pytest.raises(InvalidError) as raised:
        check_areas(CommandBody(kind=START, area_ids=named), known)
    assert raised.value.field == "area_ids"


def test_unknown_areas_are_listed() -> None:
    with pytest.raises(InvalidError) as raised:
        check_areas(CommandBody(kind=START, area_ids=("a", "c")), {"a"})
    assert raised.value.values == {"unknown": ["c"], "map_known": True}


def test_a_key_comes_back_with_the_same_order_only() -> None:
    body = CommandBody(kind=START, area_ids=("a",), pattern={"angle": 30})
    check_repeated(body, "m1", CommandBody(kind=START, area_ids=("a",), pattern={"angle": 30}), "m1")
    for other, mower in ((body, "m2"), (CommandBody(kind=START, area_ids=("b",)), "m1")):
        with pytest.raises(ConflictError) as raised:
            check_repeated(body, "m1", other, mower)
        assert raised.value.code == "key_reused"


@pytest.mark.parametrize("key", ["", "x" * 513, "a\nb", "\x00"])
def test_keys_that_cannot_be_kept(key: str) -> None:
    with pytest.raises(InvalidError) as raised:
        check_key(key)
    assert raised.value.field == "key"


def test_keys_of_the_scheduler_are_kept() -> None:
    check_key("01JD:2026-05-01T07:00:00+00:00:01JE")
