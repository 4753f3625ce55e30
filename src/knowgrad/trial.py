"""Trials, the events they are made of, and the small values that go in and out of a study.

    queued --asked--> pending --told--> complete
                         |------failed--> failed
                         '-----expired--> expired --told--> complete      (a late result is still a result)

    complete, failed  --corrected--> complete or failed
                      --discarded--> discarded --restored--> what it was

The log of events is the state of a study; `ledger` turns it into trials.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from knowgrad.text import brief, brief_repr, measured, one_line

State = Literal["queued", "pending", "complete", "failed", "expired", "discarded"]
Noise = str | float | Callable[[dict[str, Any]], float]
NINETY = 1.6448536269514722  # of a normal distribution, nine tenths lie within so many standard deviations


class Params(dict[str, Any]):
    """A dict that cannot be changed; it equals, pickles and becomes JSON as a plain dict does."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("the params of a trial cannot be changed; change a copy: dict(trial.params)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type["Params"], tuple[dict[str, Any]]]:
        return Params, (dict(self),)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a trial stands: see the fields of `Trial`."""

    state: State
    value: float | None = None
    sem: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody did to a trial after its outcome was recorded, or a note: a line of its audit trail."""

    kind: str
    """corrected, discarded, restored or noted."""
    time: float
    """Seconds since 1970 on the clock of the storage."""
    by: str | None
    """Who did it, if they said."""
    reason: str | None
    """Why; of a note, its text."""
    old: Outcome
    new: Outcome
    key: str | None = None
    """A name for the request, if it was given one: what is asked again with the same key is not done again."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One try: where, in which state, and what came of it."""

    id: str
    """Unique across studies."""
    number: int
    """0, 1, 2, … in the order in which the trials of a study came to be."""
    params: Mapping[str, Any]
    state: State
    value: float | None = None
    sem: float | None = None
    """Standard error of `value`, if it was told."""
    reason: str | None = None
    """Why it failed, or was discarded."""
    source: str = ""
    """Where the point came from: "start", "queue", "added", or the method that chose it."""
    batch: int | None = None
    """Which ask it was handed out by."""
    worker: str | None = None
    """Who took it, if they said."""
    retry_of: int | None = None
    """The number of the trial whose worker vanished, if this is another try at its point."""
    lease: float | None = None
    """For how many seconds at a time its worker has it; None: without limit."""
    deadline: float | None = None
    """When the lease ends unless it is renewed: seconds since 1970 on the clock of the storage."""
    traceback: str | None = None
    """Where it failed: the traceback of an exception, or the last lines that a program printed."""
    history: tuple[Change, ...] = ()
    """What was corrected, discarded, restored and noted, oldest first."""
    began: float | None = field(default=None, compare=False)
    """When it was handed out, or added: seconds since 1970 by the clock of whoever did that, for people."""
    ended: float | None = field(default=None, compare=False)
    """When its outcome was recorded, by the same kind of clock."""

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.state, self.value, self.sem, self.reason)

    @property
    def notes(self) -> tuple[str, ...]:
        """What people wrote about it, oldest first."""
        return tuple(change.reason or "" for change in self.history if change.kind == "noted")

    def __post_init__(self) -> None:
        if not isinstance(self.params, Params):
            object.__setattr__(self, "params", Params(self.params))

    def but(self, **changes: Any) -> "Trial":
        """`dataclasses.replace`, several times as fast: a log of 10,000 trials is opened by 20,000 of these."""
        made = object.__new__(Trial)
        for put, value in zip(_PUT, _FIELDS(self), strict=True):
            put(made, value)
        for name, value in changes.items():
            object.__setattr__(made, name, value)
        return made

    def __hash__(self) -> int:
        return hash(self.id)

    __repr__ = brief_repr


