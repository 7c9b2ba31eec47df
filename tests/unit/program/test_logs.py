"""One form for our own log and that of libraries."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from edge_gateway import logs
from edge_gateway.settings import LogFormat, LogLevel


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Leave logging as other tests found it."""
    root, ours = logging.getLogger(), logging.getLogger("edge_gateway")
    before = root.handlers, root.level, ours.level
    yield
    root.handlers, _, _ = before
    root.setLevel(before[1])
    ours.setLevel(before[2])
    structlog.reset_defaults()


def lines(level: LogLevel, form: LogFormat) -> list[str]:
    stream = io.StringIO()
    logs.configure(level, form, stream=stream)
    ours = structlog.get_logger("edge_gateway.somewhere")
    ours.debug("whisper")
    ours.info("word", mower="m1")
    logging.getLogger("library").info("detail")
    logging.getLogger("library").warning("complaint of %s", "a library")
    try:
        raise ValueError("seven")  # noqa: TRY301 - an error to be logged
    except ValueError:
        ours.exception("failed")
    return stream.getvalue().splitlines()


def test_json_is_one_object_a_line() -> None:
    events = [json.loads(line) for line in lines(LogLevel.INFO, LogFormat.JSON)]
    assert [(event["level"], event["event"]) for event in events] == [
        ("info", "word"),
        ("warning", "complaint of a library"),
        ("error", "failed"),
    ]
    assert events[0]["mower"] == "m1"
    assert events[0]["logger"] == "edge_gateway.somewhere"
    assert events[0]["timestamp"].endswith("Z")
    assert "ValueError: seven" in events[2]["exception"]


def test_the_console_is_for_a_person() -> None:
    text = "\n".join(lines(LogLevel.DEBUG, LogFormat.CONSOLE))
    assert "whisper" in text
    assert "mower=m1" in text
    assert "complaint of a library" in text
    assert "detail" not in text
    assert "ValueError: seven" in text
    assert "\x1b[" not in text


def test_a_level_hides_what_is_below() -> None:
    events = [json.loads(line)["event"] for line in lines(LogLevel.ERROR, LogFormat.JSON)]
    assert "word" not in events
    assert "failed" in events
