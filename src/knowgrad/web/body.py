"""What a request carries, read and checked in time that grows with its length and no faster."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable
from functools import cache, partial
from typing import Any

import anyio
import msgspec
from starlette.requests import ClientDisconnect
from starlette.requests import Request as Received

from knowgrad.text import shown
from knowgrad.web.refusal import Refusal
from knowgrad.web.requests import Request

LARGEST = 1 << 20  # bytes
DEEPEST = 32
NESTED = 10_000  # lists and objects in a body
PATIENCE = 10.0  # seconds for a whole body to arrive
AT_ONCE = 1 << 14  # bytes: a body up to this long is read where it arrives, a longer one in a thread
PARAMETERS = 100  # of a query
REMEDY = "send what /api/openapi.json describes"


def from_query(kind: type[Request], request: Received) -> dict[str, Any]:
    """The parameters of the query, whole numbers as such."""
    if request.url.query.count("&") >= PARAMETERS:
        raise Refusal(422, f"query: expected fewer than {PARAMETERS} parameters, got more; {REMEDY}")
    items = request.query_params.multi_items()
    values = dict(items)
    if len(values) < len(items):
        raise Refusal(422, "query: expected each parameter once, got one twice; leave one out")
    try:
        return msgspec.convert(values, kind, strict=False).sent()
    except msgspec.ValidationError as error:
        raise Refusal(422, f"query: {error}; {REMEDY}") from None


async def read_body(
    kind: type[Request], request: Received, long: anyio.CapacityLimiter, *, patience: float = PATIENCE
) -> dict[str, Any]:
    """The JSON object of a request: at most 1 MiB, at most 32 deep, arrived within ten seconds.

    `long` limits how many long ones are read at once: reading one keeps every other thread waiting.
    """
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or len(declared) > 20 or int(declared) > LARGEST:
        raise Refusal(413, f"body: expected at most {LARGEST} bytes, got {declared[:20]}; send less")
    try:
        async with asyncio.timeout(patience):
            raw = await _received(request)
    except TimeoutError:
        raise Refusal(408, f"body: expected it within {patience:g} s, got a part of it; send it at once") from None
    if len(raw) <= AT_ONCE:
        return parsed(kind, raw)
    return await anyio.to_thread.run_sync(partial(parsed, kind, raw), limiter=long)


async def _received(request: Received) -> bytes:
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > LARGEST:
                raise Refusal(413, f"body: expected at most {LARGEST} bytes, got more; send less")
            parts.append(part)
    except ClientDisconnect:
        raise Refusal(408, "body: expected the whole of it, got a part; send it again") from None
    return b"".join(parts)


def parsed(kind: type[Request], raw: bytes) -> dict[str, Any]:
    """The fields of a JSON object, checked. Text is UTF-8, numbers are finite, and no name comes twice."""
    raw = raw or b"{}"
    if (
        raw.count(b"[") + raw.count(b"{") > NESTED
    ):  # counted wherever they stand: making them takes far longer than this
        raise Refusal(422, f"body: expected at most {NESTED} lists and objects, got more brackets; send less at once")
    try:
        found = _decoder(kind).decode(raw)
        given = found.sent()
        if deeper_than(DEEPEST, given):
            raise RecursionError
        json.loads(raw, object_pairs_hook=_once)
    except msgspec.ValidationError as error:
        raise Refusal(422, f"body: {error}; {REMEDY}") from None
    except RecursionError:
        raise Refusal(
            422, f"body: expected at most {DEEPEST} levels of JSON, got more; send something flatter"
        ) from None
    except (msgspec.DecodeError, ValueError) as error:
        raise Refusal(422, f"body: expected JSON in UTF-8, got {error}; send an object such as {{}}") from None
    return given


@cache
def _decoder(kind: type[Request]) -> msgspec.json.Decoder[Request]:
    return msgspec.json.Decoder(kind)


def deeper_than(most: int, value: object) -> bool:
    """Are lists and dicts nested more than `most` deep?"""
    level = [value]
    for _ in range(most + 1):
        level = [child for each in level for child in _children(each)]
    return bool(level)


def _children(value: object) -> Iterable[object]:
    """What is one level below; a list or dict at the lowest level counts as one with something in it."""
    if isinstance(value, dict | list):
        return (value.values() if isinstance(value, dict) else value) or (None,)
    return ()


def _once(pairs: list[tuple[str, Any]]) -> None:
    """Where a name comes twice, readers differ in which of its values counts."""
    if len(dict(pairs)) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise Refusal(422, f"body: expected each name once, got {shown(twice)} twice; leave one out")
