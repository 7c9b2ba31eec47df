"""Lists as the API answers them: `{"items": […], "next": cursor | null}` (design, API)."""

from typing import Annotated

import msgspec

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.fleet import Site, VendorAccount
from edge_gateway.contracts.groups import Group
from edge_gateway.contracts.schedules import Run, Schedule
from edge_gateway.contracts.telemetry import DayTotals, HistoryRow, JobRecord, MowedArea, PositionRow, Zone
from edge_gateway.contracts.views import MowerView

type Limit = Annotated[int, msgspec.Meta(ge=1, le=500, description="How many items at most.")]

type Cursor = Annotated[str, msgspec.Meta(min_length=1, max_length=200, description="The `next` of the page before.")]


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """The base of lists."""

    next: str | None = None
    """The `cursor` of the next page; null on the last."""


class MowerPage(Page, frozen=True, kw_only=True):
    """Mowers in the order of their names."""

    items: tuple[MowerView, ...]


class SchedulePage(Page, frozen=True, kw_only=True):
    """Schedules in the order of their ids."""

    items: tuple[Schedule, ...]


class RunPage(Page, frozen=True, kw_only=True):
    """Runs, newest first."""

    items: tuple[Run, ...]


class SitePage(Page, frozen=True, kw_only=True):
    """Sites in the order of their names."""

    items: tuple[Site, ...]


class GroupPage(Page, frozen=True, kw_only=True):
    """Groups in the order of their names."""

    items: tuple[Group, ...]


class VendorAccountPage(Page, frozen=True, kw_only=True):
    """Logins at vendors."""

    items: tuple[VendorAccount, ...]


class SettingPage(Page, frozen=True, kw_only=True):
    """The settings that a mower has."""

    items: tuple[Setting, ...]


class HistoryPage(Page, frozen=True, kw_only=True):
    """What a mower reported, oldest first."""

    items: tuple[HistoryRow, ...]


class PositionPage(Page, frozen=True, kw_only=True):
    """Where a mower was, oldest first."""

    items: tuple[PositionRow, ...]


class DayPage(Page, frozen=True, kw_only=True):
    """Days of a mower's site, oldest first; a day on which nothing was is missing."""

    items: tuple[DayTotals, ...]


class MowedAreaPage(Page, frozen=True, kw_only=True):
    """Areas that were mowed."""

    items: tuple[MowedArea, ...]


class JobPage(Page, frozen=True, kw_only=True):
    """Jobs, newest first."""

    items: tuple[JobRecord, ...]


class ZonePage(Page, frozen=True, kw_only=True):
    """The zones that the owner drew for a mower."""

    items: tuple[Zone, ...]
