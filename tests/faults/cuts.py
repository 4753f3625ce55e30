"""A network that is cut: no packet says so, to neither side."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.faults.outages import wait_for_all
from tests.faults.people import opened, settle, start, writer
from tests.faults.scenario import CannotRun, Place, scenario

HERE, THERE = "10.203.71.1", "10.203.71.2"
SECONDS = (5.0, 15.0, 40.0)  # shorter and longer than the server's patience with a client, and a client's with it


@scenario("12b", "the network between a writer and the PostgreSQL server is cut", quick=0, full=6, on=("postgres",))
def cuts(place: Place, n: int) -> str:
    """One writer beside the server, one behind the cable that is cut."""
    opened(place.url, seed=0)
    near, far = (place.folder / f"receipts {who}" for who in ("near", "far"))
    longest, slowest = 0.0, 0.0
    with _host() as host, _relay(place.server.port) as port, ExitStack() as ended:
        beside = start(writer, place.url, near)
        ended.callback(beside.kill)
        code = "import sys; from pathlib import Path; from tests.faults.people import writer; "
        code += "writer(sys.argv[1], Path(sys.argv[2]))"
        command = ["ip", "netns", "exec", host, sys.executable, "-c", code, _url(place, port), str(far)]
        behind = ended.enter_context(subprocess.Popen(command))
        ended.callback(behind.kill)
        wait_for_all([near, far], 0.0)
        for i in range(n):
            _ip("link", "set", host, "down")
            longest = max(longest, _longest_gap(near, SECONDS[i % len(SECONDS)]))
            _ip("link", "set", host, "up")
            slowest = max(slowest, wait_for_all([near, far], time.time()))
            assert behind.poll() is None
    promised, lost, doubled = settle(place.url, [near, far])
    assert (lost, doubled) == (0, 0)
    assert longest < 15
    assert slowest < 20
    waits = f"the other waited for at most {longest:.1f} s; the one cut off was back {slowest:.1f} s after the network"
    return f"{n} cuts of 5, 15, 40 s, {promised} acknowledged, {lost} lost, {doubled} doubled; {waits}"


def _url(place: Place, port: int) -> str:
    return place.url.replace(f"127.0.0.1:{place.server.port}", f"{HERE}:{port}")


def _longest_gap(receipts: Path, seconds: float) -> float:
    """The longest time in which nothing was acknowledged, of so many seconds."""
    longest, size, since, end = 0.0, 0, time.monotonic(), time.monotonic() + seconds
    while time.monotonic() < end:
        if receipts.stat().st_size != size:
            size, since = receipts.stat().st_size, time.monotonic()
        longest = max(longest, time.monotonic() - since)
        time.sleep(0.02)
    return longest


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRun(f"no network of our own can be made here ({done.stderr.strip()})")


@contextmanager
def _host() -> Iterator[str]:
    """A machine of our own beside this one, by its name, which is also that of the cable's end on this side."""
    if shutil.which("ip") is None:
        raise CannotRun("the program ip is not installed")
    name = f"kg{os.getpid()}"
    _ip("netns", "add", name)
    try:
        _ip("link", "add", name, "type", "veth", "peer", "name", "cable", "netns", name)
        _ip("addr", "add", f"{HERE}/30", "dev", name)
        _ip("link", "set", name, "up")
        _ip("-n", name, "addr", "add", f"{THERE}/30", "dev", "cable")
        _ip("-n", name, "link", "set", "cable", "up")
        yield name
    finally:
        _ip("netns", "del", name)


@contextmanager
def _relay(port: int) -> Iterator[int]:
    """The port under which the server, which listens to this machine alone, is reached from the other."""
    with socket.create_server((HERE, 0)) as door:
        threading.Thread(target=_welcome, args=(door, port), daemon=True).start()
        yield door.getsockname()[1]


def _welcome(door: socket.socket, port: int) -> None:
    with suppress(OSError):  # closed
        while True:
            client, server = door.accept()[0], socket.create_connection(("127.0.0.1", port))
            for pair in ((client, server), (server, client)):
                threading.Thread(target=_pass_on, args=pair, daemon=True).start()


def _pass_on(source: Any, target: Any) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
