"""The judge: what a batch is truly worth, whoever chose it.

    q-KG(z) = min μₙ − E[min μₙ₊q],    μₙ₊q(x) = μₙ(x) + Kₙ(x, z) D⁻ᵀ W,    DDᵀ = Kₙ(z, z) + σ²I,    W ~ N(0, I)

The minima are over the whole unit cube and the expectation over a large fresh sample. Nothing here is shared with the
package it judges: the posterior is written out, and the inner minima are found by projected Newton steps with the exact
Hessian, from several starts per sample.

A fantasized mean is a weighted sum of kernels, μ(x) = m + Σ_c β_c k(x, c) with centers c in the data and the batch, so
one function minimizes them all, each row with its own weights.

    J  samples of W     C = n + q  centers     R  rows (points being moved)     u = x / ℓ  scaled coordinates
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, cholesky, solve_triangular
from scipy.special import ndtri
from scipy.stats import qmc

Array = NDArray[np.float64]
BLOCK = 2_000_000  # numbers in the largest temporary array: rows × centers × d


@dataclass(frozen=True)
class Gp:
    """A Gaussian process with Matérn 5/2 kernel and its data: all that a contender and the judge are told.

    Args:
        X: Observed points in the unit cube `(n, d)`.
        y: Their values, standardized, to be minimized `(n,)`.
        ell: Length scales `(d,)`.
        s2: Signal variance.
        noise_var: Noise variance, of the data and of the candidates.
        mean: The constant mean.
    """

    X: Array
    y: Array
    ell: Array
    s2: float
    noise_var: float
    mean: float

    def kernel(self, A: Array, B: Array) -> Array:
        """k(a, b) = s2 (1 + r + r²/3) e⁻ʳ with r = √5 ‖(a − b)/ℓ‖, `(len(A), len(B))`."""
        U, V = A / self.ell, B / self.ell
        r = np.sqrt(5 * np.maximum((U**2).sum(1)[:, None] + (V**2).sum(1) - 2 * U @ V.T, 0))
        return np.asarray(self.s2 * (1 + r + r**2 / 3) * np.exp(-r))

    def weights(self) -> Array:
        """β of the posterior mean: (K + σ²I)⁻¹ (y − m), `(n,)`."""
        return np.asarray(cho_solve(self._factor(), self.y - self.mean))

    def posterior_mean(self, A: Array) -> Array:
        return self.mean + self.kernel(A, self.X) @ self.weights()

    def posterior_cov(self, A: Array, B: Array) -> Array:
        explained = self.kernel(A, self.X) @ cho_solve(self._factor(), self.kernel(self.X, B))
        return np.asarray(self.kernel(A, B) - explained)

    def fantasies(self, z: Array, W: Array) -> Array:
        """β of the posterior means after observing z, one row for each row of W `(J, q)`: `(J, n + q)`."""
        D = cholesky(self.posterior_cov(z, z) + self.noise_var * np.eye(len(z)), lower=True)
        on_batch = solve_triangular(D, W.T, lower=True, trans="T")  # D⁻ᵀ W
        on_data = self.weights()[:, None] - cho_solve(self._factor(), self.kernel(self.X, z) @ on_batch)
        return np.concatenate([on_data, on_batch]).T

    def _factor(self) -> tuple[Array, bool]:
        L, lower = cho_factor(self.kernel(self.X, self.X) + self.noise_var * np.eye(len(self.X)), lower=True)
        return L, lower


@dataclass(frozen=True)
class Value:
    """An estimate of q-KG in the units of y, with its standard error."""

    value: float
    se: float


def true_value(gp: Gp, batch: Array, pending: Array | None = None, *, samples: int = 1024, seed: int = 0) -> Value:
    """q-KG of a batch `(q, d)`, jointly with the pending points if there are any.

    The sample is eight independently scrambled Sobol sequences, whose spread gives the standard error. Each term is
    μₙ₊q(x_b) − min μₙ₊q with x_b = argmin μₙ: its mean is q-KG, because μₙ₊q(x_b) is μₙ(x_b) on average, and its
    variance is far below that of the second part alone.
    """
    z = batch if pending is None else np.concatenate([batch, pending])
    candidates = start_points(gp, z, seed)
    minima = mean_minima(gp, candidates)
    incumbent = minima[np.argmin(gp.posterior_mean(minima))]
    candidates = np.concatenate([candidates, minima, _around(minima, gp.ell, np.random.default_rng([seed, 2]))])
    centers = np.concatenate([gp.X, z])
    means = []
    for scramble in range(8):
        beta = gp.fantasies(z, _normals(max(2, samples // 8), len(z), seed=1000 * seed + scramble))
        at_incumbent = gp.mean + gp.kernel(incumbent[None], centers) @ beta.T
        means.append(float(np.mean(at_incumbent[0] - inner_minima(gp, centers, beta, candidates))))
    return Value(float(np.mean(means)), float(np.std(means, ddof=1) / np.sqrt(len(means))))


def start_points(gp: Gp, z: Array, seed: int) -> Array:
    """Where a minimum may be: anywhere, at the data, at the batch, and around the batch and the best data."""
    rng = np.random.default_rng([seed, 1])
    anywhere = qmc.Sobol(gp.X.shape[1], seed=rng).random(1024)
    best = gp.X[np.argsort(gp.posterior_mean(gp.X))[:8]]
    return np.concatenate([anywhere, gp.X, z, _around(np.concatenate([z, best]), gp.ell, rng)])


def mean_minima(gp: Gp, candidates: Array) -> Array:
    """Local minima of μₙ, from many starts: if the lowest were missed, q-KG would come out too high."""
    starts = distinct_starts(gp.posterior_mean(candidates)[None], candidates, gp.ell, 64)
    minima, _ = descend(gp, gp.X, np.tile(gp.weights(), (len(starts), 1)), starts)
    return _distinct(minima, gp.ell)


def inner_minima(gp: Gp, centers: Array, beta: Array, candidates: Array, n_starts: int = 4) -> Array:
    """The minimum over the cube of each weighted sum: the best of a few distinct starts, refined. `(J,)`"""
    starts = distinct_starts(beta @ gp.kernel(centers, candidates), candidates, gp.ell, n_starts)
    _, minima = descend(gp, centers, np.tile(beta, (n_starts, 1)), starts)
    return np.asarray(minima.reshape(n_starts, -1).min(axis=0))


def distinct_starts(values: Array, candidates: Array, ell: Array, n_starts: int) -> Array:
    """The lowest candidates for each row of values `(J, N)`, at least half a length scale apart: `(n_starts J, d)`."""
    values, U = values.copy(), candidates / ell
    distance2 = (U**2).sum(1)[:, None] + (U**2).sum(1) - 2 * U @ U.T
    starts = []
    for _ in range(n_starts):
        lowest = np.argmin(values, axis=1)
        starts.append(candidates[lowest])
        values[distance2[lowest] < 0.5**2] = np.inf
    return np.concatenate(starts)


def descend(gp: Gp, centers: Array, beta: Array, starts: Array, steps: int = 40) -> tuple[Array, Array]:
    """Move every row of starts `(R, d)` to a local minimum of its own sum: the points and their values.

    Projected Newton (Bertsekas 1982): coordinates held at a bound by the gradient are frozen, the rest take a Newton
    step with the Hessian's eigenvalues made positive, halved until the value falls enough.
    """
    x = starts.copy()
    f, g, H = _derivatives(gp, centers, beta, x)
    moving = np.arange(len(x))
    for _ in range(steps):
        step = _newton_step(x[moving] / gp.ell, g[moving], H[moving], 1 / gp.ell)
        length = np.ones(len(moving))
        trying = np.ones(len(moving), dtype=bool)
        for _ in range(12):
            rows = moving[trying]
            new = np.clip(x[rows] + length[trying, None] * step[trying] * gp.ell, 0, 1)
            f_new, g_new, H_new = _derivatives(gp, centers, beta[rows], new)
            expected = np.einsum("rd,rd->r", g[rows], (new - x[rows]) / gp.ell)
            good = f_new <= f[rows] + 1e-4 * expected
            kept = rows[good]
            x[kept], f[kept], g[kept], H[kept] = new[good], f_new[good], g_new[good], H_new[good]
            trying[np.flatnonzero(trying)[good]] = False
            length *= 0.5
            if not trying.any():
                break
        free = _free(x[moving] / gp.ell, g[moving], 1 / gp.ell)
        rough = np.abs(np.where(free, g[moving], 0)).max(axis=1) > 1e-7 * np.sqrt(gp.s2)
        moving = moving[rough & ~trying]  # a row that found no lower point is at the end of its precision
        if not len(moving):
            break
    return x, f


def _derivatives(gp: Gp, centers: Array, beta: Array, x: Array) -> tuple[Array, Array, Array]:
    """Value `(R,)`, gradient `(R, d)` and Hessian `(R, d, d)` in u of m + Σ_c β_c k(x, c)."""
    R, d = x.shape
    f, g, H = np.empty(R), np.empty((R, d)), np.empty((R, d, d))
    size = max(1, BLOCK // (len(centers) * d))
    for rows in (slice(i, i + size) for i in range(0, R, size)):
        U = (x[rows, None] - centers) / gp.ell
        r = np.sqrt(5 * np.einsum("rcd,rcd->rc", U, U))
        bent = gp.s2 * beta[rows] * np.exp(-r)
        f[rows] = gp.mean + np.einsum("rc,rc->r", bent, 1 + r + r**2 / 3)
        slope = bent * (1 + r) * (-5 / 3)
        g[rows] = np.einsum("rc,rcd->rd", slope, U)
        H[rows] = 25 / 3 * np.matmul((bent[..., None] * U).transpose(0, 2, 1), U)
        H[rows] += slope.sum(axis=1)[:, None, None] * np.eye(d)
    return f, g, H


def _free(u: Array, g: Array, top: Array) -> NDArray[np.bool_]:
    """Coordinates not held at a bound (0 or `top`) by the gradient."""
    return ~(((u <= 0) & (g > 0)) | ((u >= top) & (g < 0)))


def _newton_step(u: Array, g: Array, H: Array, top: Array) -> Array:
    """−|H|⁻¹ g on the free coordinates, at most one length scale long."""
    free = _free(u, g, top)
    d = u.shape[1]
    reduced = np.where(free[:, :, None] & free[:, None, :], H, np.eye(d))
    eigenvalues, Q = np.linalg.eigh(reduced)
    size = np.maximum(np.abs(eigenvalues), 1e-8 * np.abs(eigenvalues).max(axis=1, keepdims=True) + 1e-12)
    along = np.einsum("rde,rd->re", Q, np.where(free, g, 0)) / size
    step = np.where(free, -np.einsum("rde,re->rd", Q, along), 0)
    length = np.linalg.norm(step, axis=1, keepdims=True)
    return np.asarray(step / np.maximum(length, 1))


def _normals(n: int, q: int, seed: int) -> Array:
    """A scrambled Sobol sample of N(0, I), `(n, q)`."""
    uniform = qmc.Sobol(q, seed=np.random.default_rng([seed, 3])).random(n)
    return np.asarray(ndtri(np.clip(uniform, 1e-12, 1 - 1e-12)))


def _around(points: Array, ell: Array, rng: np.random.Generator) -> Array:
    """A cloud of sixteen points around each, a fraction of a length scale wide, inside the cube."""
    hubs = np.repeat(points, 16, axis=0)
    return np.clip(hubs + rng.normal(size=hubs.shape) * ell * 0.3, 0, 1)


def _distinct(points: Array, ell: Array) -> Array:
    """One of each group of points closer than a thousandth of a length scale."""
    kept: list[Array] = []
    for point in points:
        if all(np.max(np.abs(point - other) / ell) > 1e-3 for other in kept):
            kept.append(point)
    return np.array(kept)
