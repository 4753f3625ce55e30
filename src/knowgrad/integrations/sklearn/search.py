"""`KnowledgeGradientSearchCV`: cross-validated search whose candidates are chosen by q-KG, batch after batch.

`cv_results_` is the only store: trials are read from it before each batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from knowgrad.advisor.options import checked_settings
from knowgrad.integrations.sklearn.candidates import Tried
from knowgrad.integrations.sklearn.distributions import as_indexed
from knowgrad.integrations.sklearn.goals import goals_of, named_trials
from knowgrad.integrations.sklearn.tasks import Tasks
from knowgrad.integrations.sklearn.warned import Warned
from knowgrad.space import Params, Space
from knowgrad.trial import Recommendation, Trial, failure

Results = Mapping[str, Any]


class KnowledgeGradientSearchCV(BaseSearchCV):
    """Search over hyperparameters with cross-validation, in the place of `RandomizedSearchCV`.

    Parameters
    ----------
    estimator : estimator object
        What to tune; a pipeline's parameters are named `step__parameter`.
    param_distributions : dict, list of dicts or knowgrad.Space
        For each parameter a list of options, `kg.Float`, `kg.Int`, `(low, high)` of two numbers, or a distribution
        with `rvs`, such as those of `scipy.stats`. Several dicts are one space, whose parameters exist in some of
        them: what is learned about a parameter counts in all that have it. A `kg.Space` may have constraints.
    n_iter : int
        How many candidates to evaluate; fewer if there are no more different ones, which are then evaluated in their
        order, all at once. Batches that cannot be fitted at all count, but do not appear in `cv_results_`.
    batch_size : int or None
        How many candidates to choose jointly and evaluate at once. None: as many as keep `n_jobs` busy.
    noise : "cv", "learned" or float
        "cv": the spread of the scores of a candidate over the folds, divided by the root of their number, is the
        standard error of its score. See `knowgrad.Study` for the others.
    refit : bool, str or callable
        As everywhere, and "posterior": the candidate with the best posterior mean, rather than the one whose score
        was luckiest. With several metrics, the one named here is optimized; the first, if none is named.
    limits : list of str or None
        What has to hold of scores, or of "fit_time" and "score_time" in seconds: `["recall >= 0.9"]`. Each has a model
        of its own; what is refitted and recommended is the best within the limits.
    scoring, n_jobs, cv, verbose, pre_dispatch, random_state, error_score, return_train_score
        As in `RandomizedSearchCV`.

    Attributes
    ----------
    recommendation_ : knowgrad.Recommendation
        The best params by posterior mean over the whole space, with mean and sd; they need not be a candidate.
    cv_results_, best_estimator_, best_score_, best_params_, best_index_, scorer_, n_splits_, refit_time_, multimetric_
        As in `RandomizedSearchCV`.
    """

    _parameter_constraints: dict[str, Any] = {  # noqa: RUF012 - the name and form that scikit-learn reads
        **BaseSearchCV._parameter_constraints,
        "param_distributions": [dict, list, Space],
        "n_iter": [Interval(Integral, 1, None, closed="left")],
        "batch_size": [Interval(Integral, 1, None, closed="left"), None],
        "noise": [StrOptions({"cv", "learned"}), Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
        "limits": [list, tuple, str, None],
    }

    def __init__(
        self,
        estimator: Any,
        param_distributions: Mapping[str, Any] | Sequence[Mapping[str, Any]] | Space,
        *,
        n_iter: int = 10,
        batch_size: int | None = None,
        noise: str | float = "cv",
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: int | str = "2*n_jobs",
        random_state: Any = None,
        error_score: Any = np.nan,
        return_train_score: bool = False,
        limits: Sequence[str] | None = None,
    ) -> None:
        self.param_distributions, self.n_iter, self.batch_size = param_distributions, n_iter, batch_size
        self.noise, self.random_state, self.limits = noise, random_state, limits
        how = {"scoring": scoring, "n_jobs": n_jobs, "refit": refit, "cv": cv, "verbose": verbose}
        how |= {"pre_dispatch": pre_dispatch, "error_score": error_score, "return_train_score": return_train_score}
        super().__init__(estimator=estimator, **how)

    def _run_search(self, evaluate_candidates: Any, *, callback_ctx: Any = None) -> None:
        seed = int(check_random_state(self.random_state).randint(2**31))
        noise: Any = "learned" if self.noise == "cv" else self.noise
        goals = goals_of(self.limits, self.scoring, self.refit)
        if goals and not isinstance(noise, str):
            noise = {goals.names[0]: noise}
        settings = checked_settings(seed, "maximize", noise, "qkg", None, (), goals=goals)
        tried = Tried(as_indexed(self.param_distributions), settings, self.n_iter)
        warned = Warned()
        with Tasks.of(callback_ctx, self, tried.most) as tasks:
            try:
                self._search(tried, tasks.around(evaluate_candidates), warned)
            finally:
                warned.say()
        self._posterior_index, self._within, self._has_target = 0, tried.within(), tried.has_target
        if best := tried.best():
            self._posterior_index = int(best[0])
            self.recommendation_: Recommendation = best[1]

    def _search(self, tried: Tried, evaluate: Callable[[list[Params]], Results], warned: Warned) -> None:
        """Batch after batch, until there are as many candidates as wanted."""
        batch_size = self.batch_size or max(1, effective_n_jobs(self.n_jobs) // max(1, self.n_splits_))
        evaluated: list[Params] = []
        failed: list[Trial] = []
        while (done := len(evaluated) + len(failed)) < tried.most:
            batch = tried.next(min(batch_size, tried.most - done))
            try:
                with warned.batch():
                    results = evaluate([tried.decode(candidate) for candidate in batch])
                evaluated += batch
            except ValueError as error:
                if "fits failed" not in str(error) or (done + len(batch) == tried.most and not evaluated):
                    raise
                # scikit-learn takes that for the end, for a search it is a lesson.
                warned.fits_failed(str(error))
                failed += [_failed(done + k, params) for k, params in enumerate(batch)]
            tried.tell([*(self._trials(evaluated, results) if evaluated else ()), *failed])

    def _trials(self, evaluated: Sequence[Params], results: Results) -> list[Trial]:
        """The candidates in the results; a score that is not finite is a failed trial. Their ids are their indices."""
        if goals := goals_of(self.limits, self.scoring, self.refit):
            return named_trials(evaluated, results, goals, self._sems)
        metric = self._metric(results)
        means, sems = results[f"mean_test_{metric}"], self._sems(results[f"std_test_{metric}"])
        return [
            Trial(str(i), i, params, "failed", reason=reason)
            if (reason := failure(mean, "score"))
            else Trial(str(i), i, params, "complete", float(mean), sem)
            for i, (params, mean, sem) in enumerate(zip(evaluated, means, sems, strict=True))
        ]

    def _metric(self, results: Results) -> str:
        """The metric to optimize, by the name it has in the results."""
        names = [key.removeprefix("mean_test_") for key in results if key.startswith("mean_test_")]
        return self.refit if self.refit in names else names[0]

    def _sems(self, spreads: Any) -> list[float | None]:
        """Standard errors of the scores. A spread over few folds is uncertain: it goes halfway to that of all."""
        if self.noise != "cv" or self.n_splits_ < 2 or not np.isfinite(spreads).any():
            return [None] * len(spreads)
        variances = np.square(spreads)
        pooled = float(np.mean(variances[np.isfinite(variances)]))
        return [float(np.sqrt((variance + pooled) / 2 / self.n_splits_)) for variance in variances]

    def _select_best_index(self, refit: Any, refit_metric: str, results: Results) -> int:
        if isinstance(refit, str) and refit == "posterior":
            return self._posterior_index
        if callable(refit) or (self.limits is None and not self._has_target):
            return int(super()._select_best_index(refit, refit_metric, results))
        means = results[f"mean_test_{refit_metric}"]
        return max(self._within, key=lambda i: means[i], default=self._posterior_index)


def _failed(number: int, params: Params) -> Trial:
    return Trial(f"failed {number}", number, params, "failed", reason="no fold could be fitted")
