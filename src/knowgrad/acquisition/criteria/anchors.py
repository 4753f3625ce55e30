"""The target on A_n and the measurements at W, jointly: all that q-KG needs of the posterior, and the way back to z.

    symbol        name     shape           meaning
    A             A        (a, D)          where the recommendation may lie, besides the candidates; holds x_1:n
    z^(1:q)       Z        (S, q, D)       S batches of candidates
    p points      pending  (p, D)          running; W = pending ∪ z, r = p + q
    A_n           –        a + p + q rows  A ∪ pending ∪ z
    F             F        (f, D)          A ∪ pending: the rows of A_n that do not move
    μ_A           mu       (S, a+r)        Ω μ^(n)(P A_n): posterior mean of the target on A_n
    –             G        (S, a+r, r)     Ω K^(n)(P A_n, W): its covariance with f at the measured points
    –             C        (S, r, r)       K^(n)(W, W)
    w             draws    (N, n)          weights of N means in place of μ^(n), where results were drawn (`crowd`)

P are the rows of the target and Ω their weights. Where the target is f itself both are identities: the candidates are
their own rows of A_n, and nothing is computed twice. Otherwise these rows are P z, which move with z through P.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from knowgrad.acquisition.target import Target
from knowgrad.gp.joint import Joint, Moments
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior


class Seen(NamedTuple):
    """μ_A, G and C, with what the way back needs."""

    mu: Array
    G: Array
    C: Array
    moments: tuple[Moments, ...]
    drawn: tuple[Array, Array] | None = None  # the N means at the rows that stay (N, f) and at those of z (S, N, q)


def every_mean(posterior: Posterior, draws: Array | None) -> Array | None:
    """Weights of the posterior's own mean and of those that were drawn (1 + N, n); None if none were."""
    return None if draws is None else np.vstack([posterior.alpha, draws])


def own_and_drawn(mu_bar: Array, f: int, draws: Array | None) -> Array:
    """Derivatives by the means at z: by the posterior's own (S, 1, q), or by N that were drawn (S, 1 + N, q)."""
    return mu_bar[:, None, f:] if draws is None else np.pad(mu_bar, ((0, 0), (1, 0), (0, 0)))


@dataclass(frozen=True, eq=False)
class Plain:
    """A_n where the target is f."""

    posterior: Posterior
    A: Array
    pending: Array
    draws: Array | None = None

    @cached_property
    def joint(self) -> Joint:
        return Joint(self.posterior, np.vstack([self.A, self.pending]), every_mean(self.posterior, self.draws))

    @cached_property
    def mu_F(self) -> Array:
        return self.posterior.mean(self.joint.F)

    @cached_property
    def G_pending(self) -> Array:
        return self.joint.cov_with(slice(len(self.A), None))

    def weights_of(self, seen: Seen) -> Array:
        """K(W, X)(K + σ²)⁻¹ of a single batch (r, n)."""
        return np.vstack([self.joint.B[len(self.A) :], self.joint.weights_of(seen.moments[0])])

    def forward(self, Z: Array) -> Seen:
        (S, q, _), f, p = Z.shape, len(self.joint.F), len(self.pending)
        moments = self.joint.forward(Z)
        mu, G = np.empty((S, f + q)), np.empty((S, f + q, p + q))
        mu[:, :f], mu[:, f:] = self.mu_F, moments.mu[:, 0]
        G[:, :f, :p], G[:, :f, p:] = self.G_pending, np.swapaxes(moments.E, 1, 2)
        G[:, f:, :p], G[:, f:, p:] = moments.E[:, :, f - p :], moments.T
        drawn = None if self.draws is None else (self.joint.mu_F[1:], moments.mu[:, 1:])
        return Seen(mu, G, G[:, f - p :].copy(), (moments,), drawn)

    def vjp(self, seen: Seen, mu_bar: Array, G_bar: Array, C_bar: Array) -> Array:
        """∂value/∂z (S, q, D); C̄ symmetric."""
        f, p, a = len(self.joint.F), len(self.pending), len(self.A)
        G_bar[:, a:] += C_bar  # C is the lower part of G
        E_bar = np.swapaxes(G_bar[:, :f, p:].copy(), 1, 2)
        E_bar[:, :, a:] += G_bar[:, f:, :p]
        mean_bar = own_and_drawn(mu_bar, f, self.draws)
        return self.joint.vjp(seen.moments[0], mean_bar, E_bar, G_bar[:, f:, p:])


