"""The dashboard's files: two pages, their script and style, and Plotly's JavaScript out of its package."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import anyio
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from knowgrad.web.guard import Access

TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html", "svg": "image/svg+xml"}
SCRIPTS = (
    "change",
    "charts",
    "conditions",
    "context",
    "create",
    "csv",
    "dom",
    "edit",
    "fields",
    "outcomes",
    "plan",
    "running",
    "studies",
    "study",
    "trial",
    "trials",
)
ASSETS = (*(f"{name}.js" for name in SCRIPTS), "style.css", "plotly.css", "icon.svg")


@dataclass(frozen=True)
class Asset:
    """A file in memory, packed once."""

    plain: bytes
    packed: bytes
    tag: str


@cache
def asset(name: str) -> Asset:
    if name == "plotly.js":
        plain = files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()
    else:
        plain = files(__package__).joinpath("assets", name).read_bytes()
    return Asset(plain, gzip.compress(plain, 9, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:20]}"')


def page_routes(access: Access) -> list[Route]:
    """`/` lists the studies, `/study/…` shows one."""

    async def static(request: Request) -> Response:
        return await _asset(request, request.path_params["name"])

    async def icon(request: Request) -> Response:  # browsers ask for it by its old name before they have read a page
        return await _asset(request, "icon.svg")

    def page(name: str) -> Route:
        text = files(__package__).joinpath("assets", name).read_text(encoding="utf-8")
        edit = "yes" if access.writable else "no"
        html = text.replace("{{csrf}}", access.derived("csrf")).replace("{{edit}}", edit)

        async def show(_: Request) -> Response:
            return Response(html, media_type="text/html")

        return Route("/" if name == "studies.html" else "/study/{study:segment}", show)

    files_of_pages = [Route("/assets/{name:segment}", static), Route("/favicon.ico", icon)]
    return [page("studies.html"), page("study.html"), *files_of_pages]


async def _asset(request: Request, name: str) -> Response:
    if name not in (*ASSETS, "plotly.js"):
        return Response("not found", 404, media_type="text/plain")
    found = await anyio.to_thread.run_sync(asset, name)
    headers = {"etag": found.tag, "cache-control": "private, no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    kind = TYPES[name.rpartition(".")[2]]
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.packed, headers=headers | {"content-encoding": "gzip"}, media_type=kind)
    return Response(found.plain, headers=headers, media_type=kind)
