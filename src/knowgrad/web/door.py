"""A connection: uvicorn's HTTP/1.1 on h11, with limits to how long, how large and of how many lines a head may be.

Whatever a stranger sends costs little. A head is read in pieces of bounded size, and counted before it is parsed. A
body must have a length, because each chunk of a chunked one, however small, would be an event of its own.
"""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from typing import Any

import h11
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from knowgrad.web.crowd import ADMITTED, Crowd
from knowgrad.web.refusal import Refusal

HEAD = 1 << 14  # bytes of the request line and headers
LINES = 100  # of the head
PATIENCE = 5.0  # seconds for the whole head to arrive
END = b"\r\n\r\n"


class _Reader(h11.Connection):
    """Takes no chunks; remembers why it took something not."""

    refusal: Refusal | None = None

    def next_event(self) -> Any:
        try:
            event = super().next_event()
        except h11.RemoteProtocolError as error:
            said = f"request: expected HTTP/1.1, got something else ({error}); send that"
            self.refusal = Refusal(error.error_status_hint, said)
            raise
        if isinstance(event, h11.Request) and any(name == b"transfer-encoding" for name, _ in event.headers):
            self.refusal = Refusal(411, "body: expected a Content-Length, got chunks; send the length first")
            raise h11.RemoteProtocolError("chunks")
        return event


class Door(H11Protocol):
    """One connection to the server; `crowd` knows the others."""

    crowd: Crowd
    patience: float = PATIENCE

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = _Reader(h11.SERVER, HEAD)
        self._inside, self.app = self.app, self._announced
        self._clock: asyncio.TimerHandle | None = None
        self._size, self._lines, self._tail = 0, 0, b""

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def drop(self) -> None:
        self.crowd.left(self)
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_clock()
        self.crowd.arrived(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        self.crowd.left(self)
        super().connection_lost(exc)
        self.app = self._inside  # no cycle is left behind: a flood of them would be a long search for garbage

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE:
            data = self._head_received(data)
        if data and not self.transport.is_closing():
            super().data_received(data)
        if self.conn.their_state is h11.DONE and len(self.conn.trailing_data[0]) > HEAD:
            self.drop()  # a pile of requests, none of which waited for the answer to the first

    def _head_received(self, data: bytes) -> bytes:
        """Give h11 as much as a head may have; what is left comes after the head, if anything."""
        self._start_clock()
        piece, rest = data[: HEAD + 1 - self._size], data[HEAD + 1 - self._size :]
        lines = (self._tail + piece).partition(END)[0]
        self._size, self._lines, self._tail = self._size + len(piece), self._lines + lines.count(b"\n"), piece[-3:]
        if self._lines > LINES + 3:  # the last bytes are counted twice
            self._refuse(Refusal(431, f"headers: expected at most {LINES} lines, got more; send fewer"))
            return b""
        super().data_received(piece)
        if self.conn.their_state is h11.IDLE:
            return b""
        self._size, self._lines, self._tail = 0, 0, b""
        self._stop_clock()
        self.crowd.spoke(self)
        return rest

    def send_400_response(self, msg: str) -> None:
        """What uvicorn calls when h11 would not take something."""
        assert isinstance(self.conn, _Reader)
        self._refuse(self.conn.refusal or Refusal(400, msg))

    def _refuse(self, refusal: Refusal) -> None:
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.drop()  # in the middle of another answer
            return
        body = json.dumps(refusal.json()).encode()
        lines = [f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}", "content-type: application/json"]
        lines += [f"content-length: {len(body)}", "connection: close", "", ""]
        self.transport.write("\r\n".join(lines).encode() + body)
        self.transport.close()

    async def _announced(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application, told how to say that whoever is there may stay."""
        await self._inside({**scope, ADMITTED: self._admitted}, receive, send)

    def _admitted(self) -> None:
        self.crowd.admitted(self)

    def _start_clock(self) -> None:
        if self._clock is None:
            self._clock = self.loop.call_later(self.patience, self.drop)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
