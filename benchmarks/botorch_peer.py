"""BoTorch's one-shot `qKnowledgeGradient` on a given posterior.

The model gets the data and hyperparameters that everyone is judged by, and no transforms. BoTorch maximizes, so y and
the constant mean change sign. Fitting is not part of it, which favors this peer.
"""

from __future__ import annotations

import numpy as np
import torch
from botorch.acquisition import qKnowledgeGradient
from botorch.models import SingleTaskGP
from botorch.optim import optimize_acqf
from gpytorch.constraints import GreaterThan
from gpytorch.kernels import MaternKernel, ScaleKernel
from gpytorch.likelihoods import GaussianLikelihood
from gpytorch.means import ConstantMean

from benchmarks.true_value import Array, Gp

RESTARTS, RAW_SAMPLES = 10, 512


def model_of(gp: Gp) -> SingleTaskGP:
    """The same Gaussian process, as a model of −f."""
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


def acquisition(gp: Gp, pending: Array | None, fantasies: int) -> qKnowledgeGradient:
    waiting = None if pending is None else torch.from_numpy(np.array(pending))
    return qKnowledgeGradient(model_of(gp), num_fantasies=fantasies, X_pending=waiting)


def choose(gp: Gp, q: int, pending: Array | None, fantasies: int, seed: int) -> Array:
    """The batch that BoTorch proposes, `(q, d)` in the unit cube."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    cube = torch.tensor([[0.0], [1.0]], dtype=torch.float64).expand(2, gp.X.shape[1])
    kg = acquisition(gp, pending, fantasies)
    batch, _ = optimize_acqf(kg, cube, q=q, num_restarts=RESTARTS, raw_samples=RAW_SAMPLES)
    return np.asarray(batch.detach().numpy())
