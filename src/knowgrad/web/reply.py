"""Answers, packed where the client takes that: in a thread, because packing takes its time."""

from __future__ import annotations

import gzip

from starlette.requests import Request
from starlette.responses import Response

SMALLEST = 2_000  # bytes that are worth packing
LEVEL = 5


def reply(request: Request, content: bytes, status: int = 200) -> Response:
    """JSON."""
    headers = {"vary": "accept-encoding"}
    if len(content) >= SMALLEST and "gzip" in request.headers.get("accept-encoding", ""):
        content = gzip.compress(content, LEVEL, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(content, status, headers, "application/json")
