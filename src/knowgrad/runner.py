"""`minimize` and `maximize`: a study and a function, run to the end by one loop over an executor.

The loop keeps up to `workers` evaluations going. Whenever one ends, its outcome is told and the study is asked for as
many new points as there are free workers, jointly, knowing the points still running. With a `batch_size` other than
`workers` it asks for that many points at a time and hands them out before it asks again.
"""

import math
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NoReturn, Protocol

from knowgrad.errors import ArgumentError, KnowgradError, NoDataError
from knowgrad.progress import Progress
from knowgrad.space import Space
from knowgrad.study import Study
from knowgrad.trial import Gain, Noise, Recommendation, Trial, count, shown, spread

Objective = Callable[[dict[str, Any]], Any]
Submit = Callable[[dict[str, Any]], "Future[Any]"]

POLL = 1.0  # seconds; on some systems a wait without an end cannot be interrupted
BLAS_VARIABLES = ("OMP", "OPENBLAS", "MKL", "BLIS", "VECLIB", "NUMEXPR")


class Executor(Protocol):
    """What the loop needs of an executor; those of `concurrent.futures` have it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> "Future[Any]": ...


@dataclass(frozen=True)
class Result(Recommendation):
    """The recommendation at the end of a run, with the study it rests on."""

    study: Study = field(repr=False)
    gain: Gain
    """What one more batch is expected to be worth."""
    stopped: str
    """What ended the run: "n_trials", "timeout", "stop_gain", "interrupted" or "executor broke"."""


def minimize(
    f: Objective,
    space: Space | Mapping[str, Any],
    *,
    n_trials: int,
    batch_size: int | None = None,
    workers: int = 1,
    seed: int | None = None,
    noise: Noise = "learned",
    method: str | object = "qkg",
    fit: str | None = None,
    storage: object = None,
    name: str | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
    stop_gain: float | None = None,
    progress: bool = True,
) -> Result:
    """Find the params with the lowest expected `f(params)`.

    An exception in `f`, or a result that is not a number, is a failed trial; the run goes on. Ctrl-C ends the run with
    what is known.

    Args:
        f: takes a dict of params; returns a number, or a pair of a number and its standard error.
        space: see `Study`, as for `seed`, `noise`, `method`, `fit`, `storage` and `name`.
        n_trials: how many evaluations to start.
        batch_size: how many points to choose jointly; None: as many as there are free workers.
        workers: how many evaluations run at once, each in a process of its own; 1 runs them in this process.
        executor: run evaluations there instead, at most `workers` at once; it is left running.
        timeout: seconds after which no evaluation is started and those still running are given up.
        stop_gain: stop when one more batch is expected to improve the recommendation by less than this.
        progress: show a progress bar.
    """
    return _run("minimize", **locals())


def maximize(
    f: Objective,
    space: Space | Mapping[str, Any],
    *,
    n_trials: int,
    batch_size: int | None = None,
    workers: int = 1,
    seed: int | None = None,
    noise: Noise = "learned",
    method: str | object = "qkg",
    fit: str | None = None,
    storage: object = None,
    name: str | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
    stop_gain: float | None = None,
    progress: bool = True,
) -> Result:
    """Find the params with the highest expected `f(params)`; the options are those of `minimize`."""
    return _run("maximize", **locals())


def _run(
    direction: str,
    f: Objective,
    space: Space | Mapping[str, Any],
    n_trials: int,
    batch_size: int | None,
    workers: int,
    executor: Executor | None,
    timeout: float | None,
    stop_gain: float | None,
    progress: bool,
    **options: Any,
) -> Result:
    if not callable(f):
        raise ArgumentError(f"f: expected a function of params, got {shown(f)}; pass the function itself, not a call")
    n_trials, workers = count(n_trials, "n_trials"), count(workers, "workers")
    batch_size = workers if batch_size is None else count(batch_size, "batch_size")
    deadline = math.inf if timeout is None else time.monotonic() + spread(timeout, "timeout")
    least = None if stop_gain is None else spread(stop_gain, "stop_gain")
    study = Study(space, direction=direction, **options)
    with Progress(n_trials, show=progress) as bar, _evaluator(f, workers, executor) as submit:
        stopped = _Loop(study, submit, bar, n_trials, workers, batch_size, deadline, least).run()
    if study.best is None:
        _explain_nothing(study, stopped)
    known, gain = study.recommend(), study.gain(batch_size)
    return Result(**vars(known), study=study, gain=gain, stopped=stopped)


def _explain_nothing(study: Study, stopped: str) -> NoReturn:
    if stopped == "interrupted":
        raise KeyboardInterrupt
    failed = [trial for trial in study.trials if trial.state == "failed"]
    last = f"; {len(failed)} failed, the last with: {failed[-1].reason}" if failed else ""
    raise NoDataError(
        f"expected at least one result, got none from {len(study.trials)} trials (ended by {stopped}){last}; "
        "call f(params) by hand with params from the space to see what is wrong"
    )


@dataclass
class _Loop:
    """Ask, evaluate, tell, until something says stop."""

    study: Study
    submit: Submit
    bar: Progress
    n_trials: int
    workers: int
    batch_size: int
    deadline: float
    stop_gain: float | None
    asked: int = 0
    in_hand: deque[Trial] = field(default_factory=deque)
    running: dict[Future[Any], Trial] = field(default_factory=dict)

    def run(self) -> str:
        """Returns what ended it."""
        try:
            while True:
                stopped = self.fill()
                if not self.running:
                    return stopped
                done, _ = wait(self.running, max(0, min(POLL, self.deadline - time.monotonic())), FIRST_COMPLETED)
                for future in done:
                    trial = _settle(self.study, self.running.pop(future), future)
                    self.bar.update(trial, self.study.best, self.study.last_gain)
                if self.running and time.monotonic() >= self.deadline:
                    return "timeout"
        except KeyboardInterrupt:
            print("knowgrad: interrupted, returning what is known", file=sys.stderr)
            return "interrupted"
        except BrokenExecutor as error:
            print(f"knowgrad: the executor broke ({error}), returning what is known", file=sys.stderr)
            return "executor broke"
        finally:
            self.give_up()

    def fill(self) -> str:
        """Start an evaluation on every free worker; returns what will end the run if nothing is running."""
        while len(self.running) < self.workers:
            if time.monotonic() >= self.deadline and (self.in_hand or self.asked < self.n_trials):
                return "timeout"
            if not self.in_hand and self.asked == self.n_trials:
                return "n_trials"
            if not self.in_hand:
                if self.is_worthless():
                    return "stop_gain"
                free = self.workers - len(self.running)
                q = free if self.batch_size == self.workers else self.batch_size
                self.in_hand.extend(self.study.ask(min(q, self.n_trials - self.asked)))
                self.asked += len(self.in_hand)
            self.running[self.submit(dict(self.in_hand[0].params))] = self.in_hand[0]
            self.in_hand.popleft()
        return ""

    def is_worthless(self) -> bool:
        """Is one more batch worth less than `stop_gain`? What the last one was worth saves most of the asking."""
        study = self.study
        if self.stop_gain is None or study.best is None or study.trials[-1].source in ("start", "queue"):
            return False
        if study.last_gain is not None and study.last_gain >= self.stop_gain:
            return False
        return study.gain(self.batch_size) < self.stop_gain

    def give_up(self) -> None:
        """Settle what has ended and wait no longer for the rest."""
        for future, trial in self.running.items():
            if future.cancel() or not future.done():
                self.study.expire(trial)
            else:
                _settle(self.study, trial, future)
        for trial in self.in_hand:
            self.study.expire(trial)


def _settle(study: Study, trial: Trial, future: "Future[Any]") -> Trial:
    """Tell what came of an evaluation."""
    error = CancelledError("cancelled") if future.cancelled() else future.exception()
    if error is not None:
        return study.fail(trial, describe(error))
    result = future.result()
    if isinstance(result, Failure):
        return study.fail(trial, result.reason)
    try:
        value, sem = result if isinstance(result, tuple) and len(result) == 2 else (result, None)
        return study.tell(trial, value, sem)
    except KnowgradError as refused:
        return study.fail(trial, describe(refused))


@contextmanager
def _evaluator(f: Objective, workers: int, executor: Executor | None) -> Iterator[Submit]:
    """What starts one evaluation of `f`: on the user's executor, in this process, or in a process per worker."""
    if executor is not None:
        yield lambda params: executor.submit(f, params)
    elif workers == 1:
        yield lambda params: _evaluate_here(f, params)
    else:
        processes = _Processes(f, workers)
        try:
            yield processes.submit
        finally:
            processes.close()


