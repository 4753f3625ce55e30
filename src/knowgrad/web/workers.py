"""Processes that fit models, so that whoever tells a result never waits for arithmetic, and so that it can be ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from knowgrad.web.refusal import Refusal
from knowgrad.web.worker import LENGTH


class Died(Refusal):
    """The process is no more."""

    def __init__(self) -> None:
        super().__init__(503, "the process that computed this was ended, for lack of memory perhaps; ask again later")


class Worker:
    """One process, started at its first question. It is asked from a thread; `kill` may be called from any."""

    def __init__(self, storage: str) -> None:
        self.storage = storage
        self.study: str | None = None
        """Whose question it answered last: it still has the model."""
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = False

    def answer(self, question: dict[str, Any]) -> tuple[int, bytes]:
        """Status and JSON; raises `Died` if the process ends before it has answered."""
        try:
            if self._process is None:
                self._process = _started()
                _send(self._process, self.storage)  # not as an argument, which everybody on the machine could read
            if self._killed:
                self._process.kill()
            _send(self._process, question)
            status, length = LENGTH.unpack(_received(self._process, LENGTH.size))
            return status, _received(self._process, length)
        except OSError as error:
            raise Died from error

    def kill(self) -> None:
        self._killed = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End it and wait until it has ended; nobody may be waiting for an answer."""
        self.kill()
        if self._process is not None:
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe is not None
                with suppress(OSError):  # what was not yet written is of no use to anybody
                    pipe.close()


def _started() -> subprocess.Popen[bytes]:
    source = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
    # -P: what lies in the folder that the server was started in is not imported
    command = [sys.executable, "-P", "-m", "knowgrad.web.worker"]
    env = {**os.environ, "PYTHONPATH": path}
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)


def _send(process: subprocess.Popen[bytes], message: object) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def _received(process: subprocess.Popen[bytes], length: int) -> bytes:
    assert process.stdout is not None
    found = process.stdout.read(length)
    if len(found) < length:
        raise Died
    return found


class Crew:
    """At most `size` workers, started when they are needed."""

    def __init__(self, storage: str, size: int) -> None:
        self.storage, self.size = storage, size
        self._free: list[Worker] = []
        self._busy: set[Worker] = set()

    @property
    def has_room(self) -> bool:
        return len(self._busy) < self.size

    def take(self, study: str) -> Worker:
        """One that is free, best one that knows the study."""
        if not self._free:
            self._free.append(Worker(self.storage))
        worker = next((each for each in self._free if each.study == study), self._free[0])
        self._free.remove(worker)
        self._busy.add(worker)
        worker.study = study
        return worker

    def give_back(self, worker: Worker) -> None:
        self._busy.remove(worker)
        self._free.append(worker)

    def lose(self, worker: Worker) -> None:
        """It is dead, or has to be."""
        self._busy.remove(worker)
        worker.close()

    def kill(self) -> None:
        """All that are at work: their questions end with `Died`."""
        for worker in self._busy:
            worker.kill()

    def close(self) -> None:
        """End those that are free."""
        for worker in self._free:
            worker.close()
        self._free.clear()
