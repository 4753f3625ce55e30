"""Start the server: an address that is safe, a token always, and the address to open."""

from __future__ import annotations

import gc
import secrets
import socket
import sys
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn

from knowgrad.errors import ArgumentError
from knowgrad.text import shown
from knowgrad.web import logs
from knowgrad.web.app import create_app
from knowgrad.web.crowd import Crowd, room
from knowgrad.web.door import Door
from knowgrad.web.guard import Access, allowed_hosts, is_loopback

SWITCH = 0.0005  # seconds a thread goes on while another waits: a tell is passed on a dozen times, and each one counts
AT_ONCE, OUTSIDE = 16, 2_048  # connections that are let in before others are read, and that wait until then
SHORTEST = 16  # characters of a token that somebody chose


class _Server(uvicorn.Server):
    """Lets few connections in before it looks at those that are there, while many may wait outside.

    To asyncio the two are one number. The first must be far below `crowd.SILENT`, so that nobody who has sent a request
    is taken for silent before it is read.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(OUTSIDE)


def _check_token(token: str | None, host: str) -> None:
    if token is None and not is_loopback(host):
        raise ArgumentError(
            f"host: expected a loopback address such as 127.0.0.1, or a token of your own, got {shown(host)} and "
            "no token; pass --token with a long random text, and mind that the connection is not encrypted"
        )
    if token is not None and len(token) < SHORTEST:
        raise ArgumentError(f"token: expected at least {SHORTEST} characters, got {len(token)}; take a longer one")


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, reuse_port=False)
    except OSError as error:
        raise ArgumentError(f"host, port: expected an address to listen on, got {error}; pass another") from error


class Service:
    """A server on a socket that is already open, so that its address is known before it runs."""

    def __init__(
        self,
        storage: str,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
        allow_edit: bool = False,
        names: Sequence[str] = (),
    ) -> None:
        """
        Args:
            storage: a file or the address of a database.
            host: the address to listen on.
            port: 0 takes a free one.
            token: what clients must know; drawn if None, which only a loopback address allows.
            allow_edit: take writes too.
            names: further host names by which clients address the server.
        """
        _check_token(token, host)
        self.socket = _listening(host, port)
        self.port: int = self.socket.getsockname()[1]
        self.token = token or secrets.token_urlsafe(32)
        shown_host = f"[{host}]" if ":" in host else host
        self.address = f"http://{shown_host}:{self.port}"
        access = Access(self.token, allowed_hosts(host, self.port, names), allow_edit)
        crowd = Crowd(*room())
        config = uvicorn.Config(
            create_app(storage, access),
            http=type("Entrance", (Door,), {"crowd": crowd}),
            log_config=logs.CONFIG,
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=3,
            ws="none",
            backlog=AT_ONCE,
        )
        self.storage = storage
        self.server = _Server(config)

    @property
    def entrance(self) -> str:
        """The address to open in a browser: it carries the token."""
        return f"{self.address}/?token={self.token}"

    def run(self, *, open_browser: bool = False) -> None:
        """Serve until interrupted."""
        if open_browser:
            webbrowser.open(self.entrance)
        try:
            with _responsive():
                self.server.run(sockets=[self.socket])
        finally:
            self.socket.close()


@contextmanager
def _responsive() -> Iterator[None]:
    """Threads give way to each other sooner, and what is loaded already is not searched for garbage again and again."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        sys.setswitchinterval(before)
