"""A child process with its output in a file."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

_LOOK_SECONDS = 0.05


class ProcessEndedError(Exception):
    """A child ended before it was told to; the sentence holds the last lines of its output."""


class Process:
    """One child: started, watched, stopped."""

    def __init__(
        self, name: str, command: Sequence[str], *, log: Path, variables: Mapping[str, str], folder: Path
    ) -> None:
        """Describe the child; `variables` are added to this process's own environment."""
        self.name = name
        self.log = log
        self._command = command
        self._variables = variables
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        self._log_start = 0
        """Where in the log, in bytes, this start's output begins: before it lies that of earlier starts."""

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start the child in a session of its own, so that Ctrl-C reaches only the one who stops it in order."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._log_start = log.tell()
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=asyncio.subprocess.STDOUT,
                env={**os.environ, **self._variables},
                cwd=self._folder,
                start_new_session=True,
            )

    async def wait(self) -> int:
        """Return the exit code once the child has ended."""
        if self._process is None:
            return 0
        return await self._process.wait()

    async def stop(self, *, timeout_seconds: float = 30) -> int:
        """Ask the child to end by SIGTERM, end it and its children by SIGKILL when it does not; return its code."""
        if self._process is None or self._process.returncode is not None:
            return 0 if self._process is None else self._process.returncode or 0
        self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(timeout_seconds):
                return await self._process.wait()
        except TimeoutError:
            os.killpg(self._process.pid, signal.SIGKILL)
            return await self._process.wait()

    async def kill(self) -> None:
        """End the child at once, as a power cut would (SIGKILL, its own children live on)."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    def check(self) -> None:
        """Raise `ProcessEndedError` when the child has ended."""
        if self._process is not None and self._process.returncode is not None:
            message = f"{self.name} ended with code {self._process.returncode}. Its last lines ({self.log}):\n"
            raise ProcessEndedError(message + self.last_lines())

    async def wait_until(self, ready: Callable[[], Awaitable[bool]], *, timeout_seconds: float) -> None:
        """Wait until a started child is ready; raises `ProcessEndedError`, or `TimeoutError` with its last lines."""
        try:
            async with asyncio.timeout(timeout_seconds):
                while not await ready():
                    self.check()
                    await asyncio.sleep(_LOOK_SECONDS)
        except TimeoutError:
            message = f"{self.name} was not ready after {timeout_seconds:.0f} s. Its last lines ({self.log}):\n"
            raise TimeoutError(message + self.last_lines()) from None

    def last_lines(self, count: int = 15) -> str:
        """Return the end of the child's output since it was started."""
        said = self.log.read_bytes()[self._log_start :].decode(errors="replace")
        return "\n".join(said.splitlines()[-count:])
