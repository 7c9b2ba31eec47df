"""Listeners are told of what they listen to, and of nothing else."""

from collections.abc import Callable
from functools import partial

from custom_components.mowdeck.dispatch import Dispatch


def test_only_those_whom_it_concerns_are_told() -> None:
    dispatch = Dispatch()
    told: list[str] = []
    stop = dispatch.listen("a", lambda: told.append("first of a"))
    dispatch.listen("a", lambda: told.append("second of a"))
    dispatch.listen("b", lambda: told.append("of b"))
    dispatch.tell("a")
    dispatch.tell("nobody")
    assert told == ["first of a", "second of a"]
    stop()
    dispatch.tell("a")
    assert told == ["first of a", "second of a", "second of a"]


def test_a_listener_may_leave_while_it_is_told() -> None:
    dispatch = Dispatch()
    told: list[str] = []
    stops: list[Callable[[], None]] = []

    def leave() -> None:
        stops[0]()

    stops += [dispatch.listen("a", leave), dispatch.listen("a", lambda: told.append("second"))]
    dispatch.tell("a")
    dispatch.tell("a")
    assert told == ["second", "second"]


async def test_many_are_told_all() -> None:
    dispatch = Dispatch()
    told: list[int] = []
    for number in range(100):
        dispatch.listen(str(number), partial(told.append, number), parts=frozenset())
    await dispatch.tell_all()
    assert told == list(range(100))


def test_parts_that_did_not_change_wake_nobody() -> None:
    dispatch = Dispatch()
    told: list[str] = []
    dispatch.listen("a", lambda: told.append("everything"))
    stop = dispatch.listen("a", lambda: told.append("battery"), parts=frozenset({"battery", "charging"}))
    dispatch.listen("a", lambda: told.append("presence"), parts=frozenset())
    dispatch.tell_parts("a", ["position"])
    assert told == ["everything"]
    dispatch.tell_parts("a", ["battery", "charging"])
    assert told == ["everything", "everything", "battery"]
    dispatch.tell("a")
    assert told[3:] == ["everything", "battery", "presence"]
    stop()
    dispatch.tell_parts("a", ["battery"])
    assert told[6:] == ["everything"]