def _evaluate_here(f: Objective, params: dict[str, Any]) -> "Future[Any]":
    future: Future[Any] = Future()
    try:
        future.set_result(f(params))
    except (Exception, SystemExit) as error:
        future.set_exception(error)
    return future


class _Processes:
    """One process per worker. One that dies takes only its own evaluation with it, and is replaced."""

    def __init__(self, f: Objective, workers: int) -> None:
        import cloudpickle
        import loky

        try:
            self._payload: bytes = cloudpickle.dumps(f)
        except Exception as error:
            raise ArgumentError(
                f"f: expected a function that can be sent to worker processes, got {describe(error)}; open files, "
                "locks and connections inside the function, or pass workers=1 or an executor of threads"
            ) from error
        threads = str(max(1, loky.cpu_count() // workers))
        names = [f"{library}_NUM_THREADS" for library in BLAS_VARIABLES]
        self._env = {name: os.environ.get(name, threads) for name in names}
        self._slots: list[tuple[Any, Future[Any] | None]] = [(self._start(), None) for _ in range(workers)]

    def _start(self) -> Any:
        from loky import ProcessPoolExecutor

        return ProcessPoolExecutor(max_workers=1, initializer=_leave_interrupts_to_the_parent, env=self._env)

    def submit(self, params: dict[str, Any]) -> "Future[Any]":
        slot = next(i for i, (_, last) in enumerate(self._slots) if last is None or last.done())
        process, _ = self._slots[slot]
        try:
            future = process.submit(_evaluate_there, self._payload, params)
        except BrokenExecutor:
            process.shutdown(kill_workers=True)
            process = self._start()
            future = process.submit(_evaluate_there, self._payload, params)
        self._slots[slot] = process, future
        return future  # type: ignore[no-any-return]

    def close(self) -> None:
        for process, last in self._slots:
            process.shutdown(wait=True, kill_workers=last is not None and not last.done())


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass(frozen=True)
class Failure:
    """An exception in a worker, in words: not every exception survives the way between processes."""

    reason: str


def _evaluate_there(payload: bytes, params: dict[str, Any]) -> Any:
    try:
        return _load(payload)(params)
    except BaseException as error:
        return Failure(describe(error))


@lru_cache(maxsize=1)
def _load(payload: bytes) -> Objective:
    import cloudpickle

    f: Objective = cloudpickle.loads(payload)
    return f


def describe(error: BaseException) -> str:
    """An exception in one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words:.400}" if words else type(error).__name__
