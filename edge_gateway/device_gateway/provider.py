"""What a vendor adapter is to the gateway: a provider finds mowers, a driver is its handle on one mower.

Vendor frames end in a driver: what leaves it are contract types only. A driver never queues: a frame that cannot
leave now is an error now. It never retries a motion frame either; whoever ordered decides.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Protocol

import msgspec

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import Activity, Job, Link, Position, Problem
from edge_gateway.contracts.state_intervals import STANDARD_SECONDS
from edge_gateway.device_gateway.link_preference import LinkPreference


class FoundMower(msgspec.Struct, frozen=True, kw_only=True):
    """A mower that a provider found."""

    vendor_key: str
    """What the vendor calls it; the same for ever."""
    vendor_account_id: str | None = None
    name: str
    model: str | None = None
    firmware_version: str | None = None
    newest_firmware_version: str | None = None
    """The newest that the vendor offers for it, which may be the one it has; null: the vendor does not tell."""
    serial_number: str | None = None


class DriverState(msgspec.Struct, frozen=True, kw_only=True):
    """A state as the driver knows it: a `MowerState` without our ids. Missing is null."""

    observed_at: datetime
    activity: Activity
    battery_percent: int | None = None
    charging: bool | None = None
    on_charger: bool | None = None
    position: Position | None = None
    area_id: str | None = None
    progress_percent: float | None = None
    job: Job | None = None
    """With `command_id` null: the actor adds the command that started it, by the job's id."""
    problem: Problem | None = None


class DriverAvailability(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the driver reaches its mower."""

    available: bool
    reason: str | None = None
    links: tuple[Link, ...] = ()


class DriverListener(Protocol):
    """Who hears of a mower: its actor."""

    async def state_changed(self, state: DriverState) -> None:
        """Hear a new report."""
        ...

    async def availability_changed(self, availability: DriverAvailability) -> None:
        """Hear that the mower is reached, or no longer."""
        ...

    async def map_changed(self, mower_map: MowerMap) -> None:
        """Hear a new map (ids of the mower and account are the ones given to `Provider.driver`)."""
        ...


type MayMove = Callable[[], Awaitable[None]]
"""Called before each motion frame: raises `OrderExpiredError` (past its time) or `LeaseLostError` (no longer ours).

Its first call also acknowledges the order to the bus and records `sent`, so that after a crash nothing is sent again.
"""


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """A new job to start. What is null stays as the mower has it."""

    area_ids: tuple[str, ...]
    """Our ids, all known to the driver's map (checked by the actor); empty: a provider without areas."""
    pattern: dict[str, Any] | None = None


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What a mower can do."""

    can_resume_while_returning: bool = False
    """It can be turned back on its way home."""
    has_areas: bool = True
    maximum_state_interval_seconds: float = STANDARD_SECONDS
    """The cap for totals between two states (design, Telemetry)."""
    job_settings: tuple[Setting, ...] = ()
    """What can be named with a start (`Start.pattern`), within which limits; the values are null."""


class LoggedProblem(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the log that a mower keeps of its problems."""

    problem: Problem
    logged_at: datetime | None = None
    """Null when the mower did not know the time."""


class Driver(Protocol):
    """A provider's handle on one mower. Order methods return when the mower acknowledged.

    They raise `MowDeckError`s: `UnavailableError` (not reached; nothing was sent), `UnsafeError` (`refused_by_mower`
    with the vendor's reason in `values`), `DeadlineError` (`outcome_unknown`: a frame left and no answer came).
    """

    capabilities: Capabilities

    @property
    def state(self) -> DriverState | None:
        """The last known state."""
        ...

    @property
    def availability(self) -> DriverAvailability:
        """Whether the mower is reached now."""
        ...

    @property
    def map(self) -> MowerMap | None:
        """The last known map."""
        ...

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings that this mower has, with their last known values."""
        ...

    @property
    def problem_log(self) -> tuple[LoggedProblem, ...]:
        """What the mower remembers of its problems, newest first; it says nothing about now."""
        return ()

    async def start(self, listener: DriverListener) -> None:
        """Begin to follow the mower."""
        ...

    async def stop(self) -> None:
        """Let go of the mower; it goes on with what it does."""
        ...

    async def refresh(self) -> DriverState:
        """Ask the mower for its state and return it: fresh, or an `UnavailableError`."""
        ...

    async def start_mow(self, start: Start, may_move: MayMove) -> str:
        """Start a new job (an open one is cancelled first, verified) and return the job's id."""
        ...

    async def resume(self, may_move: MayMove) -> None:
        """Go on with the open job; from `returning` only where the capabilities say so."""
        ...

    async def pause(self, may_move: MayMove) -> None:
        """Stop where it is, blades off; the job stays open."""
        ...

    async def return_to_dock(self, may_move: MayMove) -> None:
        """Go home. Never sent to a mower that is already returning (the actor sees to it)."""
        ...

    async def cancel_job(self, may_move: MayMove) -> None:
        """End the open job so that nothing of it can be resumed."""
        ...

    def prefer_links(self, preference: LinkPreference) -> None:
        """Use the mower's links in this order from now on; a driver with one link has nothing to choose."""
        del preference

    async def put_setting(self, key: str, value: Any) -> None:  # noqa: ANN401  # a setting's value is JSON
        """Change a setting; raises `InvalidError` naming the field when key or value is not allowed."""
        ...


class ProviderListener(Protocol):
    """Who hears of mowers that come: the gateway's service."""

    async def mower_found(self, found: FoundMower) -> None:
        """Hear of a mower, new or known."""
        ...


class Provider(Protocol):
    """A vendor adapter."""

    name: str
    """`simulator`, `mammotion`."""

    async def start(self, listener: ProviderListener) -> None:
        """Connect and begin to tell of mowers."""
        ...

    async def stop(self) -> None:
        """Disconnect."""
        ...

    def driver(self, found: FoundMower, *, mower_id: str, account_id: str) -> Driver:
        """Return the handle on a found mower; `mower_id` is the fleet's."""
        ...
