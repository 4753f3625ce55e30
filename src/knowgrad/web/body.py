"""What a request may carry: fields with types and limits, which also write their own part of the OpenAPI document."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request

from knowgrad.trial import shown
from knowgrad.web.refusal import Refusal

LARGEST = 1 << 20  # bytes
DEEPEST = 32
PATIENCE = 10.0  # seconds for a whole body to arrive
STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
TYPES: dict[str, tuple[type, ...]] = {"integer": (int,), "number": (int, float), "string": (str,), "object": (dict,)}


@dataclass(frozen=True)
class Field:
    """One field of a JSON object or a query. `least` and `most` bound numbers, and the lengths of texts."""

    type: str
    doc: str
    required: bool = False
    least: float | None = None
    most: float | None = None
    options: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """Further types, such as "string" beside "number"."""
    example: Any = None

    def schema(self) -> dict[str, Any]:
        low, high = ("minLength", "maxLength") if self.type == "string" else ("minimum", "maximum")
        told: dict[str, Any] = {"type": [self.type, *self.also] if self.also else self.type, "description": self.doc}
        told |= {key: bound for key, bound in ((low, self.least), (high, self.most)) if bound is not None}
        told |= {"enum": list(self.options)} if self.options else {}
        return told | ({} if self.example is None else {"examples": [self.example]})

    def check(self, name: str, value: Any) -> Any:
        kinds = tuple(kind for each in (self.type, *self.also) for kind in TYPES[each])
        # 1e999 is a number in JSON and infinite in Python.
        if isinstance(value, bool) or not isinstance(value, kinds) or value in (math.inf, -math.inf):
            self._refuse(name, value, " or ".join((self.type, *self.also)))
        if self.options and value not in self.options:
            self._refuse(name, value, f"one of {', '.join(self.options)}")
        size = len(value) if isinstance(value, str) else value if isinstance(value, int | float) else None
        if size is not None and not (
            (self.least is None or self.least <= size) and (self.most is None or size <= self.most)
        ):
            what = "a length" if isinstance(value, str) else "a number"
            self._refuse(name, value, f"{what} from {self.least} to {self.most}")
        return value

    def _refuse(self, name: str, value: object, expected: str) -> NoReturn:
        raise Refusal(422, f"{name}: expected {expected}, got {shown(value)}; {self.doc}")


Fields = Mapping[str, Field]


def checked(fields: Fields, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are given, checked; a field that is not there must not be required."""
    if unknown := [name for name in given if name not in fields]:
        raise Refusal(422, f"expected only {', '.join(fields) or 'no fields'}, got {shown(unknown)}; leave them out")
    if missing := [name for name, field in fields.items() if field.required and name not in given]:
        raise Refusal(422, f"{missing[0]}: expected it to be there, got nothing; {fields[missing[0]].doc}")
    return {name: fields[name].check(name, value) for name, value in given.items()}


def from_query(fields: Fields, request: Request) -> dict[str, Any]:
    """The parameters of the query, whole numbers as such."""
    items = request.query_params.multi_items()
    if len({name for name, _ in items}) < len(items):
        raise Refusal(422, "query: expected each parameter once, got one twice; leave one out")
    values: dict[str, Any] = {}
    for name, text in items:
        whole = name in fields and fields[name].type == "integer" and re.fullmatch(r"-?[0-9]{1,18}", text)
        values[name] = int(text) if whole else text
    return checked(fields, values)


async def read_json(request: Request, *, patience: float = PATIENCE) -> dict[str, Any]:
    """The JSON object of a request: at most 1 MiB, at most 32 deep, arrived within ten seconds."""
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > LARGEST:
        raise Refusal(413, f"body: expected at most {LARGEST} bytes, got {declared[:20]}; send less")
    try:
        async with asyncio.timeout(patience):
            raw = await _received(request)
    except TimeoutError:
        raise Refusal(408, f"body: expected it within {patience:g} s, got a part of it; send it at once") from None
    return parsed(raw)


async def _received(request: Request) -> bytes:
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


def parsed(raw: bytes) -> dict[str, Any]:
    """A JSON object of text, finite numbers and no more than 32 levels."""
    try:
        text = raw.decode()
        if depth(text) > DEEPEST:
            raise Refusal(422, f"body: expected at most {DEEPEST} levels of JSON, got more; send something flatter")
        body = json.loads(text or "{}", parse_constant=_not_json)
    except (ValueError, RecursionError) as error:
        raise Refusal(422, f"body: expected JSON in UTF-8, got {error}; send an object such as {{}}") from None
    if not isinstance(body, dict):
        raise Refusal(422, f"body: expected a JSON object, got {shown(body)}; send an object such as {{}}")
    return body


def depth(text: str) -> int:
    """How deep brackets are nested outside of strings; counted before parsing, which recurs."""
    level = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", STRINGS.sub("", text)):
        level += 1 if bracket in "[{" else -1
        deepest = max(deepest, level)
    return deepest


def _not_json(name: str) -> NoReturn:
    raise ValueError(f"{name}, which is no number in JSON")
