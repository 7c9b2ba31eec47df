"""`/schedules/preview`: the next 14 days of a plan, stored or only drafted."""

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import Identifier, ScheduleBody
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoQuery
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.weather import PreviewRequest, SchedulePreview


class PreviewBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is previewed: exactly one of them."""

    schedule_id: Identifier | None = None
    draft: ScheduleBody | None = None


class Previews:
    """The handler of previews."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        return (
            Endpoint(
                method="POST",
                path="/schedules/preview",
                summary="The next 14 days of a schedule or a draft, each with its rain verdict; nothing is stored",
                handler=self._preview,
                query=NoQuery,
                body=PreviewBody,
                answer=SchedulePreview,
                raises=(NotFoundError,),
            ),
        )

    async def _preview(self, call: Call[NoQuery, PreviewBody]) -> SchedulePreview:
        question = PreviewRequest(**call.asking, schedule_id=call.body.schedule_id, draft=call.body.draft)
        return await self._services.ask(routes.SCHEDULES_PREVIEW, question)
