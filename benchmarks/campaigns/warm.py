"""Runs one after the other, each in a process forked from one that has loaded what all of them need.

A run is a process of its own, so that no library carries anything over to the next; loading Python and SciPy would
be a third of what a run of ours takes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

from benchmarks.processes import ROOT, commit

LOADED = ("scipy.optimize", "scipy.stats", "knowgrad.study", "knowgrad.advisor.snapshot")


class Warm:
    """The processes that runs are forked from: one for each thread that carries runs out, and each interpreter."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._mine = threading.local()

    def run(self, python: str, arguments: list[str], log: Path) -> Iterator[str]:
        """What a run prints, line by line, at last its exit code; what it says of errors goes to the log."""
        servers: dict[str, subprocess.Popen[str]] = self._mine.__dict__.setdefault("servers", {})
        if python not in servers or servers[python].poll() is not None:
            servers[python] = self._server(python)
        asked, said = servers[python].stdin, servers[python].stdout
        assert asked is not None  # both are pipes
        assert said is not None
        asked.write(json.dumps({"arguments": arguments, "log": str(log)}) + "\n")
        asked.flush()
        for line in said:
            if line.startswith('{"ended"'):
                yield str(json.loads(line)["ended"])
                return
            yield line
        yield "1"  # the server is gone

    def close(self) -> None:
        """Of this thread."""
        for server in self._mine.__dict__.pop("servers", {}).values():
            server.stdin.close()
            server.wait()
            server.stdout.close()

    def _server(self, python: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [python, "-W", "ignore", "-m", "benchmarks.campaigns.run", "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **self._environment},
        )


def serve(call: Callable[[list[str]], None]) -> None:
    """What is asked for on standard input, a line each. Whoever prints to a campaign that is gone ends."""
    for name in LOADED:
        import_module(name)
    commit()
    for line in sys.stdin:
        wanted = json.loads(line)
        child = os.fork()
        if not child:
            _work(call, wanted["arguments"], wanted["log"])
        _, status = os.waitpid(child, 0)
        print(json.dumps({"ended": os.waitstatus_to_exitcode(status)}), flush=True)


def _work(call: Callable[[list[str]], None], arguments: list[str], log: str) -> None:
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(descriptor, 2)
    code = 1
    try:
        call(arguments)
        code = 0
    except BaseException:  # whatever it is, it ends this process, and the log has it
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
