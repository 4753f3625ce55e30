"""BoTorch's qMultiFidelityKnowledgeGradient, as its tutorial on continuous fidelities uses it.

One point at a time, 64 fantasies, 5 restarts from 128 raw samples, its own multi-fidelity model, the cost 0.1 + 0.9 s
known. The last column is the fidelity, 1 the target. The recommendation is the argmax of the posterior mean there.
"""

from __future__ import annotations

import numpy as np
import torch
from botorch.acquisition import PosteriorMean
from botorch.acquisition.cost_aware import InverseCostWeightedUtility
from botorch.acquisition.fixed_feature import FixedFeatureAcquisitionFunction
from botorch.acquisition.knowledge_gradient import qMultiFidelityKnowledgeGradient
from botorch.acquisition.utils import project_to_target_fidelity
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskMultiFidelityGP
from botorch.models.cost import AffineFidelityCostModel
from botorch.models.transforms import Standardize
from botorch.optim import optimize_acqf
from botorch.optim.initializers import gen_one_shot_kg_initial_conditions
from gpytorch.mlls import ExactMarginalLogLikelihood
from numpy.typing import NDArray

RESTARTS, RAW_SAMPLES, FANTASIES = 5, 128, 64
Array = NDArray[np.float64]


class FidelityKG:
    """Points (n, d + 1) in the unit cube with values (n,) to be minimised."""

    def __init__(self, X: Array, y: Array, seed: int) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        self.X, self.y = X, y
        self._model = self._fitted()

    def tell(self, x: Array, y: float) -> None:
        self.X, self.y = np.vstack([self.X, x]), np.append(self.y, y)
        self._model = self._fitted()

    def ask(self) -> Array:
        """The next point (d + 1,)."""
        last = self.X.shape[1] - 1
        utility = InverseCostWeightedUtility(AffineFidelityCostModel(fidelity_weights={last: 0.9}, fixed_cost=0.1))
        _, value = self._best_mean()
        kg = qMultiFidelityKnowledgeGradient(
            self._model,
            num_fantasies=FANTASIES,
            current_value=value,
            cost_aware_utility=utility,
            project=lambda X: project_to_target_fidelity(X, {last: 1.0}, last + 1),
        )
        options = {"batch_limit": 5, "maxiter": 200}
        start = gen_one_shot_kg_initial_conditions(
            kg, self._bounds, 1, num_restarts=RESTARTS, raw_samples=RAW_SAMPLES, options=options
        )
        z, _ = optimize_acqf(
            kg,
            self._bounds,
            q=1,
            num_restarts=RESTARTS,
            raw_samples=RAW_SAMPLES,
            batch_initial_conditions=start,
            options=options,
        )
        return np.asarray(z[0].detach().numpy(), dtype=np.float64)

    def recommend(self) -> Array:
        """The best point at the target, without its fidelity (d,)."""
        return np.asarray(self._best_mean()[0].detach().numpy(), dtype=np.float64)

    @property
    def _bounds(self) -> torch.Tensor:
        d = self.X.shape[1]
        return torch.stack([torch.zeros(d, dtype=torch.double), torch.ones(d, dtype=torch.double)])

    def _best_mean(self) -> tuple[torch.Tensor, torch.Tensor]:
        d = self.X.shape[1]
        mean = FixedFeatureAcquisitionFunction(PosteriorMean(self._model), d=d, columns=[d - 1], values=[1.0])
        z, value = optimize_acqf(mean, self._bounds[:, :-1], q=1, num_restarts=RESTARTS, raw_samples=RAW_SAMPLES)
        return z[0], value

    def _fitted(self) -> SingleTaskMultiFidelityGP:
        X, Y = torch.from_numpy(self.X), torch.from_numpy(-self.y)[:, None]
        last = self.X.shape[1] - 1
        model = SingleTaskMultiFidelityGP(X, Y, outcome_transform=Standardize(1), data_fidelities=[last])
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        return model
