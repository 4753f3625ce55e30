"""Worker processes for any Python function: lambdas, closures, functions of a notebook or of a script without a guard.

Each worker is a fresh interpreter at the other end of a pipe and evaluates one point at a time; a thread of this
process waits for its answer. A worker that dies takes only its own evaluation with it, and is replaced.
"""

import os
import signal
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from knowgrad.errors import ArgumentError

BLAS = ("OMP", "OPENBLAS", "MKL", "BLIS", "VECLIB", "NUMEXPR")


@dataclass(frozen=True)
class Failure:
    """An exception in a worker, in words: not every exception survives the way between processes."""

    reason: str


def describe(error: BaseException) -> str:
    """An exception in one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words:.400}" if words else type(error).__name__


class Processes:
    """Up to `workers` processes that evaluate `f`."""

    def __init__(self, f: Any, workers: int) -> None:
        import cloudpickle
        from loky import cpu_count

        try:
            self._payload: bytes = cloudpickle.dumps(f)
        except Exception as error:
            raise ArgumentError(
                f"f: expected a function that can be sent to worker processes, got {describe(error)}; open files, "
                "locks and connections inside the function, or pass workers=1 or an executor of threads"
            ) from error
        threads = str(max(1, cpu_count() // workers))
        names = [f"{library}_NUM_THREADS" for library in BLAS]
        self._env = {name: os.environ.get(name, threads) for name in names}
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="knowgrad")
        self._lock = threading.Lock()
        self._all: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._closed = False

    def submit(self, params: dict[str, Any]) -> "Future[Any]":
        return self._threads.submit(self._evaluate, params)

    def close(self) -> None:
        """End every process: idle ones by hanging up, busy ones by force."""
        with self._lock:
            self._closed = True
            for worker in self._all:
                if worker in self._idle:
                    worker.hang_up()
                else:
                    worker.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._all:
            worker.join()

    def _evaluate(self, params: dict[str, Any]) -> Any:
        worker = self._take()
        try:
            return worker.evaluate(params)
        finally:
            if worker.is_alive():
                self._idle.append(worker)

    def _take(self) -> "_Worker":
        with self._lock:
            if self._closed:
                raise BrokenExecutor("the run has ended")
            if not self._idle:
                self._all.append(_Worker(self._payload, self._env))
                return self._all[-1]
            return self._idle.pop()


class _Worker:
    """One process, seen from here."""

    def __init__(self, payload: bytes, env: dict[str, str]) -> None:
        from loky.backend import get_context

        context = get_context("loky")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, payload), env=env, daemon=False)
        self._process.start()
        theirs.close()

    def evaluate(self, params: dict[str, Any]) -> Any:
        try:
            self._connection.send(params)
            return self._connection.recv()
        except (EOFError, OSError):
            self._process.join()
            raise BrokenExecutor(f"the worker process died with exit code {self._process.exitcode}") from None

    def is_alive(self) -> bool:
        alive: bool = self._process.is_alive()
        return alive

    def hang_up(self) -> None:
        self._connection.close()

    def kill(self) -> None:
        """Also what the worker has started itself, where the system knows groups of processes."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg") and os.getpgid(self._process.pid) == self._process.pid:
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.terminate()

    def join(self) -> None:
        self._process.join()
        self._connection.close()


def _serve(connection: Any, payload: bytes) -> None:
    """What a worker does. In a session of its own, Ctrl-C reaches the parent only, which decides what is to be done."""
    if hasattr(os, "setsid"):
        os.setsid()
        threading.Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):  # the parent has hung up, or is gone
        while True:
            params = connection.recv()
            try:
                result = _load(payload)(params)
            except BaseException as error:
                result = Failure(describe(error))
            try:
                connection.send(result)
            except OSError:
                raise
            except Exception as error:
                connection.send(Failure(f"the result cannot be sent: {describe(error)}"))


def _follow(parent: int) -> None:
    """End with the parent, and with all that this process has started, even in the middle of an evaluation."""
    while os.getppid() == parent:
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


@lru_cache(maxsize=1)
def _load(payload: bytes) -> Any:
    import cloudpickle

    return cloudpickle.loads(payload)
