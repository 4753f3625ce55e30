"""`qei-exact`: parallel expected improvement without sampling, for a few points.

    q-EI = E[(f* − min_k Y_k)⁺] = Σ_k (f* − μ_k) P_k + Σ_k C_kk A_k + Σ_{k<l} Var(Y_k − Y_l) B_kl

    symbol   name   shape      meaning
    Y        –      r          f(pending ∪ z) ~ N(μ, C)
    P_k      P      (S, r)     P(Y_k is least, and below f*)
    A_k      A      (S, r)     density of Y_k at f*, times P(no other is lower | Y_k = f*)
    B_kl     B      (S, r, r)  density of Y_k − Y_l at 0, times P(Y_k < f*, no other is lower | Y_k = Y_l)

This is the closed form of Chevalier & Ginsbourger with equal terms gathered. Its gradient needs nothing further:

    ∂/∂μ_k = −P_k,    ∂/∂C_kk = ½ (A_k + Σ_l B_kl),    ∂/∂C_kl = −½ B_kl    (C_kl and C_lk apart)

because ∂E h(Y)/∂C = ½ E ∂²h for every h of a normal vector. The probabilities of dimension r and r − 1 are those of
`orthant`, whose cost grows about tenfold with each dimension: at most LARGEST points, pending ones included.

Source: Chevalier & Ginsbourger, "Fast computation of the multi-points expected improvement with applications in batch
selection", 2013; the gradient: Marmin, Chevalier & Ginsbourger, "Differentiating the multipoint expected improvement
for optimal batch design", 2015.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.mvn import orthant
from knowgrad.acquisition.methods.qei import incumbent
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.batch import Average, candidate_points, maximise
from knowgrad.gp.joint import Joint
from knowgrad.gp.linalg import Array

LARGEST = 5


@dataclass(frozen=True)
class ExactQEI:
    """No options."""

    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        r = len(question.pending) + question.q
        if r > LARGEST:
            raise ValueError(
                f"qei-exact values at most {LARGEST} points together, got {r} ({len(question.pending)} pending and "
                f"{question.q} asked for); method 'qei' takes any number"
            )

        def build(fixed: Array) -> Average:
            return Average([Exact(Joint(post, fixed), incumbent(post)) for post in question.model])

        return Answer(maximise(question, build, candidate_points(question, rng), rng))


@dataclass(frozen=True, eq=False)
class Exact:
    """q-EI under one posterior."""

    joint: Joint
    best: float

    def value(self, Z: Array) -> Array:
        return self.value_and_gradient(Z)[0]

    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        seen = self.joint.forward(Z)
        mu, C = self.joint.whole(seen)
        r = C.shape[-1]
        C[:, range(r), range(r)] += self.joint.posterior.nugget
        value, mu_bar, C_bar = expected_improvement(mu[:, 0], C, self.best)
        return value, self.joint.whole_vjp(seen, mu_bar[:, None], C_bar)


def expected_improvement(mu: Array, C: Array, best: float) -> tuple[Array, Array, Array]:
    """E[(best − min Y)⁺] (S,) for Y ~ N(mu (S, r), C (S, r, r)), with its derivatives by mu and by C."""
    S, r = mu.shape
    P, A, B = np.empty((S, r)), np.empty((S, r)), np.zeros((S, r, r))
    diagonal = np.einsum("skk->sk", C)
    spread = diagonal[:, :, None] + diagonal[:, None, :] - 2.0 * C  # Var(Y_k − Y_l)
    for k in range(r):
        # Of Y_k − f* and Y_k − Y_l, all of which must be negative for Y_k to be the least.
        mean, cov = _differences(mu, C, best, k)
        P[:, k] = orthant(mean, cov)
        A[:, k] = _on_the_border(mean, cov, 0)
        others = [m for m in range(r) if m != k]
        for place, m in enumerate(others, start=1):
            if m > k:
                B[:, k, m] = B[:, m, k] = _on_the_border(mean, cov, place)
    value = np.einsum("sk,sk->s", best - mu, P) + np.einsum("sk,sk->s", diagonal, A)
    value += 0.5 * np.einsum("skl,skl->s", spread, B)
    C_bar = -0.5 * B
    C_bar[:, range(r), range(r)] = 0.5 * (A + B.sum(axis=2))
    return np.maximum(value, 0.0), -P, C_bar


def _differences(mu: Array, C: Array, best: float, k: int) -> tuple[Array, Array]:
    """Mean and covariance of (Y_k − f*, Y_k − Y_l for l ≠ k)."""
    r = mu.shape[1]
    others = [m for m in range(r) if m != k]
    J = np.zeros((r, r))
    J[:, k] = 1.0
    J[range(1, r), others] = -1.0
    mean = mu @ J.T
    mean[:, 0] -= best
    return mean, J @ C @ J.T


def _on_the_border(mean: Array, cov: Array, i: int) -> Array:
    """Density of coordinate i at 0, times P(the others ≤ 0 | coordinate i is 0)."""
    rest = [m for m in range(mean.shape[1]) if m != i]
    v = np.maximum(cov[:, i, i], 1e-300)
    u = mean[:, i] / np.sqrt(v)
    c = cov[:, rest, i]
    given = cov[:, rest][:, :, rest] - c[:, :, None] * c[:, None, :] / v[:, None, None]
    density = np.exp(-0.5 * u * u) / np.sqrt(2.0 * np.pi * v)
    return density * orthant(mean[:, rest] - c * (mean[:, i] / v)[:, None], given)
