"""What an objective is given, and what may be made of what it returns."""

import hashlib
import inspect
import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import Any

from knowgrad.checked import price, real, spread
from knowgrad.errors import ArgumentError, NotANumberError
from knowgrad.outcomes import Goals, Outcomes, told
from knowgrad.outcomes.told import meaning
from knowgrad.runner.failure import Failure, failed
from knowgrad.runner.steps import Ended
from knowgrad.runner.studies import Runnable
from knowgrad.text import describe, shown
from knowgrad.trial import Trial

Objective = Callable[..., Any]


@dataclass(frozen=True)
class RunningTrial:
    """The trial that is being evaluated, as its objective sees it."""

    number: int
    worker: str | None
    """The machine and the process that evaluate it."""
    seed: int
    """For the objective's own randomness, below 2³²: a function of the study's seed and the trial's number."""
    params: Mapping[str, Any]
    retry_of: int | None = None
    """The number of the trial whose worker was lost, if this is another attempt at its point."""
    measure: tuple[str, ...] | None = None
    """Which of the named outcomes are asked for, if not all: with these the trial is complete."""
    continues: int | None = None
    """The number of the paused trial that this one continues, from its checkpoint."""


@dataclass(frozen=True)
class Measured:
    """A result: a finite number, and its standard error and what it cost, if that is known; or named outcomes."""

    value: float | Outcomes
    sem: float | None
    cost: float | None = None
    is_traced: bool = False
    """It is what was reported last."""


class Unreadable(Exception):
    """What an objective returned cannot be a result, whatever the params."""


def arguments(f: Objective, study: Runnable) -> Callable[[Trial], tuple[Any, ...]]:
    """What `f` is called with at a trial: its params, and the trial if it takes a second argument.

    An objective that cannot take every point has `check_params`, which raises and so ends the run.
    """
    if check := getattr(f, "check_params", None):

        def checked(trial: Trial) -> tuple[Any, ...]:
            check(trial.params)
            return (dict(trial.params), as_seen(trial, study)) if takes_trial(f) else (dict(trial.params),)

        return checked
    if not takes_trial(f):
        return lambda trial: (dict(trial.params),)
    return lambda trial: (dict(trial.params), as_seen(trial, study))


def takes_trial(f: Objective) -> bool:
    """Has it a second argument that must be given, or one that is called `trial`?"""
    try:
        found = inspect.signature(f).parameters.values()
    except (ValueError, TypeError):  # some builtins do not tell
        return False
    places = [each for each in found if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    return len(places) >= 2 and (places[1].default is inspect.Parameter.empty or places[1].name == "trial")


def as_seen(trial: Trial, study: Runnable) -> RunningTrial:
    """The same seed for every try at a point that was lost."""
    first, trials = trial, study.trials
    while first.retry_of is not None:
        first = trials[first.retry_of]
    digest = hashlib.blake2b(f"{study.seed} {first.number}".encode(), digest_size=4).digest()
    return RunningTrial(
        trial.number,
        trial.worker,
        int.from_bytes(digest, "big"),
        dict(trial.params),
        retry_of=trial.retry_of,
        measure=trial.measure,
        continues=trial.continues,
    )


def outcome(future: "Future[Any]", study: Runnable, trial: Trial) -> Measured | Failure:
    """What came of the evaluation of a trial that has ended."""
    error = CancelledError("cancelled") if future.cancelled() else future.exception()
    if error is not None:
        return failed(error)
    result = future.result()
    if isinstance(result, Failure):
        return result
    goals = study.goals
    return named(result, goals, trial.measure or goals.names) if goals else measured(result, study.direction)


def named(result: Any, goals: Goals, asked: Sequence[str]) -> Measured | Failure:
    """A dict of the outcomes that were asked for, and perhaps others, each as `measured` has it; else `Unreadable`."""
    if isinstance(result, Mapping):
        result = {name: _pair(each) for name, each in result.items()}
        if missing := [name for name in asked if name not in result]:
            raise Unreadable(f"expected the outcomes {shown(list(asked))}, got none of {shown(missing)}")
    try:
        found = told(_pair(result), None, goals)
    except (NotANumberError, ArgumentError) as refused:
        raise Unreadable(str(refused)) from None
    try:
        reason = meaning(found, goals)
    except ArgumentError as refused:
        return Failure(describe(refused))
    return Measured(found, None) if reason is None else Failure(reason)


def _pair(result: Any) -> Any:
    return tuple(map(_scalar, result)) if isinstance(result, tuple | list) else _scalar(result)


def forms(goals: Goals) -> str:
    """What an objective may return, in words."""
    if goals:
        return f"a dict with {shown(list(goals.names))}, each a number or a pair of a number and its standard error"
    return 'a number, a pair of a number and its standard error, or {"value": …, "sem": …}'


def measured(result: Any, direction: str) -> Measured | Failure:
    """A number, a pair of it and its standard error, or a dict of `value`, `sem` and `cost`; else `Unreadable`."""
    cost = None
    if isinstance(result, Ended):
        return Measured(math.nan, None, is_traced=True)
    if inspect.isgenerator(result):
        raise Unreadable("expected a number, got a generator, which an executor cannot follow; leave the executor out")
    if isinstance(result, Mapping):
        if "value" not in result:
            raise Unreadable(f'expected {{"value": …}} or {{"value": …, "sem": …}}, got {shown(result)}')
        cost, result = result.get("cost"), (result["value"], result.get("sem"))
    value, sem = result if isinstance(result, tuple) and len(result) == 2 else (result, None)
    try:
        number = real(_scalar(value), "value")
        error = None if sem is None else spread(_scalar(sem), "sem")
        paid = None if cost is None else price(_scalar(cost), "cost")
    except NotANumberError as refused:
        raise Unreadable(str(refused)) from None
    except ArgumentError as refused:
        return Failure(describe(refused))
    if number == (-math.inf if direction == "minimize" else math.inf):
        return Failure(f"the value was {number}, which nothing could improve on", cost=paid)
    return Measured(number, error, paid) if math.isfinite(number) else Failure(f"the value was {number}", cost=paid)


def _scalar(value: Any) -> Any:
    """An array without dimensions (NumPy's, or a tensor) is the number in it."""
    is_array = not isinstance(value, numbers.Real) and getattr(value, "shape", None) == ()
    return value.item() if is_array and hasattr(value, "item") else value
