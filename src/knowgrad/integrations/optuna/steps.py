"""What Optuna's trials report as they go, as learning curves: a step is a value of a fidelity.

| the fidelity | where it is from | suggestions |
|---|---|---|
| a `kg.Fidelity` of the declared space | the sampler's `space` | choose it: the objective asks for it |
| the step itself, from 1 to the last | `KnowledgeGradientPruner` | are whole runs, which the pruner may end |

Steps are counted from 1; where any trial has reported a step 0, all are one higher. Whole runs are at the last step. A
trial that was pruned is a result at the step that it has reached.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from knowgrad.errors import SpaceError
from knowgrad.space import Fidelity, Params, Space, graded
from knowgrad.space.looks.fidelity import has_curves, traced_parameter
from knowgrad.trial import Trial, failure

KEY = "(step)"


class Counting:
    """A pruner that takes the steps of trials for a fidelity; `n_steps`: of a whole run, None: what trials have had."""

    n_steps: int | None = None


def steps_of(study: Study, space: Space, trials: Sequence[FrozenTrial]) -> Steps | None:
    """None where steps mean nothing: no fidelity in the space, and a pruner that does not count them."""
    if (found := Steps.declared(space, trials)) is not None or graded(space.parameters):
        return found
    pruner: object = study.pruner
    return Steps.counted(space, trials, pruner.n_steps) if isinstance(pruner, Counting) else None


@dataclass(frozen=True)
class Steps:
    """A space with the fidelity `name`; `whole`: its value in runs to the end, if it is no parameter of the trials."""

    space: Space
    name: str
    shift: int
    whole: Params

    @classmethod
    def declared(cls, space: Space, trials: Sequence[FrozenTrial]) -> Steps | None:
        """Of a space that has one fidelity."""
        if not has_curves(space):
            return None
        name = traced_parameter(space)
        low: float = space.parameters[name].low  # type: ignore[attr-defined]
        return cls(space, name, _shift(trials) if low > 0 else 0, {})

    @classmethod
    def counted(cls, space: Space, trials: Sequence[FrozenTrial], n_steps: int | None) -> Steps | None:
        """Of any other: the step is one. None: as many as a completed trial has had; nothing before there is one."""
        done = [trial.last_step for trial in trials if trial.state == TrialState.COMPLETE]
        shift = _shift(trials)
        last = n_steps or max((step + shift for step in done if step is not None), default=1)
        if last < 2 or KEY in space.parameters:
            return None
        feasible, key = space.feasible, {KEY: Fidelity(1, last, log=True)}
        allowed = None if feasible is None else lambda params: feasible(_without(params))
        whole = Space({**space.parameters, **key}, constraints=space.constraints, feasible=allowed)
        return cls(whole, KEY, shift, {KEY: last})

    def traced(self, trial: Trial, theirs: FrozenTrial) -> Trial:
        """The trial with its curve; one that was pruned is complete where it stands, or failed if that is no number."""
        params = {**trial.params, **self.whole}
        curve = self._curve(theirs, params[self.name])
        source = "queue" if "fixed_params" in theirs.system_attrs else trial.source
        made = replace(trial, params=params, curve=curve, source=source)
        if theirs.state != TrialState.PRUNED:
            return made
        last = theirs.last_step
        if last is None or not curve or failure(theirs.intermediate_values[last]):
            return replace(made, state="failed", value=None, sem=None)
        at, value = curve[-1]
        return replace(made, state="complete", params={**params, self.name: at}, value=value, sem=None)

    def _curve(self, trial: FrozenTrial, end: float) -> tuple[tuple[float, float], ...]:
        """The steps that are values of the fidelity, up to the end of the run."""
        kind, found = self.space.parameters[self.name], []
        for step, value in sorted(trial.intermediate_values.items()):
            try:
                at: Any = kind.check(step + self.shift)
            except SpaceError:
                continue
            if at <= end and math.isfinite(value):
                found.append((at, float(value)))
        return tuple(found)


def _shift(trials: Sequence[FrozenTrial]) -> int:
    return int(any(0 in trial.intermediate_values for trial in trials))


def _without(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name != KEY}
