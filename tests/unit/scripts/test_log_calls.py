"""A log call never names what structlog names itself: it would raise, in the middle of the error that it tells."""

import ast
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
_TAKEN = {"event", "self"}


def test_no_log_call_gives_the_event_twice() -> None:
    calls, wrong = 0, []
    for path in sorted((_ROOT / "edge_gateway").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            logger = ast.unparse(node.func.value)
            if node.func.attr not in _LEVELS or not logger.lower().endswith("_log"):
                continue
            calls += 1
            wrong += [f"{path.name}:{node.lineno}" for keyword in node.keywords if keyword.arg in _TAKEN]
    assert calls > 100
    assert wrong == []
