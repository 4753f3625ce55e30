"""`Moment`: a study at one moment, every trial encoded once and the model fitted once.

The model is a function of the results, that is of the completed and failed trials, and of the settings. So moments that
differ only in what is pending share it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeVar

import numpy as np

from knowgrad.acquisition.methods import resolve
from knowgrad.advisor.memo import Memo
from knowgrad.advisor.threads import one_thread
from knowgrad.errors import ArgumentError, NoDataError
from knowgrad.gp.fit import HASTY
from knowgrad.gp.laplace import noise_interval
from knowgrad.model.data import Data
from knowgrad.model.fitted import Fitted, fitted, further
from knowgrad.model.outliers import is_far, surprise
from knowgrad.model.traces import running, settled, under_way
from knowgrad.model.warp import Identity
from knowgrad.space import Space
from knowgrad.text import shown
from knowgrad.trial import Settings, Trial

T = TypeVar("T")
LATEST = 256  # trials whose points are known to lie in the domain


@dataclass(frozen=True, eq=False)
class Moment:
    """The space, the trials that were handed out or added, by number, and the settings."""

    space: Space
    trials: Sequence[Trial]
    settings: Settings
    _fit: Memo = field(default_factory=Memo, init=False, repr=False)
    """The model and what is made of it alone, shared by moments with the same results."""
    _settled: Memo = field(default_factory=Memo, init=False, repr=False)
    """The same without the steps of runs that go on, shared by moments with the same results but for these."""
    _before: Data | None = field(default=None, init=False, repr=False)
    """Trials that were encoded for another moment."""
    _kept: Memo = field(default_factory=Memo, init=False, repr=False)
    """What else was computed."""
    _always: Memo = field(default_factory=Memo, init=False, repr=False)
    """What rests on the space and the settings alone."""
    _parts: Any = field(default=None, init=False, repr=False)
    """Of several outcomes, the studies of each that another moment had."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "trials", tuple(self.trials))
        if not any(map(running, self.trials)):
            object.__setattr__(self, "_settled", self._fit)

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self.space, self.trials, self.settings)  # a lock cannot be pickled

    @property
    def complete(self) -> tuple[Trial, ...]:
        return self._kept.get("complete", lambda: self._in("complete"))

    @property
    def results(self) -> tuple[Trial, ...]:
        """What the model rests on."""
        return self._kept.get("results", lambda: self._in("complete", "failed", traced=True))

    def _in(self, *states: str, traced: bool = False) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if trial.state in states or (traced and trial.curve))

    @property
    def data(self) -> Data:
        """The trials with their points in the unit cube."""
        return self._kept.get("data", lambda: Data.of(self.space, self.trials, self._before))

    @property
    def how(self) -> str:
        """How the hyperparameters are found: the user's `fit`, or the method's."""
        return str(self.settings.fit or resolve(self.settings.method).fit)

    @property
    def model(self) -> Fitted:
        """At least one trial must be complete."""
        if self._settled is self._fit:
            return self._fit.get("model", self._fitted)
        known, steps = self._settled.get("model", self._fitted), under_way(self.trials, self.space)
        return self._fit.get("model", lambda: further(known, self.space, steps, self.settings))

    @one_thread
    def _fitted(self) -> Fitted:
        if len(names := [name for name, _ in self.settings.objectives]) > 1:
            raise ArgumentError(
                f"the model: expected a study of one objective, got {shown(names)}; use outcome({names[0]!r}) for one "
                "of them, or expect() for what all models say"
            )
        if not self.complete:
            raise NoDataError("the model: expected at least one result, got none; tell() or add() one first")
        data = settled(self.data)
        if self.is_averaged:
            return fitted(self.space, data, self.settings, self.how, linear=True)
        return fitted(self.space, data, self.settings, self.how)

    @property
    def hasty(self) -> Fitted:
        """The model with hyperparameters found on fewer results, where there are many."""
        if len(self.results) <= 2 * HASTY.first or self.how == "bayes":
            return self.model
        make = one_thread(fitted)
        return self._fit.get(
            "hasty",
            lambda: make(self.space, self.data, self.settings, self.how, linear=self.is_averaged, effort=HASTY),
        )

    @property
    def is_averaged(self) -> bool:
        """Is it the average over several contexts that is to be good?"""
        return any(len(pairs) > 1 for _, pairs in self.settings.over)

    @property
    def linear(self) -> Fitted:
        """The model of the values as they are: for averages, which those of warped values are not."""
        if isinstance(self.model.units.warp, Identity):
            return self.model
        return self._fit.get("linear", lambda: fitted(self.space, self.data, self.settings, self.how, linear=True))

    def is_surprising(self, params: Mapping[str, Any], value: float, sem: float | None) -> bool:
        """Does a result at params contradict the model? Only one that was fitted before is asked."""
        found: Fitted | None = self._fit.find("model")
        if found is None:
            return True  # nothing speaks for it
        at, result = self.space.encode_many([params]), np.array([value], dtype=float)
        result = result if found.bias is None else result - found.bias(at)
        sd = np.array([np.nan if sem is None else sem])
        return all(is_far(float(surprise(post, found.units, at, result, sd)[0])) for post in found.observed)

    def once(self, key: str, compute: Callable[[], T]) -> T:
        """What is made of the results alone, computed once."""
        return self._fit.get(key, compute)

    def always(self, key: str, compute: Callable[[], T]) -> T:
        """What is made of the space and the settings alone, computed once for all moments of a study."""
        return self._always.get(key, compute)

    def noise_interval(self) -> tuple[float, float]:
        """A 90 % interval of the learned noise's standard deviation, in the units of the model."""
        found, groups = self.model, self.space.groups
        return self._fit.get("noise", lambda: noise_interval(found.observed, found.known, groups))

    def domain(self) -> Space:
        """The space with what was tried of it in mind, for where it is too small to be found by chance.

        A new one for each question: a space remembers how hard it was to sample, and no answer may depend on that.
        """
        if self.space.is_unconstrained or not self.trials:
            return self.space
        return self.space.around(self.data.points[-LATEST:])

    def rng(self, purpose: int) -> np.random.Generator:
        """Random numbers for one purpose: the same for the same seed and number of trials."""
        return np.random.default_rng([self.settings.seed, len(self.trials), purpose])

    def given(self, trials: Sequence[Trial]) -> Self:
        """The study with these trials instead; what is known already is kept, as far as it is the same."""
        trials = tuple(trials)
        if trials == self.trials:
            return self
        other = replace(self, trials=trials)
        object.__setattr__(other, "_before", self._kept.find("data"))
        object.__setattr__(other, "_always", self._always)
        object.__setattr__(other, "_parts", self._kept.find("parts") or self._parts)
        if _are_the_same(other.results, self.results):
            object.__setattr__(other, "_fit", self._fit)
            object.__setattr__(other, "_settled", self._settled)
        elif _are_the_same(*(tuple(t for t in each.results if not running(t)) for each in (other, self))):
            object.__setattr__(other, "_settled", self._settled)
            if not any(map(running, trials)):
                object.__setattr__(other, "_fit", self._settled)
        return other

    def within(self, fixed: Mapping[str, Any], rest: Callable[[], Space], trials: Sequence[Trial]) -> Self:
        """The study of the `rest` of the parameters, where all trials have the values that are fixed."""

        def inside(said: Any) -> Any:
            return (lambda params: said({**fixed, **params})) if callable(said) else said

        whole = self.settings
        noises = tuple((name, inside(noise)) for name, noise in whole.noises)
        settings = replace(whole, over=(), noise=inside(whole.noise), cost=inside(whole.cost), noises=noises)
        first = self._fit.get(("within", *fixed.items()), lambda: type(self)(rest(), trials, settings))
        return first.given(trials)


def _are_the_same(results: Sequence[Trial], others: Sequence[Trial]) -> bool:
    """Are they the same to a model? What was noted about them, or corrected back, is not its business."""
    if len(results) != len(others):
        return False
    return all(a is b or replace(a, history=()) == replace(b, history=()) for a, b in zip(results, others, strict=True))
