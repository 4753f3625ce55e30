"""The application: operations as routes, pages, and the guard around all of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from urllib.parse import unquote

import anyio
from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from knowgrad.errors import KnowgradError
from knowgrad.web.api import Call
from knowgrad.web.body import from_query, read_body
from knowgrad.web.counter import Counter
from knowgrad.web.guard import Access, Guard
from knowgrad.web.hub import Hub
from knowgrad.web.openapi import document
from knowgrad.web.operations import OPERATIONS, Operation
from knowgrad.web.pages import page_routes
from knowgrad.web.present import encoded
from knowgrad.web.refusal import BROKEN, Refusal, refusal_of
from knowgrad.web.reply import reply

Handler = Callable[[Request], Awaitable[Response]]


class _Segment(Convertor[str]):
    """One part of a path between slashes, as it was meant: %2F is a slash in a name."""

    regex = "[^/]+"

    def convert(self, value: str) -> str:
        return unquote(value)

    def to_string(self, value: str) -> str:
        raise NotImplementedError("addresses are made by the clients")


register_url_convertor("segment", _Segment())


def create_app(storage: str, access: Access) -> ASGIApp:
    """The whole service for one storage."""
    hub = Hub(storage)
    counter = Counter(hub)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        counter.open()
        yield
        await counter.close()

    routes = [Route(_pattern(one.path), _handler(one, hub, counter), methods=[one.method]) for one in OPERATIONS]
    described = encoded(document(version("knowgrad")))

    async def openapi(request: Request) -> Response:
        return await anyio.to_thread.run_sync(partial(reply, request, described))

    routes += [Route("/api/openapi.json", openapi), *page_routes(access)]
    handlers = {Refusal: _refused, HTTPException: _http, Exception: _broken}
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False
    return Guard(_Encoded(app), access)


class _Encoded:
    """Has paths matched as they were sent, so that an encoded slash separates nothing."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "path": scope["raw_path"].decode("ascii")}
        await self.app(scope, receive, send)


def _pattern(path: str) -> str:
    return path.replace("}", ":segment}")


def _handler(operation: Operation, hub: Hub, counter: Counter) -> Handler:
    async def handle(request: Request) -> Response:
        query = from_query(operation.query, request)
        body = {} if operation.body is None else await read_body(operation.body, request, counter.long_bodies)
        call = Call(hub, dict(request.path_params), query, body)
        if operation.heavy:
            status, content = await counter.answer(operation, call, request.receive)
            return await anyio.to_thread.run_sync(partial(reply, request, content, status))
        limiter = counter.readers if operation.method == "GET" else None
        return await anyio.to_thread.run_sync(partial(_run, operation, call, request), limiter=limiter)

    return handle


def _run(operation: Operation, call: Call, request: Request) -> Response:
    try:
        content = call.hub.still(lambda: encoded(operation.run(call)))
        return reply(request, content, operation.status)
    except KnowgradError as error:
        raise refusal_of(error) from error


def _json(refusal: Refusal) -> Response:
    return Response(encoded(refusal.json()), refusal.status, media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return _json(error)


async def _http(request: Request, error: Exception) -> Response:
    """What the router refuses: an unknown path, or a method that a path has not."""
    assert isinstance(error, HTTPException)
    response = _json(Refusal(error.status_code, str(error.detail)))
    response.headers.update(error.headers or {})
    return response


async def _broken(request: Request, error: Exception) -> Response:
    """A fault of ours: said without its insides; the traceback is in the server's log."""
    return _json(BROKEN)
