import numpy as np
import pytest

from knowgrad.acquisition.criteria.sampled import Sampled
from knowgrad.acquisition.methods.qei import incumbent
from knowgrad.acquisition.methods.qei_exact import Exact
from knowgrad.acquisition.methods.qlogei import LogImprovement
from knowgrad.acquisition.methods.qlognei import QLogNEI, integrated
from knowgrad.gp.joint import Joint
from knowgrad.gp.posterior import Posterior
from tests.acquisition.questions import question
from tests.numeric import check_gradient, smooth_posterior

RNG = np.random.default_rng


def noisy_ei(post: Posterior, pending: np.ndarray, r: int, N: int, *taus: float) -> Sampled:
    one = integrated(post, N, r, RNG(0))
    return Sampled(Joint(one.exact, pending, one.weights), one.Zq, LogImprovement(one.best, *taus))


def likely(post: Posterior, q: int) -> np.ndarray:
    """Batches (3, q, 3) of points where improvement is common enough for plain samples to see it."""
    U = RNG(1).random((500, 3))
    return U[np.argsort(post.mean(U) - np.sqrt(post.var(U)))[: 3 * q]].reshape(3, q, 3)


def brute_force(post: Posterior, W: np.ndarray, N: int = 200_000) -> float:
    """log E(min f(X) − min f(W))⁺ from independent joint draws of f on X ∪ W."""
    U = np.vstack([post.X, W])
    root = np.linalg.cholesky(post.cov(U, U) + 1e-9 * np.eye(len(U)))
    f = post.mean(U) + RNG(7).standard_normal((N, len(U))) @ root.T
    n = len(post.X)
    return float(np.log(np.maximum(f[:, :n].min(axis=1) - f[:, n:].min(axis=1), 0.0).mean()))


@pytest.mark.parametrize("noise", [0.05, 0.5])
@pytest.mark.parametrize(("p", "q"), [(0, 1), (0, 3), (1, 2)])
def test_the_value_is_that_of_brute_force(noise: float, p: int, q: int) -> None:
    post, pending = smooth_posterior(n=10, noise=noise), RNG(9).random((p, 3))
    acquisition = noisy_ei(post, pending, p + q, 4096, 1e-6, 1e-4)
    for z in likely(post, q):
        assert acquisition.value(z[None])[0] == pytest.approx(brute_force(post, np.vstack([pending, z])), abs=0.05)


def test_replicates_are_one_point() -> None:
    base = smooth_posterior(n=8, noise=0.3)
    X, y = np.vstack([base.X, base.X[:3]]), np.append(base.y, base.y[:3] + 0.2)
    post = Posterior.build(X, y, np.full(11, 0.3), base.ell, base.s2, base.m, 0.3)
    z = likely(post, 2)[0]
    value = noisy_ei(post, np.empty((0, 3)), 2, 4096, 1e-6, 1e-4).value(z[None])[0]
    assert value == pytest.approx(brute_force(post, z), abs=0.05)


def test_exact_results_get_back_qei() -> None:
    post = smooth_posterior(noise=1e-9)
    Z = likely(post, 2)
    exact = Exact(Joint(post, np.empty((0, 3))), incumbent(post)).value(Z)
    value = np.exp(noisy_ei(post, np.empty((0, 3)), 2, 2048, 1e-6, 1e-4).value(Z))
    np.testing.assert_allclose(value, exact, rtol=0.05)


@pytest.mark.parametrize(("p", "q"), [(0, 1), (1, 2)])
def test_the_gradient(p: int, q: int) -> None:
    smooth = noisy_ei(smooth_posterior(noise=0.2), RNG(9).random((p, 3)), p + q, 128, 0.05, 0.1)
    z = RNG(q).random((q, 3))
    check_gradient(lambda z: smooth.value(z[None])[0], smooth.value_and_gradient(z[None])[1][0], z)


def test_the_batch_beats_every_one_of_many_random_batches() -> None:
    asked = question(2, pending=RNG(5).random((1, 3)), noise=0.3)
    z = QLogNEI().propose(asked, RNG(0)).Z
    judge = noisy_ei(asked.model[0], asked.pending, 3, 2048, 1e-6, 1e-4)
    assert judge.value(z[None])[0] > judge.value(RNG(1).random((300, 2, 3))).max()
