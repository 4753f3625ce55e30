"""The OpenAPI document, from the table of operations."""

from __future__ import annotations

import re
from typing import Any

from knowgrad.plots import KINDS
from knowgrad.web.body import Fields
from knowgrad.web.operations import OPERATIONS, Operation
from knowgrad.web.present import SCHEMAS, reference

REFUSED = {
    401: "no token, or another",
    403: "not allowed here",
    404: "no such study, trial or path",
    405: "not with this method",
    408: "the body took too long",
    409: "in conflict with what is recorded, or nothing known yet",
    413: "the body is too large",
    415: "the body is not JSON",
    422: "the request makes no sense; the message says why",
    503: "the storage cannot be used",
}
PLACES = {
    "study": {"type": "string", "minLength": 1, "description": "name or uid"},
    "number": {"type": "integer", "minimum": 0, "description": "the trial's number"},
    "kind": {"enum": list(KINDS), "description": "of figure"},
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
        {"name": name, "in": "query", "required": field.required, "schema": field.schema()}
        for name, field in operation.query.items()
    ]
    told: dict[str, Any] = {
        "operationId": operation.run.__name__,
        "summary": operation.summary,
        "parameters": [*places, *queries],
        "responses": {str(operation.status): _response("done", operation.answer)}
        | {str(code): _response(why, reference("Error")) for code, why in REFUSED.items()},
    }
    if operation.body is not None:
        content = {"application/json": {"schema": body_schema(operation.body)}}
        told["requestBody"] = {"required": True, "content": content}
    return told


def body_schema(fields: Fields) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: field.schema() for name, field in fields.items()},
        "required": [name for name, field in fields.items() if field.required],
        "additionalProperties": False,
    }


def _response(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}
