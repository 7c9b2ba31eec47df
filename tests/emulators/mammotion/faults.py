"""What can go wrong in the emulation, switched on by a test."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(kw_only=True)
class HttpFault:
    """An answer of the cloud other than the right one."""

    path: str
    """The end of the request's path: `/thing/service/invoke`."""
    status: int = 200
    code: int | None = None
    """The `code` in the body; null repeats the status."""
    times: int = -1
    """How often; -1 until it is taken away."""
    grant: str | None = None
    """Only for this `grant_type` of `/oauth2/token`."""
    retry_after_seconds: int | None = None
    hang: bool = False
    """Never answer."""

    def matches(self, path: str, grant: str | None) -> bool:
        """Tell whether a request meets this fault."""
        return self.times != 0 and path.endswith(self.path) and self.grant in {None, grant}


@dataclass(kw_only=True)
class MowerFaults:
    """What is wrong with one mower."""

    silent: bool = False
    """The cloud takes orders for it, and it hears and says nothing."""
    mute: bool = False
    """It does what it is told, and nothing that it says arrives."""
    drop_next: int = 0
    """So many of the next frames that it says get lost."""
    drop_every: int = 0
    """Every so many-th frame that it says gets lost."""
    duplicate: bool = False
    """Every frame that it says arrives twice."""
    late_seconds: float = 0.0
    """So much later everything that it says arrives, in order."""
    reorder: bool = False
    """Of every two frames that it says the second arrives first."""
    lose_acknowledgements: int = 0
    """So many answers to orders get lost; it does them."""
    offline: bool = False
    """The cloud refuses orders for it: not reachable (50103)."""
    removed: bool = False
    """The cloud refuses orders for it: not in this account (50101)."""
    gateway_timeouts: int = 0
    """So many orders end in 20056, though they reach it."""
    refuse_orders: int = 0
    """The result with which it refuses every order and every route."""
    refuse_start: int = 0
    """The result with which it refuses to start."""
    refuse_route: int = 0
    """The result with which it refuses a route."""
    ignore_start: bool = False
    """It says yes to a start and stays."""


@dataclass(kw_only=True)
class Faults:
    """Everything that is wrong now."""

    http: list[HttpFault] = field(default_factory=list)
    mowers: dict[str, MowerFaults] = field(default_factory=dict)

    def of(self, device_name: str) -> MowerFaults:
        """Return the faults of a mower."""
        return self.mowers.setdefault(device_name, MowerFaults())

    def meet(self, path: str, grant: str | None) -> HttpFault | None:
        """Return the fault that a request meets, counting it down."""
        fault = next((fault for fault in self.http if fault.matches(path, grant)), None)
        if fault is not None and fault.times > 0:
            fault.times -= 1
        return fault

    def clear(self) -> None:
        """Repair everything."""
        self.http.clear()
        self.mowers.clear()

    def replace(self, document: dict[str, Any]) -> None:
        """Replace all faults by the ones of a JSON document; raises `TypeError` for an unknown word."""
        http = [HttpFault(**fault) for fault in document.get("http", [])]
        mowers = {name: MowerFaults(**faults) for name, faults in document.get("mowers", {}).items()}
        self.http[:] = http
        self.mowers.clear()
        self.mowers.update(mowers)
