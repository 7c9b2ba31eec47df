"""A mower's problems with their words: the current one and its log apart. Pure."""

from edge_gateway.contracts.mower import Problem
from edge_gateway.contracts.problems import ProblemEntry, ProblemsReply
from edge_gateway.device_gateway.lexicon import severity_of, words_of
from edge_gateway.device_gateway.provider import Driver, LoggedProblem


def problems_of(driver: Driver) -> ProblemsReply:
    """Return what is wrong with the driver's mower now, and what its log says."""
    current = None if driver.state is None else driver.state.problem
    return ProblemsReply(
        current=None if current is None else _entry(LoggedProblem(problem=current)),
        log=tuple(map(_entry, driver.problem_log)),
    )


def _entry(logged: LoggedProblem) -> ProblemEntry:
    problem: Problem = logged.problem
    return ProblemEntry(
        problem=problem,
        severity=severity_of(problem.code),
        words=words_of(problem.code),
        logged_at=logged.logged_at,
    )
