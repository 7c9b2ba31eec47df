"""What is done about a bridge that has fallen silent, and about a subscription that was taken away. Pure.

Silence has three causes that look alike: another program took the advertisements (since ESPHome 2026.7 the newest
subscriber wins, and the old one is told nothing), the scanner hangs, or there is simply nothing to hear. The
subscription is asked for once more; that heals the first, and says something about the others. It is never fought over.
"""

from enum import Enum

import msgspec


class Step(Enum):
    """What to do now."""

    NOTHING = "nothing"
    TAKE_BACK = "take_back"
    """Ask for the subscription again."""
    RESTART = "restart"
    """Press the bridge's restart button."""
    GIVE_UP = "give_up"
    """It belongs to somebody else: leave it, and say so."""


class Watched(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a connected bridge; seconds are ages, null is never."""

    silent_seconds: float
    """Since the last advertisement or notification, or since it was connected."""
    heard_before: bool
    """Something was heard since it was connected."""
    taken_back_seconds: float | None
    """Since the subscription was asked for again."""
    answered_since: bool
    """Something was heard after that."""
    named_thief: bool
    """The bridge's log says that another one replaced us, since we last asked."""
    restarted_seconds: float | None
    given_up: bool
    expects_mower: bool
    """A mower of ours is known to be near, and not connected over it: it should be heard."""


SECOND_THEFT_SECONDS = 600.0
"""Taken away again within this time after it was taken back: somebody else means it."""
RESTART_SECONDS = 3600.0


def next_step(watched: Watched, *, silence_seconds: float) -> Step:
    """Return what to do; `silence_seconds` is how long nothing may be heard."""
    if watched.given_up:
        return Step.NOTHING
    recent = watched.taken_back_seconds is not None and watched.taken_back_seconds < SECOND_THEFT_SECONDS
    if watched.named_thief:
        return Step.GIVE_UP if recent else Step.TAKE_BACK
    if watched.silent_seconds < silence_seconds or not watched.expects_mower:
        return Step.NOTHING
    if not recent:
        return Step.TAKE_BACK
    if watched.answered_since:
        # It worked for a while, and fell silent again.
        return Step.GIVE_UP
    waited = watched.taken_back_seconds is not None and watched.taken_back_seconds >= silence_seconds
    may_restart = watched.restarted_seconds is None or watched.restarted_seconds >= RESTART_SECONDS
    return Step.RESTART if waited and watched.heard_before and may_restart else Step.NOTHING
