"""Any reports of two mowers: states with the orders between them, and reach."""

from hypothesis import strategies as st

from edge_gateway.contracts.commands import CommandKind
from edge_gateway.contracts.mower import Activity, Job, Problem
from tests.unit.notifications.reports import HOME, STREET, Report, order, reach, state

MOWERS = ("m1", "m2")


def _gaps() -> st.SearchStrategy[int]:
    return st.sampled_from([1, 1, 5, 15, 25, 31, 90, 400])


@st.composite
def _states(draw: st.DrawFn, mower_id: str) -> list[Report]:
    reports: list[Report] = []
    second = 0
    for _ in range(draw(st.integers(0, 20))):
        second += draw(_gaps())
        if draw(st.integers(0, 5)) == 0:
            kind = draw(st.sampled_from([CommandKind.PAUSE, CommandKind.RETURN_TO_DOCK, CommandKind.RESUME]))
            reports.append(order(second, kind, mower_id))
            second += 1
        reports.append(
            state(
                second,
                draw(st.sampled_from(Activity)),
                mower_id=mower_id,
                battery_percent=draw(st.sampled_from([None, 5, 12, 80])),
                position=draw(st.sampled_from([None, HOME, HOME, STREET])),
                problem=draw(st.sampled_from([None, None, Problem(code="stuck"), Problem(code="lifted")])),
                job=draw(st.sampled_from([None, Job(id="j")])),
                on_charger=draw(st.sampled_from([None, None, True, False])),
                progress_percent=draw(st.sampled_from([None, 40.0])),
            )
        )
    return reports


@st.composite
def _reaches(draw: st.DrawFn, mower_id: str) -> list[Report]:
    reports: list[Report] = []
    second = 0
    for _ in range(draw(st.integers(0, 8))):
        second += draw(st.sampled_from([1, 40, 400, 400]))
        reason = draw(st.sampled_from(["silent", "gateway_stopped"]))
        reports.append(reach(second, available=draw(st.booleans()), reason=reason, mower_id=mower_id))
    return reports


sources = st.tuples(*(source(mower_id) for mower_id in MOWERS for source in (_states, _reaches)))
"""One list per mower and kind, each in its own order."""