@dataclass(frozen=True, eq=False)
class Mapped:
    """A_n where the target is a sum over rows: P F stays while z moves, and W stays and moves with P z."""

    posterior: Posterior
    A: Array
    pending: Array
    target: Target
    draws: Array | None = None

    @cached_property
    def decided(self) -> Joint:
        """f at z, jointly with the target's rows that stay."""
        return Joint(self.posterior, self.target.expand(np.vstack([self.A, self.pending])))

    @cached_property
    def measured(self) -> Joint:
        """f at z and at P z, jointly with the pending points."""
        return Joint(self.posterior, self.pending, every_mean(self.posterior, self.draws))

    @cached_property
    def mu_F(self) -> Array:
        return self.target.sum(self.posterior.mean(self.decided.F))

    @cached_property
    def G_pending(self) -> Array:
        return self.target.sum(self.posterior.cov(self.pending, self.decided.F)).T

    def weights_of(self, seen: Seen) -> Array:
        """K(W, X)(K + σ²)⁻¹ of a single batch (r, n)."""
        far, near = seen.moments
        return np.vstack([self.measured.B, self.measured.weights_of(near)[: far.Z.shape[1]]])

    def forward(self, Z: Array) -> Seen:
        (S, q, _), f, p = Z.shape, len(self.mu_F), len(self.pending)
        r, target = p + q, self.target
        far = self.decided.forward(Z)
        near = self.measured.forward(np.concatenate([Z, target.expand(Z)], axis=1))
        mean, K = self.measured.whole(near)  # of pending ∪ z ∪ P z
        mu, G = np.empty((S, f + q)), np.empty((S, f + q, r))
        mu[:, :f], mu[:, f:] = self.mu_F, target.sum(mean[:, 0, r:])
        G[:, :f, :p], G[:, :f, p:] = self.G_pending, np.swapaxes(target.sum(far.E), 1, 2)
        G[:, f:] = np.swapaxes(target.sum(K[:, :r, r:]), 1, 2)
        return Seen(mu, G, K[:, :r, :r].copy(), (far, near), self._drawn(mean[:, 1:, r:]))

    def _drawn(self, at_z: Array) -> tuple[Array, Array] | None:
        if self.draws is None:
            return None
        stay = Joint(self.posterior, self.decided.F, self.draws).mu_F
        return self.target.sum(stay), self.target.sum(at_z)

    def vjp(self, seen: Seen, mu_bar: Array, G_bar: Array, C_bar: Array) -> Array:
        """∂value/∂z (S, q, D): of z where it is measured, and of P z through P; C̄ symmetric."""
        (far, near), target = seen.moments, self.target
        (S, q, _), f, r = far.Z.shape, len(self.mu_F), C_bar.shape[-1]
        E_bar = target.sum_vjp(np.swapaxes(G_bar[:, :f, r - q :], 1, 2))
        z_bar = self.decided.vjp(far, np.zeros((S, 1, q)), E_bar, np.zeros((S, q, q)))
        width = r + near.Z.shape[1] - q
        by_z = target.sum_vjp(own_and_drawn(mu_bar, f, self.draws))
        mean_bar, K_bar = np.zeros((S, by_z.shape[1], width)), np.zeros((S, width, width))
        mean_bar[:, :, r:] = by_z
        K_bar[:, :r, :r], K_bar[:, :r, r:] = C_bar, 0.5 * target.sum_vjp(np.swapaxes(G_bar[:, f:], 1, 2))
        K_bar[:, r:, :r] = np.swapaxes(K_bar[:, :r, r:], 1, 2)
        moved = self.measured.whole_vjp(near, mean_bar, K_bar)
        return z_bar + moved[:, :q] + target.expand_vjp(moved[:, q:])
