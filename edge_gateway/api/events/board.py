"""Everything that a snapshot shows, in memory; loaded from the services, kept current by their events."""

from edge_gateway.api.asking import Services
from edge_gateway.api.mower_board import MowerBoard
from edge_gateway.api.mower_reader import MowerReader
from edge_gateway.contracts import routes
from edge_gateway.contracts.fleet import Asking, ListMowersRequest, Site
from edge_gateway.contracts.groups import Group
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.schedules import ListSchedulesRequest, Schedule
from edge_gateway.contracts.views import Snapshot

READS_AS = OWNER
"""The board is read for the one principal that sees everything; what each reader may see is checked when it comes."""

_PAGE = 100


class Board:
    """Mowers, schedules, sites and groups."""

    def __init__(self, mowers: MowerBoard) -> None:
        """Start with nothing; `mowers` is shared with the lists."""
        self.mowers = mowers
        self.schedules: dict[str, Schedule] = {}
        self.sites: dict[str, Site] = {}
        self.groups: dict[str, Group] = {}

    def snapshot(self, cursor: str) -> Snapshot:
        """Return everything as it is now."""
        return Snapshot(
            cursor=cursor,
            mowers=self.mowers.views(),
            schedules=tuple(self.schedules[schedule_id] for schedule_id in sorted(self.schedules)),
            sites=tuple(sorted(self.sites.values(), key=lambda site: (site.name, site.id))),
            groups=tuple(sorted(self.groups.values(), key=lambda group: (group.name, group.id))),
        )


async def load(board: Board, services: Services, reader: MowerReader) -> None:
    """Read everything anew; raises what the services raise, and then the board is unchanged but for mowers' states."""
    mowers = await services.ask(routes.MOWERS_LIST, ListMowersRequest(on_behalf_of=READS_AS, account_id=ACCOUNT_ID))
    sites = await services.ask(routes.SITES_LIST, Asking(on_behalf_of=READS_AS, account_id=ACCOUNT_ID))
    groups = await services.ask(routes.GROUPS_LIST, Asking(on_behalf_of=READS_AS, account_id=ACCOUNT_ID))
    schedules = await _schedules(services)
    mower_ids = [record.mower.id for record in mowers.items]
    await reader.look_up(mower_ids)
    board.mowers.put_records(mowers.items)
    board.sites = {site.id: site for site in sites.items}
    board.groups = {group.id: group for group in groups.items}
    board.schedules = schedules


async def _schedules(services: Services) -> dict[str, Schedule]:
    schedules: dict[str, Schedule] = {}
    after: str | None = None
    while True:
        question = ListSchedulesRequest(on_behalf_of=READS_AS, account_id=ACCOUNT_ID, after=after, limit=_PAGE)
        reply = await services.ask(routes.SCHEDULES_LIST, question)
        schedules |= {schedule.id: schedule for schedule in reply.items}
        after = reply.next
        if after is None:
            return schedules
