"""The OpenAPI document, from the table of operations."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from knowgrad.plots import EVERY
from knowgrad.web.operations import OPERATIONS, Operation
from knowgrad.web.requests import Request
from knowgrad.web.schemas import SCHEMAS, reference

REFUSED = {
    401: "no token, or another",
    403: "not allowed here",
    404: "no such study, trial or path",
    405: "not with this method",
    408: "the body took too long",
    409: "in conflict with what is recorded or was asked under this key, or nothing known yet",
    411: "the body has no length; chunks are not taken",
    413: "the body is too large",
    415: "the body is not JSON",
    422: "the request makes no sense; the message says why",
    503: "the storage cannot be used, or too many wait already",
}
PLACES = {
    "study": {"type": "string", "minLength": 1, "description": "name or uid"},
    "number": {"type": "integer", "minimum": 0, "description": "the trial's number"},
    "kind": {"enum": list(EVERY), "description": "of figure"},
}


def document(version: str) -> dict[str, Any]:
    """For clients that are generated, and for tests that are."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "knowgrad", "version": version, "description": "What to try next, over HTTP."},
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _operation(operation: Operation) -> dict[str, Any]:
    places = [
        {"name": name, "in": "path", "required": True, "schema": PLACES[name]}
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    queries = [
        {"name": name, "in": "query", "required": False, "schema": schema}
        for name, schema in schema_of(operation.query)["properties"].items()
    ]
    told: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": [*places, *queries],
        "responses": {str(operation.status): _response("done", operation.answer)}
        | {str(code): _response(why, reference("Error")) for code, why in REFUSED.items()},
    }
    if operation.body is not None:
        content = {"application/json": {"schema": schema_of(operation.body)}}
        told["requestBody"] = {"required": True, "content": content}
    return told


def schema_of(kind: type[Request]) -> dict[str, Any]:
    """The JSON schema of a request, as msgspec checks it."""
    _, found = msgspec.json.schema_components([kind])
    schema: dict[str, Any] = found[kind.__name__]
    return schema


def _response(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}
