"""One server as a child of the program: in a session of its own, its output read line by line."""

import asyncio
import signal
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

import structlog

from edge_gateway.embedded.unprivileged import Account

_log = structlog.get_logger(__name__)

type LogLevel = Callable[[str], str]
"""Tells for a line of a server's output how loud it is: debug, info, warning or error."""

_KEPT_LINES = 3


class ChildProcess:
    """A running server process; made by `launch`."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, level: LogLevel) -> None:
        """Read the process's output from now on."""
        self.name = name
        self._process = process
        self._level = level
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def launch(
        cls,
        name: str,
        command: Sequence[str | Path],
        *,
        level: LogLevel,
        environment: Mapping[str, str],
        account: Account | None = None,
        descriptors: Sequence[int] = (),
    ) -> Self:
        """Start a command with `/` as its working folder, as another account if one is named.

        `descriptors` are open files that it inherits. Raises `OSError` when the program cannot be started.
        """
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd="/",
            env=dict(environment),
            user=account.user_id if account else None,
            group=account.group_id if account else None,
            extra_groups=[] if account else None,
            pass_fds=descriptors,
            # A session of its own: the terminal's Ctrl+C reaches the program alone, which stops its servers in order.
            start_new_session=True,
        )
        return cls(name, process, level)

    @property
    def process_id(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """What it ended with; negative: the signal that ended it; null while it runs."""
        return self._process.returncode

    @property
    def last_words(self) -> str:
        """The last lines that it wrote."""
        return " / ".join(self._lines)

    async def wait(self) -> int:
        """Return its exit code when it has ended and all it wrote was read."""
        code = await self._process.wait()
        await asyncio.wait([self._reader], timeout=1)
        return code

    async def stop(self, steps: Sequence[tuple[signal.Signals, float]]) -> bool:
        """Send one signal after another, each with the seconds to wait for the end; tell whether it ended."""
        for number, seconds in steps:
            if self._process.returncode is None:
                self._process.send_signal(number)
            try:
                await asyncio.wait_for(self._process.wait(), seconds)
            except TimeoutError:
                _log.warning("server does not stop", server=self.name, signal=number.name, seconds=seconds)
            else:
                # What outlives the server itself (a backend of PostgreSQL) may hold its output open.
                await asyncio.wait([self._reader], timeout=0.2)
                self._reader.cancel()
                return True
        return False

    async def _read(self) -> None:
        output = self._process.stdout
        if output is None:
            return
        while True:
            try:
                line = await output.readline()
            except ValueError:  # longer than the reader's limit: the rest of it follows as the next line
                continue
            if not line:
                return
            text = line.decode(errors="replace").rstrip()
            self._lines.append(text)
            getattr(_log, self._level(text))(text, server=self.name, process_id=self.process_id)
