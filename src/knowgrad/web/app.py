"""The application: operations as routes, pages, and the guard around all of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import version

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from knowgrad.errors import KnowgradError
from knowgrad.web.api import Call
from knowgrad.web.body import checked, from_query, read_json
from knowgrad.web.guard import Access, Guard
from knowgrad.web.hub import Hub
from knowgrad.web.openapi import document
from knowgrad.web.operations import OPERATIONS, Operation
from knowgrad.web.pages import page_routes
from knowgrad.web.present import encoded
from knowgrad.web.refusal import Refusal, refusal_of

HEAVY = 2  # questions that fit models, at once; the others never wait for them
Handler = Callable[[Request], Awaitable[Response]]


def create_app(storage: str, access: Access) -> ASGIApp:
    """The whole service for one storage."""
    hub = Hub(storage)
    heavy = anyio.CapacityLimiter(HEAVY)
    routes = [Route(one.path, _handler(one, hub, heavy), methods=[one.method]) for one in OPERATIONS]
    described = encoded(document(version("knowgrad")))

    async def openapi(_: Request) -> Response:
        return _json(described)

    routes += [Route("/api/openapi.json", openapi), *page_routes(access)]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(GZipMiddleware, minimum_size=2_000, compresslevel=5)],
        exception_handlers={Refusal: _refused, HTTPException: _http, Exception: _broken},
    )
    return Guard(app, access)


def _handler(operation: Operation, hub: Hub, heavy: anyio.CapacityLimiter) -> Handler:
    async def handle(request: Request) -> Response:
        query = from_query(operation.query, request)
        body = {} if operation.body is None else checked(operation.body, await read_json(request))
        call = Call(hub, dict(request.path_params), query, body)
        limiter = heavy if operation.heavy else None
        content = await anyio.to_thread.run_sync(partial(_run, operation, call), limiter=limiter)
        return _json(content, operation.status)

    return handle


def _run(operation: Operation, call: Call) -> bytes:
    try:
        return encoded(operation.run(call))
    except KnowgradError as error:
        raise refusal_of(error) from error


def _json(content: bytes, status: int = 200) -> Response:
    return Response(content, status, media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return _json(encoded(error.json()), error.status)


async def _http(request: Request, error: Exception) -> Response:
    """What the router refuses: an unknown path, or a method that a path has not."""
    assert isinstance(error, HTTPException)
    response = _json(encoded(Refusal(error.status_code, str(error.detail)).json()), error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _broken(request: Request, error: Exception) -> Response:
    """A fault of ours: said without its insides; the traceback is in the server's log."""
    return _json(encoded(Refusal(500, "the server failed; its log says more", "InternalError").json()), 500)
