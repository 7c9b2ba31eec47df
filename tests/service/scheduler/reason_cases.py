"""What brings a run to each outcome and reason: a register that the cases of the tests write themselves into."""

from collections.abc import Awaitable, Callable

from tests.service.scheduler.house import SchedulerHouse

type Case = Callable[[SchedulerHouse], Awaitable[None]]

CASES: dict[tuple[str, str | None], Case] = {}
"""By outcome and reason: what brings the last run about."""


def case(outcome: str, reason: str | None) -> Callable[[Case], Case]:
    """Keep a function as the way to an outcome and reason."""

    def keep(function: Case) -> Case:
        CASES[outcome, reason] = function
        return function

    return keep
