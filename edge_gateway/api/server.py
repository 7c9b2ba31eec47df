"""Listens for HTTP: the address, the port, and an orderly end."""

import errno
import logging

import structlog
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from edge_gateway.contracts.errors import ConfigurationError

_log = structlog.get_logger(__name__)

_GOODBYE_SECONDS = 3.0
"""Requests in hand may take so long when the API stops."""

_IDLE_SECONDS = 75.0
"""A connection that says nothing is let go: whoever forgot it must not use up the program's files."""

_ADDRESS_ERRORS = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EINVAL})


class HttpServer:
    """One listening address."""

    def __init__(
        self, application: web.Application, *, host: str, port: int, idle_seconds: float = _IDLE_SECONDS
    ) -> None:
        """Serve `application`; port 0 picks a free one."""
        self._runner = web.AppRunner(
            application,
            access_log=None,
            handle_signals=False,
            shutdown_timeout=_GOODBYE_SECONDS,
            keepalive_timeout=idle_seconds,
            logger=_make_log(),
        )
        self._host = host
        self._port = port

    async def start(self) -> int:
        """Listen, and return the port; raises `ConfigurationError` naming the setting that is wrong."""
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise self._explain(error) from error
        port = self._runner.addresses[0][1]
        _log.info("api listens", host=self._host, port=port)
        return int(port)

    async def stop(self) -> None:
        """Close the address, finish what is in hand."""
        await self._runner.cleanup()

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
