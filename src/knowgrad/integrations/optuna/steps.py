"""What Optuna's trials report as they go, as learning curves.

Steps are those of a `kg.Fidelity` of the sampler's `space`; else, with `KnowledgeGradientPruner`, the step is the
fidelity. They are counted from 1; where any trial has reported a step 0, all are one higher. A trial that was pruned is
a result at the step that it has reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from knowgrad.integrations.steps import Steps
from knowgrad.space import Space, graded
from knowgrad.trial import Trial, failure


class Counting:
    """A pruner that takes the steps of trials for a fidelity; `n_steps`: of a whole run, None: what trials have had."""

    n_steps: int | None = None


@dataclass(frozen=True)
class Reports:
    """The fidelity that steps are of, and by how much they are counted higher."""

    steps: Steps
    shift: int

    def traced(self, trial: Trial, theirs: FrozenTrial) -> Trial:
        """The trial with its curve; one that was pruned is complete where it stands, or failed if that is no number."""
        steps = self.steps
        params = {**trial.params, **steps.whole}
        curve = steps.curve(theirs.intermediate_values, params[steps.name], self.shift)
        source = "queue" if "fixed_params" in theirs.system_attrs else trial.source
        made = replace(trial, params=params, curve=curve, source=source)
        if theirs.state != TrialState.PRUNED:
            return made
        last = theirs.last_step
        if last is None or not curve or failure(theirs.intermediate_values[last]):
            return replace(made, state="failed", value=None, sem=None)
        at, value = curve[-1]
        return replace(made, state="complete", params={**params, steps.name: at}, value=value, sem=None)


def reports_of(study: Study, space: Space, trials: Sequence[FrozenTrial]) -> Reports | None:
    """None where steps mean nothing: no fidelity in the space, and a pruner that does not count them."""
    shift = int(any(0 in trial.intermediate_values for trial in trials))
    if (found := Steps.declared(space)) is not None:
        return Reports(found, shift if found.low > 0 else 0)
    pruner: object = study.pruner
    if graded(space.parameters) or not isinstance(pruner, Counting):
        return None
    done = [trial.last_step for trial in trials if trial.state == TrialState.COMPLETE]
    last = pruner.n_steps or max((step + shift for step in done if step is not None), default=1)
    found = Steps.counted(space, last)
    return None if found is None else Reports(found, shift)
