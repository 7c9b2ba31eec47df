"""What goes on from one firing to the next, for each mower of a schedule: whose turn it is, days held by rain."""

from datetime import date

from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler.repository.transactions import Connection

_HELD = """
    INSERT INTO scheduler.schedule_mower AS row (schedule_id, mower_id, held_days, held_on) VALUES ($1, $2, 1, $3)
    ON CONFLICT (schedule_id, mower_id) DO UPDATE SET held_days = row.held_days + 1, held_on = excluded.held_on
    WHERE row.held_on IS DISTINCT FROM excluded.held_on
"""
_NOT_HELD = """
    UPDATE scheduler.schedule_mower SET held_days = 0, held_on = NULL
    WHERE schedule_id = $1 AND mower_id = $2 AND held_days > 0
"""
_TURNED = """
    INSERT INTO scheduler.schedule_mower (schedule_id, mower_id, angle_number)
    SELECT id, $2, $3 FROM scheduler.schedule WHERE id = $1
    ON CONFLICT (schedule_id, mower_id) DO UPDATE SET angle_number = excluded.angle_number
"""


async def save_outcome(
    connection: Connection, schedule_id: str, mower_id: str, outcome: RunOutcome, day: date | None
) -> None:
    """Count the days on which rain held a mower of a locked schedule; a start ends the count."""
    if outcome is RunOutcome.SKIPPED_RAIN:
        await connection.execute(_HELD, schedule_id, mower_id, day)
    elif outcome is RunOutcome.STARTED:
        await connection.execute(_NOT_HELD, schedule_id, mower_id)


async def save_turn(connection: Connection, schedule_id: str, mower_id: str, angle_number: int) -> None:
    """Keep the number of the next start; of a schedule that is gone nothing is kept."""
    await connection.execute(_TURNED, schedule_id, mower_id, angle_number)
