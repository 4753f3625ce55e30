"""What hostile clients send costs the server little, and honest ones get through; scenario 25 attacks in earnest."""

import json
import socket
import time
from http.client import HTTPResponse

import pytest

import knowgrad as kg
from knowgrad.text import plain
from knowgrad.web import requests
from knowgrad.web.body import LARGEST, NESTED, parsed
from knowgrad.web.crowd import Crowd
from knowgrad.web.door import HEAD, LINES, Door
from knowgrad.web.guard import Access, Guard, allowed_hosts
from knowgrad.web.refusal import Refusal
from tests.web.serving import authorized, client, raw, serving

LINEAR = 1.0  # CPU seconds: what is linear takes milliseconds, what is quadratic a minute and more


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "studies.db"
    kg.Study({"x": (0.0, 1.0)}, storage=path, name="s", seed=0).ask(2)
    with serving(path) as service:
        yield service


def cpu_seconds(action, *arguments):
    begun = time.process_time()
    action(*arguments)
    return time.process_time() - begun


@pytest.mark.parametrize("cookie", ['a="' + "\\" * 200_000 + '"', "a=" * 100_000, ";" * 200_000, '"' * 200_000])
def test_a_long_cookie_is_read_in_linear_time(cookie):
    guard = Guard(None, Access("t" * 16, allowed_hosts("127.0.0.1", 1), True))
    scope = {"headers": [(b"host", b"127.0.0.1:1"), (b"cookie", cookie.encode())], "method": "GET", "path": "/"}

    def refused():
        with pytest.raises(Refusal) as caught:
            guard._admit({**scope, "query_string": b""})
        assert caught.value.status == 401

    assert cpu_seconds(refused) < LINEAR


def test_our_cookie_counts_once_and_among_others():
    access = Access("t" * 16, allowed_hosts("127.0.0.1", 1), True)
    guard, ours = Guard(None, access), f"{access.cookie}={access.derived('cookie')}"
    assert guard._cookie({"cookie": ours})
    assert guard._cookie({"cookie": f'other="a;b\\"; {ours}; more=1'})
    for wrong in ("", ours[:-1], f"{ours}; {ours}", f"x{ours}", f'other="{ours}"', f"{access.cookie}=wrong; {ours}"):
        assert not guard._cookie({"cookie": wrong})


