"""What hostile clients do to the HTTP service, for `benchmarks.hostile`: each does one thing until told to stop.

Everything goes to one server on the loopback address, from a bounded number of sockets, at a bounded pace.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

PAUSE = 0.05  # seconds between two requests of one attacker
MIB = 1 << 20


@dataclass(frozen=True)
class Target:
    """The server, as attackers know it. `large`: studies whose questions take seconds."""

    port: int
    token: str
    large: tuple[str, ...]
    over: threading.Event

    def head(self, method: str = "GET", path: str = "/", *more: str, token: bool = False) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *more]
        lines += [f"Authorization: Bearer {self.token}", "Content-Type: application/json"] if token else []
        return "\r\n".join([*lines, "", ""]).encode()

    def post(self, path: str, body: bytes) -> bytes:
        return self.head("POST", path, f"Content-Length: {len(body)}", token=True) + body

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)


Attack = Callable[[Target, int], None]


def send(target: Target, raw: bytes, patience: float = 30.0) -> None:
    """One request, its answer read or not waited for any longer."""
    with suppress(OSError), target.connect() as wire:
        wire.settimeout(patience)
        wire.sendall(raw)
        wire.recv(1 << 16)


@contextmanager
def crowd(n: int, work: Callable[[], None]) -> Iterator[None]:
    """`n` threads that do this."""
    threads = [threading.Thread(target=work, daemon=True) for _ in range(n)]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(60)


def repeated(request: Callable[[Target], bytes], patience: float = 30.0) -> Attack:
    """Each attacker sends it again and again."""

    def attack(target: Target, n: int) -> None:
        raw = request(target)

        def work() -> None:
            while not target.over.wait(PAUSE):
                send(target, raw, patience)

        with crowd(n, work):
            target.over.wait()

    return attack


def silent(target: Target, n: int) -> None:
    """Connections that say nothing; those that the server ends are made anew."""
    held(target, n, b"")


def slow_heads(target: Target, n: int) -> None:
    """Connections that send a header, a byte now and then, and never come to the end of it."""
    held(target, n, b"a")


def held(target: Target, n: int, drop: bytes) -> None:
    wires: list[socket.socket] = []
    while not target.over.wait(PAUSE):
        alive = []
        for wire in wires:
            try:
                wire.sendall(drop)
                wire.recv(1)
            except BlockingIOError:
                alive.append(wire)
                continue
            except OSError:
                pass
            wire.close()
        wires = alive
        for _ in range(min(n - len(wires), 100)):
            with suppress(OSError):
                wires.append(target.connect())
                wires[-1].sendall(b"GET / HTTP/1.1\r\nX-Slow: " if drop else b"")
                wires[-1].setblocking(False)
    for wire in wires:
        wire.close()


def heavy(target: Target, n: int) -> None:
    """Questions about large studies, from clients that hang up at once and ask again."""
    kinds = ("diagnostics", "recommend", "gain?q=4", "charts/slices", "charts/gain?q=4&checkpoints=6")
    asked = iter(range(1 << 30))

    def work() -> None:
        while not target.over.wait(PAUSE):
            i = next(asked)
            path = f"/api/studies/{target.large[i % len(target.large)]}/{kinds[i % len(kinds)]}"
            send(target, target.head("GET", path, token=True), patience=0.3)

    with crowd(n, work):
        target.over.wait()


def cookies(target: Target) -> bytes:
    return target.head("GET", "/", 'Cookie: a="' + "\\" * 60_000 + '"')


def many_lines(target: Target) -> bytes:
    return target.head("GET", "/", *["a:b"] * 30_000)


def long_query(target: Target) -> bytes:
    return target.head("GET", "/api/studies/honest/trials?" + "&".join(["limit=1"] * 1_500), token=True)


def long_path(target: Target) -> bytes:
    return target.head("GET", "/" + "%2F" * 4_000 + "?token=x", token=True)


def tiny_chunks(target: Target) -> bytes:
    return target.head("POST", "/api/studies", "Transfer-Encoding: chunked") + b"1\r\n \r\n" * 100_000


def escaped_quotes(target: Target) -> bytes:
    return target.post("/api/studies", b'{"name": ' + b'\\"' * 15_000 + b"}")


def wide_body(target: Target) -> bytes:
    return target.post("/api/studies", b'{"name": "w", "space": {"parameters": [' + b"[]," * (MIB // 3 - 30) + b"0]}}")


def many_names(target: Target) -> bytes:
    names = {f"x{i}": 0 for i in range(70_000)}
    return target.post("/api/studies", json.dumps({"name": "n", "space": {"parameters": names}}).encode())


def deep_body(target: Target) -> bytes:
    return target.post("/api/studies", b'{"name": "d", "space": {"parameters": ' + b"[" * (MIB - 100))


def long_constraint(target: Target) -> bytes:
    space = {
        "parameters": {"x": {"type": "float", "low": 0, "high": 1}},
        "constraints": ["x+" * (MIB // 2 - 100) + "x<=1"],
    }
    return target.post("/api/studies", json.dumps({"name": "c", "space": space}).encode())


def pages(target: Target) -> bytes:
    path = f"/api/studies/{target.large[0]}/trials?limit=500"
    return target.head("GET", path, "Accept-Encoding: gzip", "Connection: close", token=True)


# How it is called, how many attackers, what they do.
ATTACKS: tuple[tuple[str, int, Attack], ...] = (
    ("none", 0, lambda target, n: None),
    ("silent connections", 600, silent),
    ("slow headers", 600, slow_heads),
    ("cookies of backslashes", 4, repeated(cookies)),
    ("heads of 30,000 lines", 4, repeated(many_lines)),
    ("bodies in chunks of one byte", 4, repeated(tiny_chunks)),
    ("refused without a token", 16, repeated(lambda target: target.head("GET", "/api/studies"))),
    ("long queries", 4, repeated(long_query)),
    ("long paths", 4, repeated(long_path)),
    ("bodies of escaped quotes", 4, repeated(escaped_quotes)),
    ("bodies of 350,000 lists", 2, repeated(wide_body)),
    ("bodies of 70,000 names", 2, repeated(many_names)),
    ("bodies a million deep", 4, repeated(deep_body)),
    ("constraints of 1 MB", 2, repeated(long_constraint)),
    ("pages of 500 trials", 8, repeated(pages)),
    ("heavy questions, clients hang up", 16, heavy),
)
