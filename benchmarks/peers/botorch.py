"""BoTorch: qKnowledgeGradient, qLogNoisyExpectedImprovement and qLogExpectedImprovement on its default model.

Each batch is optimized jointly with 10 restarts from 512 raw samples. The recommendation is the argmax of the posterior
mean over the domain. `choose` is qKnowledgeGradient on a Gaussian process that is given: nothing is fitted.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import torch
from botorch.acquisition import PosteriorMean, qKnowledgeGradient, qLogExpectedImprovement
from botorch.acquisition.logei import qLogNoisyExpectedImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from botorch.models.transforms import Standardize
from botorch.optim import optimize_acqf
from gpytorch.constraints import GreaterThan
from gpytorch.kernels import MaternKernel, ScaleKernel
from gpytorch.likelihoods import GaussianLikelihood
from gpytorch.means import ConstantMean
from gpytorch.mlls import ExactMarginalLogLikelihood

from benchmarks.peers.cube import Array, Cube
from benchmarks.problems.task import Parameter, Params

RESTARTS, RAW_SAMPLES, FANTASIES = 10, 512, 64
EXACT = 1e-6  # noise variance of exact data relative to theirs: less than what double precision bears is no use


class Process(Protocol):
    """A Gaussian process with its data and hyperparameters."""

    X: Array
    y: Array
    ell: Array
    s2: float
    noise_var: float
    mean: float


class BoTorch(Cube):
    def __init__(self, variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> None:
        super().__init__(parameters)
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        self._variant, self._noisy = variant, noisy

    def ask(self, q: int) -> list[Params]:
        return self.asked(maximize(self._acquisition(self._model()), len(self.parameters), q))

    def recommend(self) -> Params | None:
        return self.point(maximize(PosteriorMean(self._model()), len(self.parameters), 1)[0])

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


def create(variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> BoTorch:
    return BoTorch(variant, parameters, seed, noisy)


def maximize(acquisition: Any, d: int, q: int) -> Array:
    """The best batch that was found, `(q, d)` in the unit cube."""
    cube = torch.tensor([[0.0], [1.0]], dtype=torch.float64).expand(2, d)
    batch, _ = optimize_acqf(acquisition, cube, q=q, num_restarts=RESTARTS, raw_samples=RAW_SAMPLES)
    return np.asarray(batch.detach().numpy())


def model_of(gp: Process) -> SingleTaskGP:
    """The same Gaussian process without transforms, as a model of −f: BoTorch maximizes."""
    tiny = GreaterThan(1e-12)
    kernel = ScaleKernel(
        MaternKernel(nu=2.5, ard_num_dims=gp.X.shape[1], lengthscale_constraint=tiny), outputscale_constraint=tiny
    )
    model = SingleTaskGP(
        torch.from_numpy(np.array(gp.X)),
        -torch.from_numpy(np.array(gp.y))[:, None],
        likelihood=GaussianLikelihood(noise_constraint=tiny),
        covar_module=kernel,
        mean_module=ConstantMean(),
        outcome_transform=None,
        input_transform=None,
    ).double()
    model.covar_module.base_kernel.lengthscale = torch.from_numpy(np.array(gp.ell))
    model.covar_module.outputscale = gp.s2
    model.likelihood.noise = gp.noise_var
    model.mean_module.initialize(constant=-gp.mean)
    return model.requires_grad_(False).eval()


def acquisition(gp: Process, pending: Array | None, fantasies: int) -> qKnowledgeGradient:
    waiting = None if pending is None else torch.from_numpy(np.array(pending))
    return qKnowledgeGradient(model_of(gp), num_fantasies=fantasies, X_pending=waiting)


def choose(gp: Process, q: int, pending: Array | None, fantasies: int, seed: int) -> Array:
    """The batch that the knowledge gradient of BoTorch proposes on this process."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    return maximize(acquisition(gp, pending, fantasies), gp.X.shape[1], q)
