"""BoTorch where several outcomes count; a choice has a column for each of its options."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from benchmarks.peers.outcomes_kept import Array, Kept
from benchmarks.problems.outcomes import Problem


class BoTorch(Kept):
    """Constrained qLogNEI, or qLogNEHVI with the reference point that scores are measured from; default models.

    Nobody else is told that point. Inferred from the points tried so far, as BoTorch offers, it may lie before most of
    the front.
    """

    def __init__(self, problem: Problem, seed: int, noisy: bool, restarts: int = 4, raw: int = 128) -> None:
        import torch

        super().__init__(problem)
        torch.set_num_threads(1)
        torch.set_default_dtype(torch.float64)
        torch.manual_seed(seed)
        self._noisy, self._restarts, self._raw = noisy, restarts, raw

    def _model(self) -> Any:
        import torch
        from botorch.fit import fit_gpytorch_mll
        from botorch.models import ModelListGP, SingleTaskGP
        from botorch.models.transforms import Standardize
        from gpytorch.mlls import SumMarginalLogLikelihood

        X, models = torch.from_numpy(encoded(self.U, self.problem.options)), []
        for y in -self.Y.T:
            values = torch.from_numpy(y.copy())[:, None]
            known = None if self._noisy else torch.full_like(values, 1e-6 * float(values.var()))
            models.append(SingleTaskGP(X, values, known, outcome_transform=Standardize(1)))
        model = ModelListGP(*models)
        fit_gpytorch_mll(SumMarginalLogLikelihood(model.likelihood, model))
        return model

    def ask(self, q: int) -> Array:
        import torch
        from botorch.acquisition.logei import qLogNoisyExpectedImprovement
        from botorch.acquisition.multi_objective.logei import qLogNoisyExpectedHypervolumeImprovement
        from botorch.acquisition.objective import GenericMCObjective

        model, X = self._model(), torch.from_numpy(encoded(self.U, self.problem.options))
        several = self.problem.objectives > 1
        if several:
            corner = [-each for each in self.problem.reference]
            acquisition: Any = qLogNoisyExpectedHypervolumeImprovement(model, corner, X, prune_baseline=True)
        else:
            acquisition = qLogNoisyExpectedImprovement(
                model,
                X,
                objective=GenericMCObjective(lambda Z, X=None: Z[..., 0]),
                constraints=[lambda Z, k=k: -Z[..., k] for k in range(1, 1 + self.problem.limits)],
                prune_baseline=True,
            )
        return decoded(self._batch(acquisition, X, q).detach().numpy(), self.problem.options)

    def _batch(self, acquisition: Any, X: Any, q: int) -> Any:
        """In a table, by looking at all its rows that were not tried; else with each option of a choice in turn."""
        import torch
        from botorch.optim import optimize_acqf, optimize_acqf_discrete, optimize_acqf_mixed

        cube, options = torch.tensor([[0.0], [1.0]]).expand(2, X.shape[1]), self.problem.options
        how = {"num_restarts": self._restarts, "raw_samples": self._raw}
        if all(options):
            rows = np.array(list(product(*(np.arange(n) / (n - 1) for n in options))))
            return optimize_acqf_discrete(acquisition, q, torch.from_numpy(encoded(rows, options)), X_avoid=X)[0]
        if any(options):
            fixed = [{i: float(i == k) for i in range(options[0])} for k in range(options[0])]
            return optimize_acqf_mixed(acquisition, cube, q=q, fixed_features_list=fixed, **how)[0]
        return optimize_acqf(acquisition, cube, q=q, sequential=self.problem.objectives > 1, **how)[0]

    def recommend(self) -> Array:
        import torch

        model = self._model()
        with torch.no_grad():
            posterior = model.posterior(torch.from_numpy(encoded(self.U, self.problem.options)))
        mean, sd = -posterior.mean.numpy(), posterior.variance.clamp_min(1e-18).sqrt().numpy()
        normal = torch.distributions.Normal(0.0, 1.0)
        k = self.problem.objectives
        return self.best(mean, normal.cdf(torch.from_numpy(-mean[:, k:] / sd[:, k:])).numpy().prod(axis=1))


def encoded(U: Array, options: Sequence[int]) -> Array:
    """Points of the cube with a column for each option."""
    columns = [
        np.round(u[:, None] * (n - 1)) == np.arange(n) if n else u[:, None] for u, n in zip(U.T, options, strict=True)
    ]
    return np.hstack(columns).astype(float)


def decoded(X: Array, options: Sequence[int]) -> Array:
    """And back."""
    blocks = np.split(X, np.cumsum([n or 1 for n in options])[:-1], axis=1)
    columns = [each.argmax(axis=1) / (n - 1) if n else each[:, 0] for each, n in zip(blocks, options, strict=True)]
    return np.stack(columns, axis=1)
