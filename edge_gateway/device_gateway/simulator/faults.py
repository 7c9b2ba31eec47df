"""What can be made to go wrong with a simulated mower, for tests and for trying things out."""

from enum import StrEnum


class Fault(StrEnum):
    """The value of the setting `simulated_fault`."""

    NONE = "none"
    REFUSE = "refuse"
    """It answers every order with a refusal."""
    SILENT = "silent"
    """It hears nothing and tells nothing, and after a while it counts as unavailable."""
    OFFLINE = "offline"
    """The link is broken: nothing can be sent, and that is known at once."""
    NO_ANSWER = "no_answer"
    """It does what it is told and reports it, but the answer to the order itself is lost."""
    NO_MOTION = "no_motion"
    """It says yes to a start and stays where it is."""
    FAIL_IN_START = "fail_in_start"
    """It says yes to a start and falls into an error in its dock."""
    STUCK = "stuck"
    """It gets stuck as soon as it drives."""
    LIFTED = "lifted"
    """It is lifted as soon as it drives."""
    LEAVES_BY_ITSELF = "leaves_by_itself"
    """Sent home in the middle of a job, it leaves again by itself when it is charged."""
    CARRIED_AWAY = "carried_away"
    """Somebody carries it off; without the fault it stands in its dock again."""


PROBLEMS = {Fault.STUCK: "stuck", Fault.LIFTED: "lifted"}
"""Faults that stop a driving mower, and the problem that it reports."""
