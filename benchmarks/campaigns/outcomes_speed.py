"""CPU seconds of one batch of four at n = 74, d = 6: two objectives, and one objective with two limits.

    python -m benchmarks.outcomes_speed
    .venv-peers/bin/python -m benchmarks.outcomes_speed --peer botorch

Ours is `Study.ask`, fitting included, after a warm-up on less data: the median over data sets. BoTorch's is
`qHypervolumeKnowledgeGradient` with its default of 8 fantasies on its default models, fitting not included, optimized
with 10 restarts from 512 raw samples, as in the other comparisons.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from benchmarks.problems.outcomes import dtlz2, hartmann_norm

BEST = np.array([0.2, 0.15, 0.48, 0.28, 0.31, 0.66])
CASES: dict[str, dict[str, Any]] = {
    "two objectives": {"objectives": {"a": "minimize", "b": "minimize"}},
    "one objective, two limits": {"objectives": {"a": "minimize"}, "limits": ["b <= 0.9", "c <= 0.9"]},
}


def data(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Half the points anywhere, half around a minimum; Hartmann6 and the two objectives of DTLZ2, with noise."""
    rng = np.random.default_rng(seed)
    U = np.vstack([rng.random((n // 2, 6)), np.clip(BEST + 0.15 * rng.standard_normal((n - n // 2, 6)), 0.0, 1.0)])
    Y = np.column_stack([hartmann_norm(U)[:, 0], dtlz2(2)(U)])
    return U, Y + [0.02, 0.05, 0.05] * rng.standard_normal(Y.shape)


def ours(goals: dict[str, Any], n: int, seed: int) -> float:
    import knowgrad as kg

    study = kg.Study({f"x{i}": (0.0, 1.0) for i in range(6)}, seed=seed, **goals)
    for u, y in zip(*data(n, seed), strict=True):
        told = dict(zip("abc", map(float, y), strict=True))
        study.add({f"x{i}": float(x) for i, x in enumerate(u)}, {name: told[name] for name in study.outcomes})
    begin = time.process_time()
    study.ask(4)
    return time.process_time() - begin


def botorch(n: int, seed: int, restarts: int, raw: int) -> float:
    import torch
    from botorch.acquisition.multi_objective.hypervolume_knowledge_gradient import qHypervolumeKnowledgeGradient
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import ModelListGP, SingleTaskGP
    from botorch.models.transforms import Standardize
    from botorch.optim import optimize_acqf
    from botorch.utils.multi_objective.hypervolume import infer_reference_point
    from gpytorch.mlls import SumMarginalLogLikelihood

    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(seed)
    U, Y = (torch.from_numpy(each) for each in data(n, seed))
    model = ModelListGP(*(SingleTaskGP(U, -Y[:, k : k + 1], outcome_transform=Standardize(1)) for k in (0, 1)))
    fit_gpytorch_mll(SumMarginalLogLikelihood(model.likelihood, model))
    begin = time.process_time()
    corner = infer_reference_point(-Y[:, :2])
    cube = torch.tensor([[0.0], [1.0]]).expand(2, 6)
    optimize_acqf(qHypervolumeKnowledgeGradient(model, corner), cube, q=4, num_restarts=restarts, raw_samples=raw)
    return time.process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--peer", choices=("botorch",))
    parser.add_argument("--restarts", type=int, default=10)
    parser.add_argument("--raw", type=int, default=512)
    args = parser.parse_args()
    for name, goals in CASES.items():
        ours(goals, 20, 0)
        print(f"{name}: {np.median([ours(goals, 74, seed) for seed in range(args.seeds)]):.2f} CPU s", flush=True)
    if args.peer:
        print(f"two objectives, BoTorch: {botorch(74, 0, args.restarts, args.raw):.1f} CPU s")
