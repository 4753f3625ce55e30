"""`KnowledgeGradientScheduler`: ends Ray Tune's trials whose rest is not worth its cost.

Tune asks the scheduler whether a trial is to go on, and the search algorithm for the next one. Both are answered by the
same model: the scheduler asks the `KnowledgeGradientSearch` beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ray.tune.schedulers import FIFOScheduler, TrialScheduler

from knowgrad.checked import count
from knowgrad.errors import ArgumentError
from knowgrad.integrations.ray.searcher import KnowledgeGradientSearch


class KnowledgeGradientScheduler(FIFOScheduler):
    """A scheduler for `tune.TuneConfig(scheduler=...)`, beside `search_alg=KnowledgeGradientSearch(...)`.

    What the rest of a run would tell, per cost, is held against the best other use of its resources, as
    `knowgrad.Study.worth_continuing` does.
    """

    def __init__(self, *, grace_period: int = 1, n_startup_trials: int = 5) -> None:
        """
        Args:
            grace_period: no trial is stopped before so many units of `time_attr`.
            n_startup_trials: none is before so many trials are complete.
        """
        super().__init__()
        self._grace = count(grace_period, "grace_period", least=0)
        self._startup = count(n_startup_trials, "n_startup_trials", least=0)

    def on_trial_result(self, tune_controller: Any, trial: Any, result: Mapping[str, Any]) -> str:
        search = _searcher(tune_controller.search_alg)
        goes_on = search.goes_on(trial.trial_id, result, self._grace, self._startup)
        return str(TrialScheduler.CONTINUE if goes_on else TrialScheduler.STOP)


def _searcher(found: Any) -> KnowledgeGradientSearch:
    """The search algorithm, out of what Tune and its limiters have wrapped it in."""
    while found is not None and not isinstance(found, KnowledgeGradientSearch):
        found = getattr(found, "searcher", None)
    if found is None:
        raise ArgumentError(
            "KnowledgeGradientScheduler: expected a KnowledgeGradientSearch beside it, got another search algorithm; "
            "pass search_alg=KnowledgeGradientSearch(max_t=100), say"
        )
    return found
