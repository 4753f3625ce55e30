"""What an honest client of the HTTP service notices while others attack it.

    python -m benchmarks.hostile [--seconds 8] [--against DIR] [--only "slow headers" …]

The service is a process of its own on the loopback address. During each attack (`attacks.py`) an honest client, in
another process, tells a result every 20 ms, and asks what to use of a tiny study every half second. `--against` runs
the same attacks against the source in another checkout, in the same run. Also: what a client's token is shown to when a
server answers with a redirect.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from multiprocessing import get_context
from pathlib import Path

from benchmarks.processes import ROOT
from benchmarks.service.attacks import ATTACKS, Attack, Target
from benchmarks.service.storage import quantile

TOKEN = "a token for measurements only"
EVERY = 0.02  # seconds between two tells
ASKING = 0.5  # seconds between two questions
PATIENCE = 30.0  # seconds until an honest client gives up
TRIALS, RESULTS = 8_000, 1_500
LARGE = ("large 1", "large 2")
ALLOWED = 0.2  # seconds that 99 of 100 tells take at most


@dataclass(frozen=True)
class Seen:
    """By an honest client: seconds that tells and questions took, and what went wrong."""

    tells: list[float]
    asks: list[float]
    errors: list[str]

    @property
    def p99(self) -> float:
        return quantile(self.tells, 0.99)

    def row(self, name: str, count: int) -> str:
        p50, p99, worst = (f"{1e3 * quantile(self.tells, q):.0f}" for q in (0.5, 0.99, 1.0))
        cells = (name, count or "", len(self.tells), p50, p99, worst, f"{max(self.asks):.1f}", len(self.errors))
        return f"| {' | '.join(map(str, cells))} |"


def prepare(url: str) -> None:
    """A study with points to tell, a tiny one to ask about, and two large ones."""
    import numpy as np

    import knowgrad as kg
    from knowgrad.storage import open_storage
    from knowgrad.trial import Event

    rng = np.random.default_rng(0)
    for name, n, told in (("honest", TRIALS, 0), ("tiny", 8, 8), *((name, RESULTS, RESULTS) for name in LARGE)):
        kg.Study({f"x{i}": (0.0, 1.0) for i in range(4)}, storage=url, name=name, seed=0, noise=0.1)
        events = []
        for i in range(n):
            params = {f"x{k}": float(u) for k, u in enumerate(rng.random(4))}
            events.append(Event("asked", {"number": i, "params": params, "source": "start", "batch": i}))
            if i < told:
                value = float(np.sum(np.square(list(params.values()))) + rng.normal(0, 0.1))
                events.append(Event("told", {"number": i, "value": value, "sem": None}))
        open_storage(url, name).append(events)


def honest(address: str, seconds: float, first: int) -> Seen:
    """Tell results and ask questions for so long."""
    from knowgrad.web.client import Client, StudyClient

    client = Client(address, TOKEN, timeout=PATIENCE)
    told, tiny = StudyClient(client, "honest"), StudyClient(client, "tiny")
    tells: list[float] = []
    asks: list[float] = []
    errors: list[str] = []
    end = time.monotonic() + seconds

    def timed(into: list[float], action: object, *arguments: object) -> None:
        begun = time.monotonic()
        try:
            action(*arguments)  # type: ignore[operator]
        except Exception as error:  # whatever it is, the client did not get what it asked for
            errors.append(repr(error))
        into.append(time.monotonic() - begun)

    def ask() -> None:
        while time.monotonic() < end or not asks:
            timed(asks, tiny.recommend)
            time.sleep(ASKING)

    asker = threading.Thread(target=ask)
    asker.start()
    for number in range(first, TRIALS):
        if time.monotonic() >= end and tells:
            break
        timed(tells, told.complete, number, float(number))
        time.sleep(EVERY)
    asker.join()
    return Seen(tells, asks, errors)


class Bench:
    """A service on the source of a checkout, and an honest client in a process of its own."""

    def __init__(self, url: str, source: Path, clients: ProcessPoolExecutor) -> None:
        self._clients = clients
        self._env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (source / "src", ROOT)))}
        self._run(f"from benchmarks.service.hostile import prepare; prepare({url!r})")
        options = ("dashboard", url, "--port", "0", "--no-open", "--allow-edit", "--token", TOKEN)
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from knowgrad.cli import main; main()", *options],
            env=self._env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().partition("Dashboard: ")[2].partition("/?")[0]
        self._told = 0

    def _run(self, code: str) -> None:
        subprocess.run([sys.executable, "-c", code], env=self._env, check=True, timeout=120)

    def during(self, attack: Attack, n: int, seconds: float) -> Seen:
        """What the honest client sees while this goes on."""
        over = threading.Event()
        target = Target(
            int(self.address.rpartition(":")[2]), TOKEN, tuple(each.replace(" ", "%20") for each in LARGE), over
        )
        attacker = threading.Thread(target=attack, args=(target, n), daemon=True)
        attacker.start()
        time.sleep(min(1.0, seconds / 2))
        seen: Future[Seen] = self._clients.submit(honest, self.address, seconds, self._told)
        try:
            found = seen.result(timeout=30 * seconds + 4 * PATIENCE)
        finally:
            over.set()
            attacker.join(60)
        self._told += len(found.tells)
        return found

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def bench(url: str, source: Path = ROOT) -> Iterator[Bench]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as clients:
        made = Bench(url, source, clients)
        try:
            made.during(lambda target, n: None, 0, 0.1)  # everything is loaded once
            yield made
        finally:
            made.close()


class _Elsewhere(BaseHTTPRequestHandler):
    """Sends everybody to `to`; if that is None, notes the tokens that it is shown."""

    to: str | None
    shown: list[str]

    def do_GET(self) -> None:
        if self.to is None:
            self.shown.append(self.headers.get("Authorization", ""))
        self.send_response(200 if self.to is None else 302)
        self.send_header("Location", self.to or "")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def redirecting(to: str | None, shown: list[str] | None = None) -> Iterator[str]:
    """The address of a server that redirects, or notes tokens."""
    server = HTTPServer(("127.0.0.1", 0), type("Handler", (_Elsewhere,), {"to": to, "shown": shown}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def shown_elsewhere(n: int) -> list[str]:
    """What a server that has no business with it was shown as a token, when `n` requests were redirected to it."""
    from knowgrad.errors import ServiceError
    from knowgrad.web.client import Client

    shown: list[str] = []
    with redirecting(None, shown) as there, redirecting(there.replace("127.0.0.1", "localhost")) as here:
        for _ in range(n):
            try:
                Client(here, TOKEN).studies()
            except (ServiceError, KeyError):  # a client that follows gets an empty answer
                continue
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each attack")
    parser.add_argument("--against", type=Path, help="another checkout, attacked in the same way")
    parser.add_argument("--only", nargs="*", default=[], help="names of attacks")
    options = parser.parse_args()
    sources = [("", ROOT), *([("before: ", options.against.resolve())] if options.against else [])]
    print("| attack | how many | tells | p50 ms | p99 ms | worst ms | slowest question s | errors |")
    print("|---|---|---|---|---|---|---|---|")
    for name, n, attack in ATTACKS:
        for prefix, source in sources if not options.only or name in options.only else ():
            with tempfile.TemporaryDirectory() as folder, bench(f"sqlite:///{folder}/studies.db", source) as made:
                print(made.during(attack, n, options.seconds).row(prefix + name, n), flush=True)
    print(f"redirects: {len(shown_elsewhere(10))} of 10 showed the token to another server")
