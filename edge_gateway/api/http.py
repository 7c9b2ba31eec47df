"""From aiohttp to our endpoints and back: authentication, decoding, time-outs, errors, counting."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus

import msgspec
import structlog
from aiohttp import hdrs, web

from edge_gateway.api import metrics
from edge_gateway.api.authentication import check_given_once, check_token, check_version, read_caller, read_key
from edge_gateway.api.decoding import decode_body, decode_query
from edge_gateway.api.endpoints import AnyEndpoint, Call, Download, NoBody, read_ids
from edge_gateway.api.errors import (
    BadRequestError,
    NoSuchMethodError,
    RequestTimeoutError,
    TooLargeError,
    error_answer,
)
from edge_gateway.contracts.errors import DeadlineError, InvalidError, MowDeckError, NotFoundError

_log = structlog.get_logger(__name__)

type HttpHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def json_answer(content: msgspec.Struct, *, status: int = 200) -> web.Response:
    """Return an answer with a struct as JSON."""
    return web.Response(
        status=status, body=msgspec.json.encode(content), content_type="application/json", charset="utf-8"
    )


def handle(endpoint: AnyEndpoint, *, token: str, timeout_seconds: float) -> HttpHandler:
    """Return the aiohttp handler of an endpoint."""

    async def handler(request: web.Request) -> web.StreamResponse:
        check_given_once(request.headers)
        check_token(request.headers, token)
        if not endpoint.any_version:
            check_version(request.headers)
        caller = read_caller(request.headers)
        ends_at = asyncio.get_running_loop().time() + timeout_seconds
        try:
            call = Call(
                caller=caller,
                ids=read_ids(request.match_info),
                query=decode_query(request.query.items(), endpoint.query),
                key=read_key(request.headers) if endpoint.orders else "",
                body=await _read_body(request, endpoint, ends_at=ends_at),
            )
            async with asyncio.timeout_at(ends_at):
                answer = await endpoint.handler(call)
        except MowDeckError as error:
            error.field = endpoint.callers_name(error.field)
            raise
        except TimeoutError as error:
            raise DeadlineError(
                "no_answer",
                "The answer did not come in time; whether something was done is not known.",
                remedy="Ask again; repeat an order with the same key.",
                values={"seconds": timeout_seconds},
            ) from error
        if answer is None:
            return web.Response(status=endpoint.status)
        if isinstance(answer, Download):
            return await _send(request, answer)
        return json_answer(answer, status=endpoint.status)

    return handler


async def _send(request: web.Request, download: Download) -> web.StreamResponse:
    """Send a file; what goes wrong before its first part is an error like any other."""
    first = await anext(download.chunks, b"")
    response = web.StreamResponse(
        headers={
            hdrs.CONTENT_TYPE: f"{download.content_type}; charset=utf-8",
            hdrs.CONTENT_DISPOSITION: f'attachment; filename="{download.file_name}"',
        }
    )
    await response.prepare(request)
    await response.write(first)
    async for chunk in download.chunks:
        await response.write(chunk)
    await response.write_eof()
    return response


async def _read_body(request: web.Request, endpoint: AnyEndpoint, *, ends_at: float) -> msgspec.Struct:
    body_type: type[msgspec.Struct] = endpoint.body
    body = await _read_bytes(request, ends_at)
    if not body and (endpoint.body_optional or body_type is NoBody):
        return body_type()
    if request.content_type not in ("application/json", "application/octet-stream"):
        raise InvalidError(
            "invalid",
            f"Content-Type {request.content_type} is not understood; send application/json.",
            field="Content-Type",
        )
    return decode_body(body, body_type)


async def _read_bytes(request: web.Request, ends_at: float) -> bytes:
    try:
        async with asyncio.timeout_at(ends_at):
            return await request.read()
    except TimeoutError as error:
        raise RequestTimeoutError(
            "body_incomplete",
            "The body did not arrive in time; nothing was done.",
            field="body",
            remedy="Send the request again.",
        ) from error
    except web.RequestPayloadError as error:
        encoding = request.headers.get(hdrs.CONTENT_ENCODING)
        if encoding is None:
            raise BadRequestError("body_incomplete", "The body broke off; nothing was done.", field="body") from error
        raise BadRequestError(
            "body_unreadable",
            f"The body is not {encoding[:64]}, which {hdrs.CONTENT_ENCODING} says it is.",
            field=str(hdrs.CONTENT_ENCODING),
            remedy="Send the body as it is, without this header.",
        ) from error


@web.middleware
async def answer_errors(request: web.Request, handler: HttpHandler) -> web.StreamResponse:
    """Answer every error in the one form, and count every request."""
    began = time.perf_counter()
    try:
        answer = await handler(request)
    except MowDeckError as error:
        answer = error_answer(error)
    except web.HTTPException as error:
        answer = error_answer(_own_error(error, request))
    except ConnectionError:
        # The client went away: nobody is left to answer, and nothing is wrong here.
        raise
    except Exception:  # noqa: BLE001  # the last line of defence: logged with its traceback, answered as internal
        _log.exception("request failed", method=request.method, route=_route(request))
        answer = error_answer(MowDeckError("internal", "Something went wrong inside the gateway; its log says what."))
    route = _route(request)
    method = request.method if request.method in hdrs.METH_ALL else "other"
    metrics.REQUESTS.labels(route, method, str(answer.status)).inc()
    if answer.status != HTTPStatus.SWITCHING_PROTOCOLS:
        metrics.REQUEST_SECONDS.labels(route, method).observe(time.perf_counter() - began)
    return answer


def _own_error(error: web.HTTPException, request: web.Request) -> MowDeckError:
    match error:
        case web.HTTPNotFound():
            return NotFoundError("no_such_path", "There is nothing under this path.", values={"path": request.path})
        case web.HTTPMethodNotAllowed():
            return NoSuchMethodError(
                "no_such_method",
                f"{request.method} is not allowed here.",
                values={"allowed": sorted(error.allowed_methods)},
            )
        case web.HTTPRequestEntityTooLarge():
            return TooLargeError("too_large", "The body is longer than what is allowed.", field="body")
        case _:
            return BadRequestError("bad_request", f"The request cannot be answered: {error.reason}.")


def _route(request: web.Request) -> str:
    resource = request.match_info.route.resource
    return "unknown" if resource is None else resource.canonical
