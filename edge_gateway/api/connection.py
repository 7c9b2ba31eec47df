"""One connection of a client: what the web server itself refuses is answered in the API's one form of errors."""

from http import HTTPStatus
from typing import override

from aiohttp import web

from edge_gateway.api.errors import BadRequestError, error_answer
from edge_gateway.contracts.errors import MowDeckError

_LONGEST_REASON = 200


class Connection(web.RequestHandler):
    """Speaks HTTP with one client."""

    __slots__ = ()

    @override
    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = HTTPStatus.INTERNAL_SERVER_ERROR,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer what is not HTTP, and what went wrong outside of all endpoints; raises when an answer has begun."""
        super().handle_error(request, status, exc, message)
        answer = error_answer(_error(status, message))
        answer.force_close()
        return answer


def _error(status: int, message: str | None) -> MowDeckError:
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return MowDeckError("internal", "Something went wrong inside the gateway; its log says what.")
    # The lines after the first show what was sent.
    reason = (message or "").partition("\n")[0].rstrip(" :.")[:_LONGEST_REASON]
    return BadRequestError("bad_request", f"The request is not HTTP as it is understood here: {reason}.")
