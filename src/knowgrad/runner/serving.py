"""What a worker process does: take a request from the pipe, evaluate, answer, until the other end hangs up.

Every request has a number. An answer carries it, and the id of the process that gives it: a process that has inherited
the pipe by a fork cannot answer in the worker's name.
"""

import multiprocessing
import os
import pickle
import signal
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from knowgrad.runner.ending import GRACE, HAS_GROUPS, LOOK, is_peopled, send, send_to
from knowgrad.runner.failure import Failure, failed
from knowgrad.runner.forks import OneProcess, stay
from knowgrad.runner.kin import MARK, Kin, new_mark
from knowgrad.runner.steps import Step, followed
from knowgrad.text import describe

HEADER = struct.Struct("!QQ")  # the process that answers, the request that it answers


@dataclass(frozen=True)
class Begun:
    """Not an answer yet: the worker has loaded the objective and calls it now."""


@dataclass(frozen=True)
class Group:
    """Not an answer yet: the worker has started a program, in this group of processes."""

    number: int


def serve(connection: Any, payload: bytes) -> None:
    """In a session of its own, Ctrl-C reaches the parent only, which decides what is to be done."""
    home = os.getpid()
    multiprocessing.set_start_method(None, force=True)  # loky's would break processes that the objective spawns
    if HAS_GROUPS:
        os.setsid()
        mark = os.environ.get(MARK) or new_mark()
        threading.Thread(target=_follow, args=(os.getppid(), mark), daemon=True).start()
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):  # the parent has hung up, or is gone
        while True:
            number, args = connection.recv()
            _line.open(connection, HEADER.pack(home, number))
            answer = _answer(payload, args)
            stay(home)
            _line.say(answer)


def _answer(payload: bytes, args: tuple[Any, ...]) -> bytes:
    try:
        f = OneProcess(_load(payload))
        _line.say(pickle.dumps(Begun()))
        result = followed(f(*args), _line.ask)
    except BaseException as error:
        result = replace(failed(error), error=_sent(error))
    try:
        return pickle.dumps(result)
    except Exception as error:
        return pickle.dumps(Failure(f"the result cannot be sent: {describe(error)}"))


def _sent(error: BaseException) -> bytes | None:
    """An exception as bytes, if it can be made of them again: not every one survives that."""
    try:
        sent = pickle.dumps(error)
        pickle.loads(sent)
    except Exception:
        return None
    return sent


@contextmanager
def started(group: int) -> Iterator[None]:
    """While a program is running in this group, the group ends with this worker, whoever ends it."""
    _groups.add(group)
    _line.say(pickle.dumps(Group(group)))
    try:
        yield
    finally:
        _groups.discard(group)


class _Line:
    """The way to the parent; where nobody serves, what is said is not heard."""

    def __init__(self) -> None:
        self._connection: Any = None
        self._header = b""

    def open(self, connection: Any, header: bytes) -> None:
        self._connection, self._header = connection, header

    def say(self, message: bytes) -> None:
        if self._connection is not None:
            self._connection.send_bytes(self._header + message)

    def ask(self, said: Any) -> bool:
        """Tell a step, and hear whether to go on."""
        self.say(pickle.dumps(Step(said)))
        return bool(self._connection.recv())


_line = _Line()
_groups: set[int] = set()


def _follow(parent: int, mark: str) -> None:
    """End with the parent, and with all that this process has started, even in the middle of an evaluation."""
    while os.getppid() == parent:
        time.sleep(1)
    groups, kin = [*_groups], Kin(os.getpid(), mark)
    _send(signal.SIGTERM, groups, kin)
    deadline = time.monotonic() + GRACE
    while (any(map(is_peopled, groups)) or kin.living(is_running=True)) and time.monotonic() < deadline:
        time.sleep(LOOK)
    _send(signal.SIGKILL, [*groups, os.getpid()], kin)


def _send(number: int, groups: list[int], kin: Kin) -> None:
    """A signal to all that this process has started; to itself last."""
    others = kin.living(is_running=True)
    for process in others:
        if process.group not in groups:
            send_to(process.pid, number)
    for group in groups:
        send(group, number)


@lru_cache(maxsize=1)
def _load(payload: bytes) -> Any:
    import cloudpickle

    return cloudpickle.loads(payload)
