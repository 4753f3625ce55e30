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
from typing import Any, Literal, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from knowgrad.outcomes import NOTHING, PLAIN, Goals, Outcomes
from knowgrad.outcomes import Front as Front
from knowgrad.outcomes import FrontPoint as FrontPoint
from knowgrad.outcomes import Limit as Limit
from knowgrad.outcomes import Measured as Measured
from knowgrad.text import brief, brief_repr, likelihood, measured, one_line

State = Literal["queued", "pending", "complete", "failed", "expired", "discarded"]
Noise = str | float | Callable[[dict[str, Any]], float]
Cost = str | Callable[[dict[str, Any]], float] | None
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
    outcomes: Mapping[str, Measured] = NOTHING


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
class SpaceChange:
    """How the space of a study was changed, and what became of points that were waiting."""

    lines: tuple[str, ...]
    """What changed, in words."""
    time: float
    """Seconds since 1970 on the clock of the storage."""
    by: str | None
    """Who did it, if they said."""
    reason: str | None
    trials: int
    """How many trials there were: those with a lower number are from before."""
    unqueued: tuple[int, ...] = ()
    """The numbers of queued points that have no place in the new space; they are no longer queued."""
    key: str | None = None
    """A name for the request, if it was given one."""

    def __str__(self) -> str:
        lines = self.lines or ("nothing changed",)
        gone = [f"no longer queued: {', '.join(map(str, self.unqueued))}"] if self.unqueued else []
        return "\n".join([*map(one_line, lines), *gone])


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
    outcomes: Mapping[str, Measured] = NOTHING
    """In a study with named outcomes: those that are in, each a value and its standard error or None. Once it is
    complete, `value` and `sem` are those of the objective if there is one, and None if there are several."""
    measure: tuple[str, ...] | None = None
    """Which outcomes were asked for, if not all: with these it is complete."""
    curve: tuple[tuple[float, float], ...] = ()
    """What was reported on the way: pairs of a fidelity, such as epochs, and a value."""
    cost: float | None = None
    """What it cost to measure, if that was told, measured, or is known by the study's `cost`."""
    began: float | None = field(default=None, compare=False)
    """When it was handed out, or added: seconds since 1970 by the clock of whoever did that, for people."""
    ended: float | None = field(default=None, compare=False)
    """When its outcome was recorded, by the same kind of clock."""

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.state, self.value, self.sem, self.reason, self.outcomes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What people wrote about it, oldest first."""
        return tuple(change.reason or "" for change in self.history if change.kind == "noted")

    def __post_init__(self) -> None:
        if not isinstance(self.params, Params):
            object.__setattr__(self, "params", Params(self.params))
        if not isinstance(self.outcomes, Outcomes):
            object.__setattr__(self, "outcomes", Outcomes.of(self.outcomes))

    def but(self, **changes: Any) -> "Trial":
        """`dataclasses.replace`, several times as fast: a log of 10,000 trials is opened by 20,000 of these."""
        made = object.__new__(Trial)
        for put, value in zip(_PUT, _FIELDS(self), strict=False):
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
    | queued, asked | measure: the outcomes that are asked for, if not all |
    | renewed | numbers, lease, deadline |
    | told | number, value, sem; outcomes: those that came now, each a pair of a value and a standard error; cost |
    | reported | number, at, value: a step of a learning curve |
    | measured | number, outcomes: the same, of a trial that waits for more of them |
    | failed | number, reason, and the traceback and the cost where there is one |
    | expired | number |
    | corrected | number, state, value, sem, failure, outcomes: as it should have been; time, by, reason, key |
    | discarded, restored, noted | number; time, by, reason (of a note its text), key |
    | changed | space and format; words, what is new of it; earlier, the values of new parameters in trials before;
      numbers, of queued points that no longer fit; time, by, reason, key |
    | turn | ticket, lease, deadline: somebody is choosing points, and others had better wait |

    What happens to a trial also has a `time`: seconds since 1970 by the writer's own clock. Nothing depends on it.
    """

    kind: str
    data: Mapping[str, Any]


class Result(NamedTuple):
    """One result of an earlier study, in the parameters of the new one."""

    params: Mapping[str, Any]
    value: float
    sem: float | None


