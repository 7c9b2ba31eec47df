"""What the program tells, on standard error: for a person or one JSON object a line."""

import logging
import sys
from collections import deque
from typing import TextIO, override

import structlog

from edge_gateway.settings import LogFormat, LogLevel

_FOREIGN_LEVEL = logging.WARNING
"""Libraries tell details that are nobody's business in a log (addresses with passwords, what a vendor answered)."""
_OURS = "edge_gateway"
_KEPT_LINES = 200

_kept: deque[str] = deque(maxlen=_KEPT_LINES)


def tail() -> tuple[str, ...]:
    """Return the last lines of the log, the oldest first."""
    return tuple(_kept)


class _Kept(logging.Handler):
    """Keeps the last lines, for a person who looks at the app's page."""

    @override
    def emit(self, record: logging.LogRecord) -> None:
        _kept.append(self.format(record))


def configure(level: LogLevel, form: LogFormat, *, stream: TextIO | None = None) -> None:
    """Send the log of our code and of all libraries to standard error, in one form."""
    target = stream or sys.stderr
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level.value),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handlers = {logging.StreamHandler(target): _render(form, target), _Kept(): _render(LogFormat.CONSOLE, None)}
    for handler, render in handlers.items():
        handler.setFormatter(
            structlog.stdlib.ProcessorFormatter(
                foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
                processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
            )
        )
    root = logging.getLogger()
    root.handlers = list(handlers)
    root.setLevel(_FOREIGN_LEVEL)
    logging.getLogger(_OURS).setLevel(level.value.upper())
    # While the database is away each pool would write a stack every second; that it is away is said by who watches it.
    logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)


def _render(form: LogFormat, target: TextIO | None) -> list[structlog.typing.Processor]:
    if form is LogFormat.JSON:
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    colors = target is not None and target.isatty()
    return [structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=structlog.dev.plain_traceback)]