@pytest.mark.parametrize(
    "body",
    [
        b'\\"' * (LARGEST // 2),
        b'{"name": "' + b'\\"' * (LARGEST // 2 - 20),
        b'{"name": "n", "space": {"a": "' + b'\\"' * (LARGEST // 2 - 20) + b'"}, "other": 1}',
        b'{"name": "n", "space": {"a": ' + b"1" * LARGEST + b"}}",
        b'{"name": "n", "space": {"a": 1.' + b"1" * LARGEST + b"}, }",
        b'{"name": "n", "space": {"a": [' + b"[]," * (LARGEST // 3) + b"0]}}",
        b'{"name": "n", "space": ' + b'{"a":' * (LARGEST // 5),
        b"[" * LARGEST,
        b'"' * LARGEST,
        b"\xff" * LARGEST,
    ],
)
def test_a_long_body_is_read_in_linear_time(body):
    def read():
        with pytest.raises(Refusal, match="body: "):
            parsed(requests.Create, body)

    assert cpu_seconds(read) < LINEAR


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"name": "a", "name": "b", "space": {}}', "'name' twice"),
        (b'{"name": "a", "space": {"x": {"low": 0, "low": 1}}}', "'low' twice"),
        (b'{"name": "a", "space": {"x": NaN}}', "expected JSON"),
        (b'{"name": "a", "space": {"x": -Infinity}}', "expected JSON"),
        (b'{"name": "a", "space": {"x": 1e999}}', "out of range"),
        (b'{"name": "\\ud800", "space": {}}', "surrogate"),
        (b'{"name": "a", "space": {"\\udfff": 1}}', "surrogate"),
        (b'{"name": "\xed\xa0\x80", "space": {}}', "UTF-8"),
        (b'{"name": "a", "space": {"a": [' + b"{}," * NESTED + b"0]}}", "at most 10000 lists and objects"),
    ],
)
def test_what_readers_of_json_differ_about_is_refused(body, why):
    with pytest.raises(Refusal, match=why) as caught:
        parsed(requests.Create, body)
    assert caught.value.status == 422


def exchanged(service, data, patience=20.0):
    """What the server says to these bytes until it ends the connection."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=patience) as wire:
        wire.sendall(data)
        found = b""
        while part := wire.recv(1 << 16):
            found += part
    return found


def test_heads_are_limited_in_size_and_lines(service):
    host = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nConnection: close\r\n".encode()
    assert b" 431 " in exchanged(service, host + b"X: " + b"a" * HEAD)
    assert b" 431 " in exchanged(service, host + b"a: b\r\n" * (LINES + 5))
    assert b" 401 " in exchanged(service, host + b"a: b\r\n" * (LINES // 2) + b"\r\n")


def test_chunks_are_refused_before_they_are_read(service):
    host = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    assert b" 411 " in exchanged(service, host)


def test_requests_in_a_row_on_one_connection_are_answered(service):
    """A kept connection may send one after the other, also a body that comes in pieces."""
    head = f"Host: 127.0.0.1:{service.port}\r\nAuthorization: Bearer {service.token}\r\n".encode()
    body = json.dumps({"value": "x" * 30_000}).encode()
    post = b"POST /api/studies/s/trials/0/complete HTTP/1.1\r\nContent-Type: application/json\r\n"
    post += head + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
    last = b"GET /api/studies HTTP/1.1\r\nConnection: close\r\n" + head + b"\r\n"
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as wire:
        for pieces, status in (((post[:10], post[10:200], post[200:]), 422), ((last,), 200)):
            for piece in pieces:
                wire.sendall(piece)
            answer = HTTPResponse(wire)
            answer.begin()
            assert (answer.status, bool(answer.read())) == (status, True)


def test_a_head_that_does_not_come_ends_the_connection(service, monkeypatch):
    monkeypatch.setattr(Door, "patience", 0.2)
    for begun in (b"", b"GET / HTTP/1.1\r\nX-Slow: "):
        with socket.create_connection(("127.0.0.1", service.port), timeout=20) as wire:
            wire.sendall(begun)
            try:
                assert wire.recv(1) == b""
            except ConnectionResetError:
                continue


def test_silent_connections_keep_nobody_out(service):
    """As many as there may be, and more: an honest client is answered, the oldest silent one is not there any more."""
    crowd = service.server.config.http_protocol_class.crowd
    wires = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(crowd.silent_limit + 100)]
    try:
        assert raw(service, "GET", "/api/studies", headers=authorized(service))[0] == 200
        assert crowd.silent <= crowd.silent_limit
    finally:
        for wire in wires:
            wire.close()


class Guest:
    def __init__(self, crowd, address, idle=True):
        self.crowd, self.address, self.idle, self.here = crowd, address, idle, True

    def drop(self):
        self.here = False
        self.crowd.left(self)


def test_of_the_silent_the_oldest_of_the_largest_crowd_goes():
    crowd = Crowd(silent=4)
    alone, *many = [Guest(crowd, address) for address in ("honest", "evil", "evil", "evil", "evil", "evil")]
    for guest in (alone, *many):
        crowd.arrived(guest)
    assert alone.here
    assert [guest.here for guest in many] == [False, False, True, True, True]
    assert crowd.silent == 4


def test_the_known_make_room_only_when_idle():
    crowd = Crowd(known=2)
    busy, idle, third, fourth = (Guest(crowd, "here", idle=idle) for idle in (False, True, False, False))
    for guest in (busy, idle, third):
        crowd.admitted(guest)
    assert (busy.here, idle.here, third.here) == (True, False, True)
    with pytest.raises(Refusal, match="at most 2 requests at once"):
        crowd.admitted(fourth)


def test_text_from_outside_is_harmless_in_answers_and_logs(service):
    study = client(service).study("s")
    reason = "\x1b[31mred\x07 \u202e back \x00 \r\n<script>"
    told = study.fail(1, reason)
    assert told["reason"] == kg.Study.load(service.storage, "s").trials[1].reason
    body = b'{"reason": "half \\ud83d of it"}'
    status, _, answer = raw(service, "POST", "/api/studies/s/trials/0/fail", body, authorized(service))
    assert status == 422
    assert "surrogate" in json.loads(answer)["error"]["message"]
    assert plain("a\x1b[31m\r\x00\ud800\u202e\nb\tc") == "a\\x1b[31m\\r\\x00\\ud800\\u202e\nb\tc"