class Earlier(NamedTuple):
    """What an earlier study found."""

    name: str
    results: tuple[Result, ...]


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
    cost: Cost = None
    """Of a measurement, as a function of the params; "learned": from what trials have cost. None: by what was told."""
    earlier: tuple[Earlier, ...] = ()
    """Studies to learn from."""
    objectives: tuple[tuple[str, str], ...] = ()
    """Named outcomes to be minimised or maximised: names and directions. None in a plain study."""
    limits: tuple[Limit, ...] = ()
    """What has to hold of outcomes."""
    costs: tuple[tuple[str, float], ...] = ()
    """What measuring each outcome costs, if it was said: for all of them."""
    noises: tuple[tuple[str, Noise], ...] = ()
    """The noise of outcomes for which it was said; `noise` is that of all others."""

    @property
    def goals(self) -> Goals:
        """Objectives, limits and costs together; false in a plain study."""
        return Goals(self.objectives, self.limits, self.costs) if self.objectives else PLAIN

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The names of all outcomes: objectives first, then what else has a limit."""
        return self.goals.names


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Points to try next, where each came from, and what they are expected to be worth together, in user units."""

    params: tuple[dict[str, Any], ...]
    sources: tuple[str, ...]
    gain: float | None = None
    sem: float | None = None
    measures: tuple[tuple[str, ...] | None, ...] = ()
    """Which outcomes to measure of each point, None for all; nothing if that is so of every point."""
    cost: float | None = None
    """What all of them are expected to cost, where costs are known."""


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
    outcomes: Mapping[str, tuple[float, float]] = field(default_factory=dict, kw_only=True)
    """Mean and standard deviation of every named outcome at `params`."""
    chance: float | None = field(default=None, kw_only=True)
    """That all limits hold together; None if there are none."""
    chances: Mapping[str, float] = field(default_factory=dict, kw_only=True)
    """That each limit holds, by its text."""

    @property
    def interval(self) -> tuple[float, float]:
        """A 90 % interval of the noise-free value."""
        return self.mean - NINETY * self.sd, self.mean + NINETY * self.sd

    def __str__(self) -> str:
        point = ", ".join(f"{one_line(name)} = {brief(value)}" for name, value in self.params.items())
        return f"{point}: {self.expected} after {self.n_observed} results"

    @property
    def expected(self) -> str:
        """What to expect there, in words: the value, or all outcomes and the chance that the limits hold."""
        if not self.outcomes:
            return measured(self.mean, self.sd)
        each = ", ".join(f"{one_line(name)} {measured(*pair)}" for name, pair in self.outcomes.items())
        return each if self.chance is None else f"{each}; the limits hold with a chance of {likelihood(self.chance)}"

    __repr__ = brief_repr


@dataclass(frozen=True, eq=False)
class Prediction:
    """What the model expects at several points, in user units: arrays as long as there are points.

    `mean` is the posterior mean of the noise-free value and `sd` its standard deviation; the noise of a measurement
    comes on top.
    """

    mean: NDArray[np.float64]
    sd: NDArray[np.float64]
    outcomes: Mapping[str, "Prediction"] = field(default_factory=dict)
    """The same of each named outcome; `mean` and `sd` are those of the first objective."""
    chance: NDArray[np.float64] | None = None
    """That all limits hold at each point; None if there are none."""

    def __len__(self) -> int:
        return len(self.mean)


class Gain(float):
    """By how much `q` more points are expected to improve the recommendation, in user units: a float with its error."""

    sem: float
    q: int
    cost: float | None
    """What these points are expected to cost; None where no cost is known."""

    def __new__(cls, value: float, sem: float = 0.0, q: int = 1, cost: float | None = None) -> "Gain":
        gain = super().__new__(cls, value)
        gain.sem = float(sem)
        gain.q = int(q)
        gain.cost = None if cost is None else float(cost)
        return gain

    def __getnewargs__(self) -> tuple[float, float, int, float | None]:  # type: ignore[override]
        return float(self), self.sem, self.q, self.cost

    @property
    def value(self) -> float:
        return float(self)

    @property
    def per_cost(self) -> float:
        """By how much per unit of cost; where no cost is known, in all."""
        return self.value if self.cost is None else self.value / self.cost

    def __repr__(self) -> str:
        price = "" if self.cost is None else f", cost={self.cost:.4g}"
        return f"Gain({self.value:.4g} ± {self.sem:.1g}, q={self.q}{price})"


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


def within(trials: Iterable[Trial], limits: Iterable[Limit]) -> list[Trial]:
    """Those with a value whose measured outcomes hold all limits; what was not measured holds none."""
    limits = tuple(limits)
    return [
        trial
        for trial in trials
        if trial.value is not None
        and all(each.outcome in trial.outcomes and each.holds(trial.outcomes[each.outcome].value) for each in limits)
    ]


def failure(value: float, what: str = "value") -> str | None:
    """Why a trial with this value has failed: it is not finite. None if it is."""
    return None if math.isfinite(value) else f"the {what} was {value}"
