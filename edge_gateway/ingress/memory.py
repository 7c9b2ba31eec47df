"""How much memory the program and its servers use together, where the system tells it."""

from pathlib import Path

_PROCESSES = Path("/proc")
_KIBIBYTE = 1024


def used_bytes(root: int) -> int:
    """Return the proportional memory of a process and all below it: what they share counts once; 0: not known."""
    parents = dict(filter(None, map(_parent, _PROCESSES.glob("[0-9]*"))))
    family = {root}
    while found := {child for child, parent in parents.items() if parent in family} - family:
        family |= found
    return sum(map(_proportional, family))


def _parent(entry: Path) -> tuple[int, int] | None:
    try:
        return int(entry.name), int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError, ValueError, IndexError:
        return None


def _proportional(process_id: int) -> int:
    try:
        lines = (_PROCESSES / str(process_id) / "smaps_rollup").read_text().splitlines()
    except OSError:  # ended meanwhile, or of another account
        return 0
    return sum(int(line.split()[1]) * _KIBIBYTE for line in lines if line.startswith("Pss:"))
