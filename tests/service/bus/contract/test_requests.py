"""Questions and answers."""

import asyncio

import msgspec
import pytest

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.errors import (
    ConflictError,
    DeadlineError,
    InvalidError,
    MowDeckError,
    UnavailableError,
)
from edge_gateway.contracts.routes import Route
from tests.service.bus.contract.conftest import Connect


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Inside a question."""

    size: int


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked."""

    text: str
    part: Part | None = None


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What is answered."""

    text: str


class LooseQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question that says anything."""

    text: object = None
    part: object = None


ROUTE = Route("fleet.tests.ask", Question, Reply)
LOOSE = Route("fleet.tests.ask", LooseQuestion, Reply)


async def echo(question: Question) -> Reply:
    return Reply(text=question.text)


async def test_typed_answer(connect: Connect) -> None:
    asking, answering = await connect(), await connect()
    await answering.reply(ROUTE, echo)
    assert await asking.request(ROUTE, Question(text="Grüße")) == Reply(text="Grüße")


async def test_error_crosses_as_it_is(bus: EventBus) -> None:
    async def refuse(_: Question) -> Reply:
        code, sentence = "key_reused", "The key was used."
        raise ConflictError(code, sentence, remedy="Take another.", field="key", values={"key": "k"})

    await bus.reply(ROUTE, refuse)
    with pytest.raises(ConflictError) as caught:
        await bus.request(ROUTE, Question(text=""))
    error = caught.value
    assert (error.code, error.detail, error.remedy, error.field, error.values) == (
        "key_reused",
        "The key was used.",
        "Take another.",
        "key",
        {"key": "k"},
    )


async def test_any_other_error_is_internal_and_keeps_its_secret(bus: EventBus) -> None:
    async def fail(_: Question) -> Reply:
        message = "the secret"
        raise RuntimeError(message)

    await bus.reply(ROUTE, fail)
    with pytest.raises(MowDeckError) as caught:
        await bus.request(ROUTE, Question(text=""))
    assert caught.value.code == "internal"
    assert "secret" not in caught.value.detail


@pytest.mark.parametrize(
    ("question", "field"),
    [
        (LooseQuestion(text=5), "text"),
        (LooseQuestion(text="a", part={"size": "big"}), "part.size"),
        (LooseQuestion(text="a", part={}), "part.size"),
    ],
)
async def test_question_that_does_not_decode_names_its_field(
    bus: EventBus, question: LooseQuestion, field: str
) -> None:
    await bus.reply(ROUTE, echo)
    with pytest.raises(InvalidError) as caught:
        await bus.request(LOOSE, question)
    assert caught.value.code == "invalid"
    assert caught.value.field == field


async def test_nobody_serves_is_told_apart_at_once(bus: EventBus) -> None:
    async with asyncio.timeout(2):
        with pytest.raises(UnavailableError) as caught:
            await bus.request(ROUTE, Question(text=""), timeout_seconds=30)
    assert caught.value.code == "no_responder"


async def test_no_answer_in_time(bus: EventBus) -> None:
    entered = asyncio.Event()

    async def hang(_: Question) -> Reply:
        entered.set()
        await asyncio.Event().wait()
        return Reply(text="")

    await bus.reply(ROUTE, hang)
    with pytest.raises(DeadlineError) as caught:
        await bus.request(ROUTE, Question(text=""), timeout_seconds=0.2)
    assert caught.value.code == "no_answer"
    assert entered.is_set()


async def test_large_answer_arrives_whole(bus: EventBus) -> None:
    async def long(_: Question) -> Reply:
        return Reply(text="ä" * 1_000_000)

    await bus.reply(ROUTE, long)
    assert await bus.request(ROUTE, Question(text="")) == Reply(text="ä" * 1_000_000)


async def test_questions_at_the_same_time_keep_their_answers(bus: EventBus) -> None:
    async def slow_echo(question: Question) -> Reply:
        await asyncio.sleep(0.05 if question.text.endswith("0") else 0)
        return Reply(text=question.text)

    await bus.reply(ROUTE, slow_echo)
    texts = [str(number) for number in range(100)]
    replies = await asyncio.gather(*(bus.request(ROUTE, Question(text=text)) for text in texts))
    assert [reply.text for reply in replies] == texts


async def test_replicas_share_the_questions(connect: Connect) -> None:
    buses = [await connect(), await connect()]
    answered = {"first": 0, "second": 0}

    async def first(_: Question) -> Reply:
        answered["first"] += 1
        return Reply(text="first")

    async def second(_: Question) -> Reply:
        answered["second"] += 1
        return Reply(text="second")

    await buses[0].reply(ROUTE, first)
    await buses[1].reply(ROUTE, second)
    for _ in range(60):
        await buses[0].request(ROUTE, Question(text=""))
    assert sum(answered.values()) == 60
    assert min(answered.values()) > 0


async def test_unsubscribing_answers_what_was_taken_and_leaves(bus: EventBus) -> None:
    entered = asyncio.Event()

    async def slow(question: Question) -> Reply:
        entered.set()
        await asyncio.sleep(0.2)
        return Reply(text=question.text)

    subscription = await bus.reply(ROUTE, slow)
    asked = asyncio.create_task(bus.request(ROUTE, Question(text="a")))
    await entered.wait()
    await subscription.unsubscribe()
    assert await asked == Reply(text="a")
    with pytest.raises(UnavailableError) as caught:
        await bus.request(ROUTE, Question(text="b"))
    assert caught.value.code == "no_responder"


async def test_answer_that_is_not_what_was_promised_is_an_error(bus: EventBus) -> None:
    class Other(msgspec.Struct):
        number: int = 1

    async def other(_: Question) -> Other:
        return Other()

    await bus.reply(Route(ROUTE.subject, Question, Other), other)
    with pytest.raises(MowDeckError) as caught:
        await bus.request(ROUTE, Question(text=""))
    assert caught.value.code == "answer_unreadable"
