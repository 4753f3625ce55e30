"""`KnowledgeGradientPruner`: ends Optuna's trials whose rest is not worth its cost.

What the rest of a run would tell, per step, is held against the best other use of the worker, as
`knowgrad.Study.worth_continuing` does. Where the sampler does not choose the number of steps, that is a whole run. The
sampler takes what pruned and running trials have reported into its model.
"""

from __future__ import annotations

import logging

from optuna.pruners import BasePruner
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from knowgrad.advisor.continuing import Continuing
from knowgrad.checked import count
from knowgrad.errors import NoDataError
from knowgrad.integrations.optuna.recommendation import seen
from knowgrad.integrations.optuna.sampler import KnowledgeGradientSampler
from knowgrad.integrations.optuna.steps import Counting
from knowgrad.integrations.steps import is_due

logger = logging.getLogger(__name__)


class KnowledgeGradientPruner(Counting, BasePruner):
    """Prunes by value per cost.

    Goes with `KnowledgeGradientSampler`, and with any other sampler. Where the sampler's `space` has a `kg.Fidelity`,
    steps are its values. Else the step itself is the fidelity, and a whole run costs as much as any other.
    """

    def __init__(
        self,
        n_steps: int | None = None,
        *,
        n_startup_trials: int = 5,
        n_warmup_steps: int = 0,
        sampler: KnowledgeGradientSampler | None = None,
    ) -> None:
        """
        Args:
            n_steps: how many steps a whole run has. None: as many as completed trials have reported.
            n_startup_trials: nothing is pruned before so many trials are complete.
            n_warmup_steps: no trial is pruned before this step.
            sampler: says what is known about space, noise and seed. None: the study's own if it is one of ours, else a
                default one.
        """
        self.n_steps = None if n_steps is None else count(n_steps, "n_steps")
        self._startup = count(n_startup_trials, "n_startup_trials", least=0)
        self._warmup = count(n_warmup_steps, "n_warmup_steps", least=0)
        self._sampler = sampler
        self._decided: dict[tuple[str, int], tuple[int, bool]] = {}

    def prune(self, study: Study, trial: FrozenTrial) -> bool:
        """Decided once a trial has reported; again whenever it has reported twice as often."""
        reports, last = len(trial.intermediate_values), trial.last_step
        done = len(study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)))
        if last is None or last < self._warmup or done < max(self._startup, 1):
            return False
        key = (study.study_name, trial.number)
        before, answer = self._decided.get(key, (0, False))
        if not is_due(reports, before):
            return answer and reports == before
        told = self._continuing(study, trial)
        answer = told is not None and not told.is_worth_it
        self._decided[key] = (reports, answer)
        if told is not None and answer:
            logger.info(
                "trial %d is pruned at step %d: its rest is worth %.3g per cost, another point %.3g",
                *(trial.number, last, told.rest, told.other),
            )
        return answer

    def _continuing(self, study: Study, trial: FrozenTrial) -> Continuing | None:
        """What the rest of a run is worth; None where nothing speaks against going on."""
        try:
            snapshot, _, reports = seen("prune", study, self._sampler)
        except NoDataError:
            return None
        running = next((each for each in snapshot.trials if each.id == str(trial.number)), None)
        if reports is None or running is None or not running.curve:
            return None
        at, end = running.curve[-1][0], running.params[reports.steps.name]
        return None if at >= end else snapshot.continuing(running, reports.steps.whole)
