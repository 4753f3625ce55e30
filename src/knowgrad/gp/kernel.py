"""The ARD Matérn correlations of order ν = 5/2 (the paper's), and 7/2 and 3/2: a derivative more or less for the paths.

    ∂k/∂x_c = −κ(x, x') (x_c − x'_c) / ℓ_c²,    r² = 2ν Σ_c (x_c − x'_c)² / ℓ_c²

    ν      k                                 κ
    3/2    (1 + r) exp(−r)                   3 exp(−r)
    5/2    (1 + r + r²/3) exp(−r)            (5/3) (1 + r) exp(−r)
    7/2    (1 + r + 2r²/5 + r³/15) exp(−r)   (7/5) (1 + r + r²/3) exp(−r)

κ is finite everywhere, so no gradient below ever divides by a distance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from knowgrad.gp.linalg import Array


def squared_distance(X1: Array, X2: Array) -> Array:
    """Σ_c (x1_c − x2_c)², rows of X1 (…, a, D) against rows of X2 (…, b, D)."""
    r2 = X1 @ np.swapaxes(X2, -1, -2)
    r2 *= -2.0
    r2 += np.einsum("...c,...c->...", X1, X1)[..., :, None]
    r2 += np.einsum("...c,...c->...", X2, X2)[..., None, :]
    return np.maximum(r2, 0.0, out=r2)


def _distance(X1: Array, X2: Array, ell: Array, factor: float) -> Array:
    """The root of `factor` times the squared distance in length scales."""
    r = squared_distance(X1 / ell, X2 / ell)
    r *= factor
    return np.sqrt(r, out=r)


def _decay(r: Array) -> Array:
    """exp(−r), in one new array: pages of memory that come and go take longer than the numbers in them."""
    e = np.negative(r)
    return np.exp(e, out=e)


def matern32(X1: Array, X2: Array, ell: Array) -> tuple[Array, Array]:
    """k and κ, both of shape (…, a, b)."""
    r = _distance(X1, X2, ell, 3.0)
    kappa = _decay(r)
    r += 1.0
    r *= kappa
    kappa *= 3.0
    return r, kappa


def matern52(X1: Array, X2: Array, ell: Array) -> tuple[Array, Array]:
    """k and κ, both of shape (…, a, b)."""
    r = _distance(X1, X2, ell, 5.0)
    e = _decay(r)
    kappa = 1.0 + r
    r *= r
    r *= 1.0 / 3.0
    r += kappa
    r *= e
    kappa *= e
    kappa *= 5.0 / 3.0
    return r, kappa


def matern72(X1: Array, X2: Array, ell: Array) -> tuple[Array, Array]:
    """k and κ, both of shape (…, a, b)."""
    r = _distance(X1, X2, ell, 7.0)
    e = _decay(r)
    one = 1.0 + r
    r *= r
    kappa = r / 3.0
    kappa += one
    r *= one
    r /= 15.0
    r += kappa
    r *= e
    kappa *= e
    kappa *= 7.0 / 5.0
    return r, kappa


Kernel = Callable[[Array, Array, Array], tuple[Array, Array]]
TWICE_ORDER: dict[Kernel, int] = {matern32: 3, matern52: 5, matern72: 7}  # 2ν: degrees of freedom of the frequencies
Choices = tuple[tuple[int, ...], ...]  # the one-hot columns of each choice


@dataclass(frozen=True)
class Effects:
    """A kernel under which each option also has an effect of its own, whatever the other parameters are.

        k(x, x') = (1 − w m) k₀(x, x') + w Σ_j e_j(x)·e_j(x'),    e_j = x_j / |x_j|,   m choices

    Under k₀ alone what one option shows is forgotten as soon as another parameter differs by a length scale. The
    columns x_j of a choice are no gradient's to move, so κ is that of the first term.
    """

    base: Kernel
    choices: Choices
    weight: float

    def __call__(self, X1: Array, X2: Array, ell: Array) -> tuple[Array, Array]:
        """k and κ, both of shape (…, a, b)."""
        k, kappa = self.base(X1, X2, ell)
        k *= self.rest
        kappa *= self.rest
        k += self.features(X1) @ np.swapaxes(self.features(X2), -1, -2)
        return k, kappa

    @property
    def rest(self) -> float:
        """The share of k₀."""
        return 1.0 - self.weight * len(self.choices)

    def features(self, U: Array) -> Array:
        """√w e_j(x) of all choices (…, a, columns)."""
        blocks = [U[..., list(columns)] for columns in self.choices]
        unit = [block / np.linalg.norm(block, axis=-1, keepdims=True) for block in blocks]
        return np.asarray(np.sqrt(self.weight) * np.concatenate(unit, axis=-1))


def with_effects(kernel: Kernel, choices: Choices, d: int) -> Kernel:
    """The kernel, with effects of the options where there are choices among the d parameters: each has the weight of
    one parameter in d + 1."""
    return Effects(kernel, choices, 1.0 / (d + 1)) if choices else kernel


def base_of(kernel: Kernel) -> Kernel:
    """The Matérn kernel in it."""
    return kernel.base if isinstance(kernel, Effects) else kernel


def vjp(weight: Array, X1: Array, X2: Array, ell: Array) -> Array:
    """Σ_b w_ab ∂k(x1_a, x2_b)/∂x1_a for w already multiplied by κ: shape (…, a, D)."""
    return np.asarray((weight @ X2 - np.sum(weight, axis=-1, keepdims=True) * X1) / (ell * ell))
