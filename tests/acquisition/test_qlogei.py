import numpy as np
import pytest

from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.criteria.sampled import Sampled
from knowgrad.acquisition.methods.qei import Improvement, incumbent
from knowgrad.acquisition.methods.qei_exact import Exact
from knowgrad.acquisition.methods.qlogei import LogImprovement, QLogEI
from knowgrad.acquisition.search.batch import LogAverage
from knowgrad.gp.joint import Joint
from tests.acquisition.questions import question
from tests.numeric import check_gradient, smooth_posterior

RNG = np.random.default_rng
POST = smooth_posterior()
BEST = np.array([incumbent(POST) + 1.5])  # so that improvement is not rare


def parts(p: int, q: int, *utilities, N: int = 512) -> list[Sampled]:
    Zq = normals(N, p + q, RNG(0))
    return [Sampled(Joint(POST, RNG(9).random((p, 3))), Zq, h) for h in utilities]


@pytest.mark.parametrize(("p", "q"), [(0, 1), (0, 4), (2, 2)])
def test_it_tends_to_the_logarithm_of_qei(p: int, q: int) -> None:
    """As the smoothing goes, on the same samples; with the default widths it exceeds it by r^τ₁ at most."""
    Z = RNG(q).random((20, q, 3))
    plain, usual, sharp = parts(
        p, q, Improvement(BEST[0]), LogImprovement(BEST, 1e-6, 1e-2), LogImprovement(BEST, 1e-9, 1e-5)
    )
    truth = np.log(plain.value(Z))
    np.testing.assert_allclose(sharp.value(Z), truth, atol=1e-4)
    excess = usual.value(Z) - truth
    assert excess.min() > -1e-6
    assert excess.max() < 1e-2 * np.log(p + q) + 1e-3


@pytest.mark.parametrize(("p", "q"), [(0, 1), (0, 3), (1, 2)])
def test_the_gradient(p: int, q: int) -> None:
    (smooth,) = parts(p, q, LogImprovement(BEST, 0.05, 0.1))
    z = RNG(q).random((q, 3))
    check_gradient(lambda z: smooth.value(z[None])[0], smooth.value_and_gradient(z[None])[1][0], z)


def test_finite_values_and_gradients_that_point_uphill_where_qei_is_zero() -> None:
    best = BEST - 40.0
    plain, log = parts(0, 2, Improvement(best[0]), LogImprovement(best, 1e-6, 1e-2))
    Z = RNG(0).random((10, 2, 3))
    value, gradient = log.value_and_gradient(Z)
    assert (plain.value(Z) == 0.0).all()
    assert (plain.value_and_gradient(Z)[1] == 0.0).all()
    assert np.isfinite(value).all()
    assert np.isfinite(gradient).all()
    size = np.sqrt((gradient**2).sum(axis=(1, 2), keepdims=True))
    assert size.min() > 1e-4
    assert (log.value(Z + 1e-3 * gradient / size) > value).all()


def test_posteriors_are_averaged_as_improvements() -> None:
    (one,), (other,) = parts(0, 2, LogImprovement(BEST, 1e-6, 1e-2)), parts(0, 2, LogImprovement(BEST - 1, 1e-6, 1e-2))
    Z = RNG(0).random((5, 2, 3))
    mean = np.mean([np.exp(one.value(Z)), np.exp(other.value(Z))], axis=0)
    both = LogAverage([one, other])
    np.testing.assert_allclose(np.exp(both.value(Z)), mean, rtol=1e-12)
    np.testing.assert_allclose(both(Z, np.arange(5))[0], both.value(Z), rtol=1e-12)
    smooth = LogAverage([parts(0, 2, LogImprovement(BEST - k, 0.05, 0.1))[0] for k in (0, 1)])
    check_gradient(lambda z: smooth.value(z[None])[0], smooth(Z[:1], np.arange(1))[1][0], Z[0])


@pytest.mark.parametrize(("p", "q"), [(0, 1), (0, 3), (2, 2)])
def test_the_batch_beats_every_one_of_many_random_batches(p: int, q: int) -> None:
    asked = question(q, pending=RNG(5).random((p, 3)))
    z = QLogEI().propose(asked, RNG(0)).Z
    judge = Exact(Joint(POST, asked.pending), incumbent(POST))
    assert judge.value(z[None])[0] > judge.value(RNG(1).random((500, q, 3))).max()
