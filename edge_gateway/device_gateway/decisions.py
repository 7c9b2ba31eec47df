"""What becomes of an order once the mower's state is known: send a frame, nothing to send, or a refusal."""

from enum import StrEnum
from typing import Any

import msgspec


class Action(StrEnum):
    """What is sent to the mower."""

    START_NEW = "start_new"
    """A new job; an open one is cancelled first."""
    RESUME = "resume"
    """Go on with the open job, from the dock, from a pause or on the way home."""
    PAUSE = "pause"
    RETURN_TO_DOCK = "return_to_dock"
    CANCEL_JOB = "cancel_job"


class Send(msgspec.Struct, frozen=True):
    """Send this."""

    action: Action


class NothingToSend(msgspec.Struct, frozen=True):
    """The mower already is what the order wants: it succeeds and nothing is sent."""

    reason: str
    """A code: `already_mowing`, `already_docked`, `already_returning`, `already_paused`, `no_open_job`."""


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """Not in this state."""

    reason: str
    """A code: `mower_in_error`, `state_unknown`, `in_transition`, `busy`, `no_open_job`, `not_mowing`."""
    remedy: str
    """A code for what the person can do: `clear_problem`, `refresh`, `wait_until_docked`, `cancel_first`, …"""
    values: dict[str, Any] = {}


type Decision = Send | NothingToSend | Refused
