"""Questions and answers as bytes."""

import msgspec
import pytest

from edge_gateway.bus.questions import Answer, answer, field_of, read_answer
from edge_gateway.contracts.errors import ErrorReply, MowDeckError, NotFoundError
from edge_gateway.contracts.routes import Route


class Inner(msgspec.Struct, frozen=True, kw_only=True):
    """Something inside."""

    number: int


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked."""

    name: str
    inner: Inner | None = None
    many: tuple[Inner, ...] = ()


ROUTE = Route("garden.things.get", Question, Inner)


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (b'{"name": 1}', "name"),
        (b"{}", "name"),
        (b'{"name": "a", "inner": {"number": "x"}}', "inner.number"),
        (b'{"name": "a", "inner": {}}', "inner.number"),
        (b'{"name": "a", "many": [{"number": null}]}', "many[0].number"),
        (b"5", None),
        (b"not json", None),
    ],
)
def test_field_of_a_decoding_error(data: bytes, field: str | None) -> None:
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(data, type=Question)
    assert field_of(caught.value) == field


async def test_answer_of_a_handler() -> None:
    async def handle(question: Question) -> Inner:
        return Inner(number=len(question.name))

    given = await answer(ROUTE, handle, b'{"name": "abc"}')
    assert given == Answer(b'{"number":3}')
    assert read_answer(ROUTE, given) == Inner(number=3)


async def test_error_of_a_handler_is_raised_again() -> None:
    async def handle(question: Question) -> Inner:
        code, sentence = "no_such_thing", f"There is no {question.name}."
        raise NotFoundError(code, sentence)

    given = await answer(ROUTE, handle, b'{"name": "rose"}')
    assert given.error
    with pytest.raises(NotFoundError, match=r"There is no rose\.") as caught:
        read_answer(ROUTE, given)
    assert caught.value.code == "no_such_thing"


async def test_fault_of_a_handler_tells_only_where() -> None:
    async def handle(_: Question) -> Inner:
        message = "a secret"
        raise LookupError(message)

    given = await answer(ROUTE, handle, b'{"name": "rose"}')
    reply = msgspec.json.decode(given.data, type=ErrorReply)
    assert reply.code == "internal"
    assert "garden.things.get" in reply.detail
    assert "secret" not in reply.detail


def test_unreadable_answer_is_an_error() -> None:
    with pytest.raises(MowDeckError) as caught:
        read_answer(ROUTE, Answer(b'{"number": "many"}'))
    assert caught.value.code == "answer_unreadable"
