"""The outermost layer: whatever is not plainly allowed is refused before any other code sees it.

Every request needs one of the exact host names and the token: in the Authorization header, in the cookie that opening
`/?token=…` sets, or in the address itself when a page is opened. A write further needs JSON, and a server started with
leave to edit; with the cookie also our own origin and a header that other sites cannot send. No CORS header is sent.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote_plus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from knowgrad.web.crowd import ADMITTED
from knowgrad.web.refusal import Refusal

READING = ("GET", "HEAD")
CSRF = "x-knowgrad-csrf"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
ENTER = '<!doctype html><html lang="en"><title>knowgrad</title><meta http-equiv="refresh" content="0; url={0}">'
ENTER += '<a href="{0}">Continue to the dashboard</a></html>'


@dataclass(frozen=True)
class Access:
    """Who may come in, by which names, and whether they may change anything."""

    token: str
    hosts: frozenset[str]
    """Exact values of the Host header, with the port."""
    writable: bool

    def derived(self, purpose: str) -> str:
        """A secret for one purpose, from which the token cannot be found again."""
        return hmac.new(self.token.encode(), purpose.encode(), hashlib.sha256).hexdigest()

    @property
    def cookie(self) -> str:
        """Its name: browsers share cookies between all ports of a host, so each port has its own."""
        return "knowgrad_" + hashlib.sha256(",".join(sorted(self.hosts)).encode()).hexdigest()[:12]


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def allowed_hosts(host: str, port: int, names: Iterable[str] = ()) -> frozenset[str]:
    """The names by which the server may be addressed."""
    every = {"127.0.0.1", "localhost", "[::1]"} if is_loopback(host) else set()
    every |= {f"[{host}]" if ":" in host else host, *names}
    return frozenset(f"{name}:{port}" for name in every) | (frozenset(every) if port == 80 else frozenset())


class Guard:
    """Wraps the whole application."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        send = _with_headers(send)
        try:
            entering = self._admit(scope)
            if ADMITTED in scope:
                scope[ADMITTED]()
        except Refusal as refusal:
            body = json.dumps(refusal.json()).encode()
            await _answer(send, refusal.status, body, b"application/json", [(b"connection", b"close")])
            return
        if entering:
            page = ENTER.format("/" + quote(scope["raw_path"], safe="/%").lstrip("/")).encode()
            value = f"{self.access.cookie}={self.access.derived('cookie')}; Path=/; HttpOnly; SameSite=Strict"
            await _answer(send, 200, page, b"text/html; charset=utf-8", [(b"set-cookie", value.encode())])
            return
        await self.app(scope, receive, send)

    def _admit(self, scope: Scope) -> bool:
        """True if this is somebody who enters with the token in the address; raises `Refusal` for everybody else."""
        headers = _headers(scope)
        if headers.get("host", "").lower() not in self.access.hosts:
            raise Refusal(403, "host: expected one of the server's own names; open the address that it printed")
        reading = scope["method"] in READING
        if reading and not scope["path"].startswith("/api") and self._in_address(scope):
            return True
        bearer, cookie = self._bearer(headers), self._cookie(headers)
        if not bearer and not cookie:
            raise Refusal(401, "token: expected the server's token, got none or another; open the address it printed")
        if not bearer and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Refusal(403, "origin: expected a request from this page, got one from another")
        if not reading:
            self._admit_write(headers, bearer=bearer)
        return False

    def _admit_write(self, headers: dict[str, str], *, bearer: bool) -> None:
        origin = headers.get("origin")
        own = origin is not None and origin.lower() in {f"http://{host}" for host in self.access.hosts}
        if not own and not (bearer and origin is None):
            raise Refusal(403, "origin: expected a request from this page, got one from another")
        if not bearer and not _same(headers.get(CSRF, ""), self.access.derived("csrf")):
            raise Refusal(403, f"{CSRF}: expected the value that the page carries, got none or another")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415, "content-type: expected application/json; send JSON")
        if not self.access.writable:
            raise Refusal(403, "expected only reading: this server was started without --allow-edit")

    def _in_address(self, scope: Scope) -> bool:
        given = [part[6:] for part in scope["query_string"].decode("latin-1").split("&") if part.startswith("token=")]
        return len(given) == 1 and _same(unquote_plus(given[0]), self.access.token)

    def _bearer(self, headers: dict[str, str]) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and _same(token.strip(), self.access.token)

    def _cookie(self, headers: dict[str, str]) -> bool:
        """One cookie of ours with the right value; what else is there is not even read."""
        ours = self.access.cookie + "="
        given = [part.strip() for part in headers.get("cookie", "").split(";")]
        found = [part.removeprefix(ours) for part in given if part.startswith(ours)]
        return len(found) == 1 and _same(found[0], self.access.derived("cookie"))


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), expected.encode())


def _headers(scope: Scope) -> dict[str, str]:
    """By lower-case name; a header that comes twice counts as none of its values."""
    found: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").lower()
        found[name] = "" if name in found else value.decode("latin-1")
    return found


def _with_headers(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            names = {name.lower() for name, _ in message["headers"]}
            keep = [] if b"cache-control" in names else [(b"cache-control", b"no-store")]
            message = {**message, "headers": [*message["headers"], *HEADERS, *keep]}
        await send(message)

    return guarded


async def _answer(send: Send, status: int, body: bytes, kind: bytes, more: Iterable[Any] = ()) -> None:
    length = (b"content-length", str(len(body)).encode())
    ask = [(b"www-authenticate", b"Bearer")] if status == 401 else []
    headers = [(b"content-type", kind), length, *ask, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
