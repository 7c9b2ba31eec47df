"""Which news of a run are told: that it was decided, each once, and that it ended. Pure."""

from collections import OrderedDict

from .client.run import Run, RunOutcome

ENDED = "ended"

REMEMBERED = 100
"""Runs of one mower; a mower has one open at a time."""

UNDECIDED = frozenset({RunOutcome.PENDING, RunOutcome.UNKNOWN})


class ToldRuns:
    """The runs of one mower whose news were told: a run comes again with each of its revisions."""

    def __init__(self) -> None:
        """Start with none."""
        self._told: OrderedDict[str, tuple[RunOutcome, bool]] = OrderedDict()

    def remember(self, run: Run) -> None:
        """Take a run as told: it was there before anybody listened."""
        self._told[run.id] = (run.outcome, run.ended_at is not None)
        self._told.move_to_end(run.id)
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)

    def news(self, run: Run) -> tuple[str, ...]:
        """Return what a revision brings that was not told: an outcome, `ended`, both or nothing."""
        outcome, ended = self._told.get(run.id, (None, False))
        self.remember(run)
        told: list[str] = []
        if run.outcome not in UNDECIDED and run.outcome is not outcome:
            told.append(run.outcome.value)
        if run.outcome is RunOutcome.STARTED and run.ended_at is not None and not ended:
            told.append(ENDED)
        return tuple(told)
