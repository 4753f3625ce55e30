"""What a question is about: where points may be tried, and what is minimised there.

A study is about f. With `given` values of some parameters it is about f in that context, and with `over` about the
average over several contexts. Where every trial lies in the one context that is meant, the others are nothing but
columns that never change: then the question is that of a study of the other parameters (`inside`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, TypeVar

import numpy as np

from knowgrad.acquisition.blurred import Blurred
from knowgrad.acquisition.target import Averaged, Target
from knowgrad.advisor.moment import LATEST, Moment
from knowgrad.errors import ArgumentError
from knowgrad.gp.linalg import Array
from knowgrad.space import Candidates, Contexts, Params, Space, graded, rest_of
from knowgrad.space.contexts import in_contexts, pins
from knowgrad.space.lists.sublists import common
from knowgrad.space.looks.fidelity import traced_parameter
from knowgrad.space.tolerance import shifted
from knowgrad.text import shown
from knowgrad.trial import Trial

M = TypeVar("M", bound=Moment)
NODES = {1: 9, 2: 5, 3: 5}  # of the quadrature along each parameter with a tolerance; with more parameters, a lattice
LATTICE = 128


@dataclass(frozen=True, eq=False)
class About:
    """The contexts, by the values of the parameters they fix, with their weights; none: f itself."""

    space: Space
    contexts: tuple[Params, ...]
    weights: Array
    at: Params = field(default_factory=dict)
    """Fidelities and sources at the values that one decides at: points may be tried at others."""

    @property
    def fixed(self) -> Params:
        """The values of the one context, if it is one, and of fidelities that have no others."""
        if len(self.contexts) > 1:
            return {}
        return {**dict(*self.contexts), **{name: at for name, at in self.at.items() if self._is_single(name)}}

    def _is_single(self, name: str) -> bool:
        return self.space.parameters[name].levels == 1

    @property
    def averaged(self) -> tuple[str, ...]:
        """The parameters that are no part of an answer, because it holds for several of their values."""
        if len(self.contexts) < 2:
            return ()
        return tuple(name for name in self.contexts[0] if len({each[name] for each in self.contexts}) > 1)

    def domain(self, moment: Moment) -> Space | Contexts:
        """Where points may be tried."""
        return self._within(self.contexts, moment)

    def decided_in(self, moment: Moment) -> Space | Contexts:
        """Where recommendations may lie."""
        return self._within(self._wholes, moment)

    def _within(self, contexts: Sequence[Params], moment: Moment) -> Space | Contexts:
        if not contexts:
            return moment.domain()
        found = in_contexts(self.space, contexts)
        return found if found.is_unconstrained or not moment.trials else found.around(moment.data.points[-LATEST:])

    @property
    def _wholes(self) -> tuple[Params, ...]:
        """The contexts at the values that one decides at."""
        if not self.at:
            return self.contexts
        return tuple({**context, **self.at} for context in self.contexts or ({},))

    @cached_property
    def target(self) -> Target | None:
        """What is minimised there."""
        return Target(*pins(self.space, self._wholes), self.weights) if self._wholes else None

    def decided(self, tolerance: Mapping[str, float]) -> Averaged | None:
        """What is minimised where some settings are held to a tolerance only."""
        return blurred(self.space, tolerance, self.target) if tolerance else self.target

    def check_tolerance(self, tolerance: Mapping[str, float]) -> None:
        if self._wholes and (both := [name for name in tolerance if name in self._wholes[0]]):
            raise ArgumentError(
                f"tolerance: expected parameters that are left to choose, got {shown(both)}, whose values are given; "
                "leave them out here or there"
            )

    def holds(self, trial: Trial) -> bool:
        """Does the trial lie in one of the contexts?"""
        return not self._wholes or any(_is_in(trial, context) for context in self._wholes)

    def is_in_context(self, trial: Trial) -> bool:
        """Does the trial lie in one of the contexts, at whatever fidelity?"""
        return not self.contexts or any(_is_in(trial, context) for context in self.contexts)

    def inside(self, moment: M) -> M | None:
        """The study of the other parameters, if all trials lie in the one context; None if not."""
        fixed = self.fixed
        if not fixed or not all(_is_in(trial, fixed) for trial in moment.trials):
            return None
        if any(trial.curve for trial in moment.trials) and traced_parameter(self.space) in fixed:
            return None  # steps of their curves do not lie there
        trials = tuple(replace(trial, params=_without(trial.params, fixed)) for trial in moment.trials)
        return moment.within(fixed, lambda: rest_of(self.space, [fixed]), trials)

    def whole(self, params: Mapping[str, Any]) -> Params:
        """Params of the other parameters with those that are fixed."""
        both = {**params, **self.fixed}
        return {name: both[name] for name in self.space.names if name in both}

    def answered(self, params: Params) -> Params:
        """Params without those that an average is over, and without labels that differ between its contexts."""
        left = {name: value for name, value in params.items() if name not in self.averaged}
        if not self.averaged or not isinstance(self.space, Candidates):
            return left
        return common(self.space, left, self.contexts)


def about(moment: Moment, given: Params | None = None) -> About:
    """With these values of parameters; where they are, the study's own average is not over them."""
    given = given or {}
    over = [(name, pairs) for name, pairs in moment.settings.over if name not in given]
    taken = {*given, *(name for name, _ in over)}
    at = {name: each.target for name, each in graded(moment.space.parameters).items() if name not in taken}
    if not given and not over:
        return About(moment.space, (), np.ones(1), at)
    contexts, weights = [], []
    for row in product(*(pairs for _, pairs in over)):
        values = {**given, **{name: value for (name, _), (value, _) in zip(over, row, strict=True)}}
        contexts.append({name: values[name] for name in moment.space.names if name in values})
        weights.append(float(np.prod([weight for _, weight in row])))
    return About(moment.space, tuple(contexts), np.array(weights), at)


def blurred(space: Space, tolerance: Mapping[str, float], target: Target | None) -> Blurred:
    """The average over all settings within the tolerance, each as likely as the other."""
    offsets, shares = _within(len(tolerance))

    def shift(U: Array) -> tuple[Array, Array]:
        moved = np.repeat(U[:, None], len(shares), axis=1)
        slope = np.ones_like(moved)
        for j, (name, width) in enumerate(tolerance.items()):
            column = space.columns[name].start
            moved[:, :, column], slope[:, :, column] = shifted(space, U, name, width * offsets[:, j])
        return moved, slope

    return Blurred(shift, shares, target)


def _within(p: int) -> tuple[Array, Array]:
    """Points of [−1, 1]^p and their weights: Gauss's, or a lattice where these would be too many."""
    if p in NODES:
        nodes, weights = np.polynomial.legendre.leggauss(NODES[p])
        offsets = np.array(list(product(nodes, repeat=p)))
        return offsets, np.array([np.prod(each) for each in product(weights / 2.0, repeat=p)])
    steps = np.array([2.0 ** (-(j + 1) / (p + 1)) for j in range(p)])
    return 2.0 * ((np.arange(LATTICE)[:, None] + 0.5) * steps % 1.0) - 1.0, np.full(LATTICE, 1.0 / LATTICE)


def _is_in(trial: Trial, context: Mapping[str, Any]) -> bool:
    return all(trial.params.get(name) == value for name, value in context.items())


def _without(params: Mapping[str, Any], fixed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name not in fixed}
