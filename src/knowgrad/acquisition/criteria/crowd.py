"""Many running points: their results are drawn once, outside of the search for more.

q-KG of z beside the running points P needs the Cholesky factor of W = P ∪ z. With P first, its columns of σ̃ do not
depend on z: the mean after P is one of N functions that are known before the search begins, and z acts under the
posterior given P, whose variance does not depend on what P returns.

    μ_j(x) = m + K(x, X ∪ P) w_j,   w_j = α + L⁻ᵀ (0, Z_j),   Z_j ~ N(0, I_p)

    symbol   name    shape       meaning
    L, α     –       n+p         of the posterior in which P returned their means
    Z        Z       (N, p)      standard normals
    w        –       (N, n+p)    weights of K(·, X ∪ P)

On the same normals this is the number that the full computation gives, for every p: what is saved is to factor and
carry p rows for every candidate. A posterior still has n + p points, so of more than ROOM running points only those
that `matter` are taken in: none of the others takes more from a candidate than the least of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Noise, Posterior

FEW = 64  # running points that are carried along in W
ROOM = 256  # running points that a posterior takes in
BEST = 64  # candidates that running points are held against


def given(posterior: Posterior, noise: Noise, P: Array) -> Posterior:
    """The posterior in which the results at P were their means."""
    return posterior.condition(P, noise(P)[0] + posterior.nugget)


def draws(posterior: Posterior, Z: Array) -> Array:
    """Weights of the means (N, n+p) after results at its last p points, one for each row of Z (N, p)."""
    return np.asarray(posterior.alpha + Z @ posterior.Linv[len(posterior.X) - Z.shape[1] :])


def matter(posterior: Posterior, noise: Noise, P: Array, C: Array, worth: Array) -> Array:
    """How much of the worth (c,) of candidates C (c, D) measuring each of P (p, D) could take away, at most one's.

    worth · ρ², the squared correlation of f at the candidate with the result at the running point: the share of the
    variance there that the result explains.
    """
    best = np.argsort(-worth, kind="stable")[:BEST]
    V_C, V_P = posterior.whiten(C[best]), posterior.whiten(P)
    cov = posterior.s2 * posterior.correlate(C[best], P)[0] - V_C.T @ V_P
    var_C = np.maximum(posterior.s2 - np.einsum("nc,nc->c", V_C, V_C), posterior.nugget)
    var_P = posterior.s2 - np.einsum("np,np->p", V_P, V_P) + noise(P)[0] + posterior.nugget
    share = cov * cov / (var_C[:, None] * np.maximum(var_P, posterior.nugget))
    return np.asarray((np.maximum(worth[best], 0.0)[:, None] * share).max(axis=0))


def kept(score: Array, room: int) -> NDArray[np.intp]:
    """The indices of at most `room` running points, those that matter most, in their order."""
    return np.sort(np.argsort(-score, kind="stable")[:room])
