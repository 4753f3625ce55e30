"""Utilities along rays from the ideal point, against brute force, hypervolumes and differences."""

import numpy as np
import pytest

from knowgrad.acquisition.criteria.several import SeveralKG
from knowgrad.acquisition.criteria.utility import Objective, Utility, directions
from knowgrad.acquisition.search.surfaces import fantasy_surfaces, posterior_surfaces, uphill, utilities
from tests.acquisition.test_several import PAIR, TRIPLE, criterion, posteriors, same
from tests.numeric import check_gradient


def halved(mu):
    return mu / 2.0, np.full_like(mu, 0.5)


RAYS = [PAIR.along_rays(), TRIPLE.along_rays()]


def test_the_utility_is_the_distance_along_the_ray() -> None:
    """From the corner of the box, back to where the point that is best for the direction dominates the ray."""
    rng = np.random.default_rng(0)
    Y, utility = rng.random((9, 3)), Utility(3, tuple(Objective(k, same, 1.0) for k in range(3))).along_rays()
    lam = utility.directions(16, rng)
    assert (lam.max(axis=1) == 1.0).all()
    found = utilities(utility, list(Y.T), [None] * 3, lam).max(axis=1)
    steps = np.linspace(0.0, 1.0, 20_001)
    for u, w in zip(found, lam, strict=True):
        beaten = (Y[None] <= steps[:, None, None] * w).all(axis=2).any(axis=1)
        assert u == pytest.approx(beaten[:-1].mean(), abs=2e-4)


def test_a_ray_and_its_reference_point_are_one_thing() -> None:
    """Along the diagonal the shares are those from the corner of the box; and it is the same utility there and back."""
    mu, rays = list(3.0 * np.random.default_rng(1).random((3, 40))), TRIPLE.along_rays()
    assert rays.by_volume().objectives == TRIPLE.objectives
    assert rays.along_rays() is rays
    shares = [utility.kept(np.min(utility.gains(mu), axis=0)) for utility in (TRIPLE, rays)]
    np.testing.assert_allclose(*shares, atol=1e-12)
    assert shares[0].max() > 0.0


@pytest.mark.parametrize("utility", RAYS)
def test_the_gradient_has_the_right_rate(utility: Utility) -> None:
    kg = criterion(utility, 16, 2, 3)
    kg = SeveralKG(kg.aheads, utility, kg.Zq, utility.directions(64, np.random.default_rng(3)).reshape(16, 4, -1))
    Z = np.random.default_rng(9).random((2, 3, 3))
    value, gradient = kg.value_and_gradient(Z)
    np.testing.assert_allclose(value, kg.value(Z), rtol=1e-12)
    assert np.abs(gradient).max() > 1e-3
    check_gradient(lambda x: kg.value(x).sum(), gradient, Z)


@pytest.mark.parametrize("utility", RAYS)
def test_surfaces_have_the_slopes_of_their_utilities(utility: Utility) -> None:
    rng = np.random.default_rng(14)
    U, lam = rng.random((8, 1, 3)), utility.directions(8, rng)
    kg, z = criterion(utility, 8, 1, 2), rng.random((2, 3))
    for surfaces in (posterior_surfaces(utility, posteriors()), fantasy_surfaces(utility, kg.aheads, z, kg.Zq)):
        climbed = uphill(utility, surfaces, lam)
        gradient = climbed(U, np.arange(8))[1]
        check_gradient(lambda x, climbed=climbed: climbed(x, np.arange(8))[0].sum(), gradient, U)


def test_from_a_reference_point_too_far_out_rays_still_meet_the_front() -> None:
    """On an eighth of a sphere with tails beyond its edges: from a corner at 2 most directions end in the tails."""
    rng = np.random.default_rng(4)
    front, beyond = directions(3, 512, rng), np.linspace(0.1, 0.9, 128)[:, None]
    tails = (1.0 + beyond) * np.sqrt(rng.dirichlet([1.0, 1.0], 128))
    Y = np.vstack([front, *(np.insert(tails, k, -0.03 * beyond[:, 0], axis=1) for k in range(3))])
    wide = Utility(3, tuple(Objective(k, halved, 1.0) for k in range(3)))
    met = {}
    for utility in (wide, wide.along_rays()):
        best = np.argmax(utilities(utility, list(Y.T), [None] * 3, utility.directions(256, rng)), axis=1)
        met[utility.rays] = (best < 512).mean()
    assert met[True] > 0.8 > 0.5 > met[False]