_FIELDS = attrgetter(*(each.name for each in fields(Trial)))
_PUT = tuple(Trial.__dict__[each.name].__set__ for each in fields(Trial))


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log: what happened, and plain JSON values about it.

    | kind | data |
    |---|---|
    | created | format, uid, name, time, and what the study is of: see `record` |
    | queued | number, params, source, retry_of, and how many workers were lost with the point |
    | asked | number, batch, worker, lease, deadline; and params and source where the point was not queued before |
    | renewed | numbers, lease, deadline |
    | told | number, value, sem |
    | failed | number, reason, and the traceback where there is one |
    | expired | number |
    | corrected | number, state, value, sem, failure: the outcome as it should have been; time, by, reason, key |
    | discarded, restored, noted | number; time, by, reason (of a note its text), key |
    | turn | ticket, lease, deadline: somebody is choosing points, and others had better wait |

    What happens to a trial also has a `time`: seconds since 1970 by the writer's own clock. Nothing depends on it.
    """

    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a study's answers depend on besides its space and trials."""

    seed: int
    direction: str = "minimize"
    noise: Noise = "learned"
    method: str | object = "qkg"
    fit: str | None = None
    over: tuple[tuple[str, tuple[tuple[Any, float], ...]], ...] = ()
    """Parameters over which an average is to be good: of each the values, with weights that sum to one."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Points to try next, where each came from, and what they are expected to be worth together, in user units."""

    params: tuple[dict[str, Any], ...]
    sources: tuple[str, ...]
    gain: float | None = None
    sem: float | None = None


@dataclass(frozen=True)
class Recommendation:
    """What to use now: the best point tried as the model sees it, or a better one that was never tried."""

    params: dict[str, Any]
    mean: float
    """What the noise-free value at `params` is expected to be."""
    sd: float
    """Its standard deviation. It counts what is unknown of the model too, and so is wider than that of `predict`, by
    which the search goes."""
    n_observed: int
    best: Trial | None = field(repr=False)
    """The best observed trial, luck included."""

    @property
    def interval(self) -> tuple[float, float]:
        """A 90 % interval of the noise-free value."""
        return self.mean - NINETY * self.sd, self.mean + NINETY * self.sd

    def __str__(self) -> str:
        point = ", ".join(f"{one_line(name)} = {brief(value)}" for name, value in self.params.items())
        return f"{point}: {measured(self.mean, self.sd)} after {self.n_observed} results"

    __repr__ = brief_repr


@dataclass(frozen=True, eq=False)
class Prediction:
    """What the model expects at several points, in user units: arrays as long as there are points.

    `mean` is the posterior mean of the noise-free value and `sd` its standard deviation; the noise of a measurement
    comes on top.
    """

    mean: NDArray[np.float64]
    sd: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.mean)


class Gain(float):
    """By how much `q` more points are expected to improve the recommendation, in user units: a float with its error."""

    sem: float
    q: int

    def __new__(cls, value: float, sem: float = 0.0, q: int = 1) -> "Gain":
        gain = super().__new__(cls, value)
        gain.sem = float(sem)
        gain.q = int(q)
        return gain

    def __getnewargs__(self) -> tuple[float, float, int]:  # type: ignore[override]
        return float(self), self.sem, self.q

    @property
    def value(self) -> float:
        return float(self)

    def __repr__(self) -> str:
        return f"Gain({self.value:.4g} ± {self.sem:.1g}, q={self.q})"


def value_of(trial: Trial) -> float:
    """The value of a completed trial."""
    if trial.value is None:
        raise ValueError(f"trial {trial.number}: expected a completed trial, got {trial.state}")
    return trial.value


def sign_of(direction: str) -> float:
    """+1 if less is better, else −1."""
    return 1.0 if direction == "minimize" else -1.0


def best_of(complete: Iterable[Trial], direction: str) -> Trial | None:
    """The completed trial with the best value, the first of equals; None if there is none."""
    sign = sign_of(direction)
    return min(complete, key=lambda trial: sign * value_of(trial), default=None)


def failure(value: float, what: str = "value") -> str | None:
    """Why a trial with this value has failed: it is not finite. None if it is."""
    return None if math.isfinite(value) else f"the {what} was {value}"
