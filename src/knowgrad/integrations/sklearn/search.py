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
from knowgrad.integrations.sklearn.distributions import as_spaces
from knowgrad.integrations.sklearn.parts import Candidate, Parts
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
        with `rvs`, such as those of `scipy.stats`. Of several dicts each has a model of its own. A `kg.Space` may have
        constraints between parameters.
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
    ) -> None:
        self.param_distributions, self.n_iter, self.batch_size = param_distributions, n_iter, batch_size
        self.noise, self.random_state = noise, random_state
        how = {"scoring": scoring, "n_jobs": n_jobs, "refit": refit, "cv": cv, "verbose": verbose}
        how |= {"pre_dispatch": pre_dispatch, "error_score": error_score, "return_train_score": return_train_score}
        super().__init__(estimator=estimator, **how)

    def _run_search(self, evaluate_candidates: Any, *, callback_ctx: Any = None) -> None:
        seed = int(check_random_state(self.random_state).randint(2**31))
        noise = "learned" if self.noise == "cv" else self.noise
        settings = checked_settings(seed, "maximize", noise, "qkg", None)
        parts = Parts(as_spaces(self.param_distributions), settings, self.n_iter)
        warned = Warned()
        with Tasks.of(callback_ctx, self, parts.most) as tasks:
            try:
                self._search(parts, tasks.around(evaluate_candidates), warned)
            finally:
                warned.say()
        self._posterior_index = 0
        if best := parts.best():
            self._posterior_index = int(best[0])
            self.recommendation_: Recommendation = best[1]

    def _search(self, parts: Parts, evaluate: Callable[[list[Params]], Results], warned: Warned) -> None:
        """Batch after batch, until there are as many candidates as wanted."""
        batch_size = self.batch_size or max(1, effective_n_jobs(self.n_jobs) // max(1, self.n_splits_))
        evaluated: list[Candidate] = []
        failed: list[tuple[int, Trial]] = []
        while (done := len(evaluated) + len(failed)) < parts.most:
            batch = parts.next(min(batch_size, parts.most - done))
            try:
                with warned.batch():
                    results = evaluate([parts.decode(candidate) for candidate in batch])
                evaluated += batch
            except ValueError as error:
                if "fits failed" not in str(error) or (done + len(batch) == parts.most and not evaluated):
                    raise
                # scikit-learn takes that for the end, for a search it is a lesson.
                warned.fits_failed(str(error))
                failed += [(i, _failed(done + k, params)) for k, (i, params) in enumerate(batch)]
            parts.tell([*(self._trials(evaluated, results) if evaluated else ()), *failed])

    def _trials(self, evaluated: Sequence[Candidate], results: Results) -> list[tuple[int, Trial]]:
        """The candidates in the results; a score that is not finite is a failed trial. Their ids are their indices."""
        metric = self._metric(results)
        means, sems = results[f"mean_test_{metric}"], self._sems(results[f"std_test_{metric}"])
        return [
            (part, Trial(str(i), i, params, "failed", reason=reason))
            if (reason := failure(mean, "score"))
            else (part, Trial(str(i), i, params, "complete", float(mean), sem))
            for i, ((part, params), mean, sem) in enumerate(zip(evaluated, means, sems, strict=True))
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
        if not isinstance(refit, str) or refit != "posterior":
            return int(super()._select_best_index(refit, refit_metric, results))
        return self._posterior_index


def _failed(number: int, params: Params) -> Trial:
    return Trial(f"failed {number}", number, params, "failed", reason="no fold could be fitted")
