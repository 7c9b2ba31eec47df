"""The state that an emulated mower reports; a test may put any of it."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from pymammotion.utility.constant import WorkMode
from pymammotion.utility.constant.device_enums import BreakPointReason, PosType

OFF_CHARGER = 0
CHARGING = 1
FULL = 2

READY_MODES = frozenset({WorkMode.MODE_READY, WorkMode.MODE_CHARGING})
"""A job may be planned and started."""


@dataclass(kw_only=True)
class MowerStatus:
    """What it reports, in its own words and units."""

    mode: int = WorkMode.MODE_READY
    charge_state: int = FULL
    battery_percent: float = 100.0
    breakpoint_reason: int = BreakPointReason.NONE
    mow_percent: int = 0
    area_mowed_m2: int = 0
    path_hash: int = 0
    knife_height_mm: int = 45
    east: float = 0.0
    """Metres from the base station, before its rotation."""
    north: float = 0.0
    toward_degrees: float = 0.0
    position_type: int = PosType.CHARGE_ON
    zone_hash: int = 0
    self_check: int = 0
    """What keeps it from starting: 0 nothing, 20 rain, 23 hours it may not work in, 34 rain protection."""
    rain_detection: int = 1

    @property
    def on_charger(self) -> bool:
        """Whether the charger's contact is closed."""
        return self.charge_state != OFF_CHARGER

    @property
    def has_breakpoint(self) -> bool:
        """Whether a job is open that could be gone on with."""
        return self.breakpoint_reason != BreakPointReason.NONE

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)

    def put(self, document: dict[str, Any]) -> None:
        """Take what a JSON document names; raises `ValueError` for an unknown word."""
        known = {field.name for field in fields(self)}
        if unknown := sorted(set(document) - known):
            msg = f"no such state: {', '.join(unknown)}; there are {', '.join(sorted(known))}"
            raise ValueError(msg)
        for name, value in document.items():
            setattr(self, name, value)
