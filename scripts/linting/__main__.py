"""The command line of scripts/lint, run by the gateway's environment."""

import argparse
import functools
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from scripts.linting import committed_text, pins, syntax
from scripts.linting.steps import Step, dead_code, import_rules, ruff, types

GATEWAY_PATHS = ("benchmarks", "edge_gateway", "scripts", "tests")
# Typed with Home Assistant's packages, which the gateway's environment does not have.
INTEGRATION_TESTS = ("tests/home_assistant", "benchmarks/home_assistant_parts")
SIDE_BY_SIDE = 2


def steps(*, fix: bool) -> list[Step]:
    """Return the checks in the order in which they are reported; the long ones start first."""
    return [
        Step("types of the gateway", functools.partial(types, "gateway", *GATEWAY_PATHS, without=INTEGRATION_TESTS)),
        Step("types of the integration", functools.partial(types, "home-assistant-2026.11", "custom_components")),
        Step(
            "types of the integration's tests",
            functools.partial(types, "home-assistant-2026.10", *INTEGRATION_TESTS),
        ),
        Step("style", functools.partial(ruff, "check", "--quiet")),
        Step("format", functools.partial(ruff, "format", "--quiet", "--diff")),
        Step("import rules", import_rules),
        Step("dead code", dead_code),
        Step("pins", functools.partial(pins.check, fix=fix)),
        Step("committed text", committed_text.check),
        Step("syntax", syntax.check),
    ]


def main(arguments: Sequence[str]) -> int:
    """Run all checks, print what they found, and return 1 when one is not content."""
    parser = argparse.ArgumentParser(prog="scripts/lint", description="Check style, types, imports, pins and texts.")
    parser.add_argument("--fix", action="store_true", help="mend what can be mended (style, format, pins)")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    if options.fix:
        ruff("check", "--quiet", "--fix")
        ruff("format", "--quiet")
    failed = []
    chosen = steps(fix=options.fix)
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for step, result in zip(chosen, pool.map(Step.run, chosen), strict=True):
            print(f"{step.name}: {'ok' if result.passed else 'FAILED'} ({result.seconds:.1f} s)", flush=True)
            if result.output:
                print(result.output, flush=True)
            if not result.passed:
                failed.append(step.name)
    summary = f"failed: {', '.join(failed)}" if failed else "all is well"
    print(f"lint: {summary} ({time.monotonic() - started:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
