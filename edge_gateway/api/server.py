"""Listens for HTTP: the address, the port, and an orderly end."""

import asyncio
import errno
import logging

import structlog
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from edge_gateway.api.connection import Connection
from edge_gateway.contracts.errors import ConfigurationError

_log = structlog.get_logger(__name__)

_GOODBYE_SECONDS = 3.0
"""Requests in hand may take so long when the API stops."""

_IDLE_SECONDS = 75.0
"""A connection that says nothing is let go: whoever forgot it must not use up the program's files."""

_BACKLOG = 128
"""So many clients may wait to be let in."""

_ADDRESS_ERRORS = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EINVAL})


class HttpServer:
    """One listening address."""

    def __init__(
        self, application: web.Application, *, host: str, port: int, idle_seconds: float = _IDLE_SECONDS
    ) -> None:
        """Serve `application`; port 0 picks a free one."""
        self._runner = web.AppRunner(application, handle_signals=False, shutdown_timeout=_GOODBYE_SECONDS)
        self._listener: asyncio.Server | None = None
        self._host = host
        self._port = port
        self._idle_seconds = idle_seconds
        self._log = _make_log()

    async def start(self) -> int:
        """Listen, and return the port; raises `ConfigurationError` naming the setting that is wrong."""
        await self._runner.setup()
        try:
            # Not by a site of aiohttp's: that gives no choice of what speaks with a client.
            loop = asyncio.get_running_loop()
            self._listener = await loop.create_server(self._connection, self._host, self._port, backlog=_BACKLOG)
        except OSError as error:
            await self._runner.cleanup()
            raise self._explain(error) from error
        port = int(self._listener.sockets[0].getsockname()[1])
        _log.info("api listens", host=self._host, port=port)
        return port

    async def stop(self) -> None:
        """Close the address, finish what is in hand."""
        if self._listener is not None:
            self._listener.close()
        await self._runner.cleanup()

    def _connection(self) -> Connection:
        server = self._runner.server
        assert server is not None  # noqa: S101  # it is there while this listens
        return Connection(
            server,
            loop=asyncio.get_running_loop(),
            keepalive_timeout=self._idle_seconds,
            logger=self._log,
            access_log=None,  # type: ignore[arg-type]  # null logs nothing, which its types leave out
        )

    def _explain(self, error: OSError) -> ConfigurationError:
        if error.errno == errno.EADDRINUSE:
            return ConfigurationError(
                "port_in_use",
                f"MOWDECK_API_PORT={self._port}: another program listens on {self._host}:{self._port} already.",
                remedy="Stop the other program, or choose another port; 0 picks a free one.",
                values={"port": self._port},
            )
        if error.errno == errno.EACCES:
            return ConfigurationError(
                "port_forbidden",
                f"MOWDECK_API_PORT={self._port}: this user may not listen on that port; 1024 to 65535 are free to all.",
                values={"port": self._port},
            )
        if error.errno in _ADDRESS_ERRORS or error.errno is None or error.errno < 0:
            return ConfigurationError(
                "host_unknown",
                f"MOWDECK_API_HOST={self._host}: this machine has no such address; 127.0.0.1 and 0.0.0.0 always work.",
                values={"host": self._host},
            )
        return ConfigurationError(
            "cannot_listen",
            f"MOWDECK_API_HOST={self._host}, MOWDECK_API_PORT={self._port}: cannot listen there ({error.strerror}).",
        )


def _make_log() -> logging.Logger:
    log = logging.getLogger(__name__)
    log.addFilter(_tell_noise_in_one_line)
    return log


def _tell_noise_in_one_line(record: logging.LogRecord) -> bool:
    """Anybody can send what is not HTTP, without a token: that fills no log with our program's insides."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError):
        _shorten(record, "request that is not HTTP refused: %s", error)
    elif isinstance(error, ConnectionError):
        _shorten(record, "client went away in the middle of its request: %s", error)
    return True


def _shorten(record: logging.LogRecord, sentence: str, error: Exception) -> None:
    record.exc_info = None
    record.levelno, record.levelname = logging.INFO, "INFO"
    record.msg, record.args = sentence, (type(error).__name__,)
