"""Worker processes for any Python function: lambdas, closures, functions of a notebook or of a script without a guard.

Each worker is a fresh interpreter at the other end of a pipe and evaluates one point at a time; a thread of this
process waits for its answer. A worker that dies takes only its own evaluation with it, and is replaced.
"""

import math
import os
import pickle
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from knowgrad.errors import ArgumentError
from knowgrad.runner.ending import Family, end, wait_until
from knowgrad.runner.failure import Failure
from knowgrad.runner.kin import MARK, Kin, new_mark
from knowgrad.runner.overrun import overrun
from knowgrad.runner.serving import HEADER, Begun, Group, serve
from knowgrad.runner.steps import Hear, Step
from knowgrad.text import describe

BLAS = ("OMP", "OPENBLAS", "MKL", "BLIS", "VECLIB", "NUMEXPR")
LOOK = 0.5  # seconds after which a worker that has not answered is looked at: is it alive?


class Processes:
    """Up to `workers` processes that evaluate `f`, each evaluation for at most `limit` seconds."""

    def __init__(self, f: Any, workers: int, limit: float | None = None) -> None:
        import cloudpickle
        from loky import cpu_count

        try:
            self._payload: bytes = cloudpickle.dumps(f)
        except Exception as error:
            raise ArgumentError(
                f"f: expected a function that can be sent to worker processes, got {describe(error)}; open files, "
                "locks and connections inside the function, or pass an executor of threads, or workers=1 without "
                "timeout and trial_timeout"
            ) from error
        threads = str(max(1, cpu_count() // workers))
        names = [f"{library}_NUM_THREADS" for library in BLAS]
        self._env = {name: os.environ.get(name, threads) for name in names}
        self._limit = limit
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="knowgrad")
        self._lock = threading.Lock()
        self._all: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._closed = False

    def submit(self, *args: Any, hear: Hear) -> "Future[Any]":
        return self._threads.submit(self._evaluate, args, hear)

    def close(self) -> None:
        """End every process: idle ones by hanging up, busy ones and those that do not go by signals."""
        with self._lock:
            self._closed = True
            idle = [worker.family for worker in self._idle]
            busy = [worker.family for worker in self._all if worker not in self._idle]
            for worker in self._idle:
                worker.hang_up()
        try:
            end(busy)
            wait_until(lambda family: family.has_ended(), idle)
        finally:
            end(idle)
        self._threads.shutdown(cancel_futures=True)
        for worker in self._all:
            worker.join()

    def _evaluate(self, args: tuple[Any, ...], hear: Hear) -> Any:
        worker = self._take()
        try:
            return worker.evaluate(args, self._limit, hear)
        except _Overrun as error:
            end([worker.family])
            return Failure(str(error))
        finally:
            self._put_back(worker)

    def _put_back(self, worker: "_Worker") -> None:
        if self._closed:  # whoever closes ends all
            return
        if worker.is_alive():
            with self._lock:
                self._idle.append(worker)
            return
        end([worker.family])  # what it has started
        with self._lock:  # its id may become another's
            self._all.remove(worker)

    def _take(self) -> "_Worker":
        with self._lock:
            if self._closed:
                raise BrokenExecutor("the run has ended")
            if not self._idle:
                self._all.append(_Worker(self._payload, self._env))
                return self._all[-1]
            return self._idle.pop()


class _Overrun(Exception):
    """The time for one evaluation is up."""


class _Worker:
    """One process, seen from here."""

    def __init__(self, payload: bytes, env: dict[str, str]) -> None:
        from loky.backend import get_context

        context, mark = get_context("loky"), new_mark()
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, payload), env={**env, MARK: mark}, daemon=False)
        self._process.start()
        theirs.close()
        self._asked = 0
        pid = self._process.pid
        self._groups = [pid]  # its own comes first
        self.family = Family(pid, lambda: tuple(self._groups), lambda: not self.is_alive(), Kin(pid, mark))

    def evaluate(self, args: tuple[Any, ...], limit: float | None, hear: Hear) -> Any:
        """What the objective returns, or a `Failure`; `_Overrun` if that takes too long, once it has begun."""
        self._asked += 1
        deadline = math.inf
        try:
            self._connection.send((self._asked, args))
            while isinstance(answer := self._receive(deadline), Group | Begun | Step):
                if isinstance(answer, Group):
                    self._groups[1:] = [answer.number]
                elif isinstance(answer, Step):
                    self._connection.send(hear(answer.said))
                elif limit is not None:
                    deadline = time.monotonic() + limit
            del self._groups[1:]  # the worker has ended it
        except _Overrun:
            raise _Overrun(overrun(limit)) from None
        except (EOFError, OSError):
            self._process.join()
            raise BrokenExecutor(f"the worker process died with exit code {self._process.exitcode}") from None
        return _with_error(answer) if isinstance(answer, Failure) else answer

    def _receive(self, deadline: float) -> Any:
        """What the worker says. What it has forked may keep the pipe open after its death: no reason to wait."""
        while not self._connection.poll(max(0.0, min(LOOK, deadline - time.monotonic()))):
            if not self.is_alive() and not self._connection.poll():
                raise EOFError
            if time.monotonic() >= deadline:
                raise _Overrun
        message = self._connection.recv_bytes()
        pid, number = HEADER.unpack_from(message)
        if (pid, number) != (self._process.pid, self._asked):
            end([self.family])
            raise BrokenExecutor(
                f"expected the answer of process {self._process.pid} to request {self._asked}, got one of process "
                f"{pid} to request {number}; the worker was ended: no process but the worker may use its pipe"
            )
        return pickle.loads(message[HEADER.size :])

    def is_alive(self) -> bool:
        alive: bool = self._process.is_alive()
        return alive

    def hang_up(self) -> None:
        self._connection.close()

    def join(self) -> None:
        self._process.join()
        self._connection.close()


def _with_error(failure: Failure) -> Failure:
    """With the exception that the worker sent, if it can be made again here."""
    try:
        return replace(failure, error=None if failure.error is None else pickle.loads(failure.error))
    except Exception:
        return replace(failure, error=None)
