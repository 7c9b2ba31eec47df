"""Runs a command in an image's files as a container engine would: own processes, own mounts, `/data`, an init.

`python -m tests.app.enter ROOT DATA HOSTNAME OPTION … -- COMMAND …`; an OPTION of `/data` is `read-only` or
`size=BYTES`.
The network is the caller's own. Needs root.
"""

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

_DIE_WITH_PARENT = 1
_DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9)}


def main() -> int:
    """Run the command and return its exit code."""
    split = sys.argv.index("--")
    root, data, hostname, *options = sys.argv[1:split]
    os.unshare(os.CLONE_NEWNS | os.CLONE_NEWPID | os.CLONE_NEWUTS)
    init = os.fork()
    if init == 0:
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        os._exit(_init(Path(root), Path(data), hostname, options, sys.argv[split + 1 :]))
    return _wait_for(init)


def _init(root: Path, data: Path, hostname: str, options: list[str], command: list[str]) -> int:
    """Be the first process of the container: prepare it, pass signals on, and gather the dead."""
    _mount(root, data, options)
    socket_name = ctypes.create_string_buffer(hostname.encode())
    ctypes.CDLL(None).sethostname(socket_name, len(hostname))
    program = os.fork()
    if program == 0:
        os.chroot(root)
        os.chdir("/")
        os.execvpe(command[0], command, os.environ)  # noqa: S606 - no shell is wanted
    return _wait_for(program)


def _wait_for(child: int) -> int:
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGTERM))
    while True:
        ended, status = os.wait()
        if ended == child:
            return os.waitstatus_to_exitcode(status) % 256


def _mount(root: Path, data: Path, options: list[str]) -> None:
    _run("mount", "--make-rprivate", "/")
    _run("mount", "-t", "proc", "proc", root / "proc")
    _run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", root / "dev")
    for name, numbers in _DEVICES.items():
        os.mknod(root / "dev" / name, 0o666 | 0o020000, os.makedev(*numbers))
        (root / "dev" / name).chmod(0o666)
    (root / "dev/fd").symlink_to("/proc/self/fd")
    (root / "dev/shm").mkdir()
    (root / "dev/shm").chmod(0o1777)
    # An engine makes it for its volume.
    (root / "data").mkdir(exist_ok=True)
    sized = [option for option in options if option.startswith("size=")]
    if sized:
        _run("mount", "-t", "tmpfs", "-o", sized[0], "tmpfs", root / "data")
    else:
        _run("mount", "--bind", data, root / "data")
    if "read-only" in options:
        _run("mount", "-o", "remount,bind,ro", root / "data")


def _run(*command: str | Path) -> None:
    subprocess.run(list(map(str, command)), check=True)  # noqa: S603 - the commands are this module's own


if __name__ == "__main__":
    sys.exit(main())
