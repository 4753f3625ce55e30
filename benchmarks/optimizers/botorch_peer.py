"""BoTorch: qKnowledgeGradient, qLogNoisyExpectedImprovement and qLogExpectedImprovement on its default model.

Each batch is optimized jointly with 10 restarts from 512 raw samples. The recommendation is the argmax of the posterior
mean over the domain.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from botorch.acquisition import PosteriorMean, qKnowledgeGradient, qLogExpectedImprovement
from botorch.acquisition.logei import qLogNoisyExpectedImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from botorch.models.transforms import Standardize
from botorch.optim import optimize_acqf
from gpytorch.mlls import ExactMarginalLogLikelihood

from benchmarks.optimizers.cube import Array, Cube
from benchmarks.tasks import Parameter, Params

RESTARTS, RAW_SAMPLES, FANTASIES = 10, 512, 64
EXACT = 1e-6  # noise variance of exact data relative to theirs: less than what double precision bears is no use


class BoTorch(Cube):
    def __init__(self, variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> None:
        super().__init__(parameters)
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        self._variant, self._noisy = variant, noisy

    def ask(self, q: int) -> list[Params]:
        return self.asked(self._maximize(self._acquisition(self._model()), q))

    def recommend(self) -> Params | None:
        return self.point(self._maximize(PosteriorMean(self._model()), 1)[0])

    def _model(self) -> SingleTaskGP:
        X, Y = torch.from_numpy(self.X), torch.from_numpy(-self.y)[:, None]
        known = None if self._noisy else torch.full_like(Y, EXACT * float(Y.var()))
        model = SingleTaskGP(X, Y, known, outcome_transform=Standardize(1))
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        return model

    def _acquisition(self, model: SingleTaskGP) -> Any:
        X = torch.from_numpy(self.X)
        if self._variant == "qkg":
            return qKnowledgeGradient(model, num_fantasies=FANTASIES)
        if self._variant == "qlognei":
            return qLogNoisyExpectedImprovement(model, X_baseline=X, prune_baseline=True)
        with torch.no_grad():
            best = model.posterior(X).mean.max() if self._noisy else torch.tensor(-self.y.min())
        return qLogExpectedImprovement(model, best_f=best)

    def _maximize(self, acquisition: Any, q: int) -> Array:
        bounds = torch.tensor([[0.0], [1.0]], dtype=torch.float64).expand(2, len(self.parameters))
        batch, _ = optimize_acqf(acquisition, bounds, q=q, num_restarts=RESTARTS, raw_samples=RAW_SAMPLES)
        return np.asarray(batch.detach().numpy())


def create(variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> BoTorch:
    return BoTorch(variant, parameters, seed, noisy)
