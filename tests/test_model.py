import numpy as np
import pytest

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.gp.fit import fit
from knowgrad.gp.kernel import matern32, matern52, matern72
from knowgrad.model.fitted import Fitted
from knowgrad.model.scaling import Units
from knowgrad.model.warp import EdgeWarp, Identity, LogWarp
from knowgrad.space import Space
from knowgrad.trial import Limit, Settings, Trial

SPACE = Space({"x": (0.0, 1.0), "y": (0.0, 1.0)})
POINTS = np.random.default_rng(0).random((40, 2))
SMOOTH = np.cos(3 * POINTS[:, 0]) + POINTS[:, 1] ** 3


def model(
    values: np.ndarray, how: str, noise: str | float = 0.0, points: np.ndarray = POINTS, limits: tuple[Limit, ...] = ()
) -> Fitted:
    rows = enumerate(zip(points, values, strict=True))
    trials = [Trial(f"s-{i}", i, {"x": u[0], "y": u[1]}, "complete", value=float(v)) for i, (u, v) in rows]
    return Snapshot(SPACE, trials, Settings(0, noise=noise, fit=how, limits=limits)).model


def test_a_smooth_function_gets_the_smoother_kernel_and_straight_units() -> None:
    found = model(SMOOTH, "map")
    assert found.observed[0].kernel is matern72
    assert found.units == Units.of(SMOOTH, "minimize", Identity.of)


def test_orders_of_magnitude_are_bent() -> None:
    values = np.exp(12 * np.abs(POINTS - 0.4).sum(axis=1))
    assert model(values, "map").units == Units.of(values, "minimize")


def test_an_outcome_that_has_a_limit_is_bent_around_it() -> None:
    """What matters is where it crosses the limit, which lies on the bad side of most results."""
    values = 5.0 - np.exp(4 - 10 * POINTS[:, 0]) * (1 + POINTS[:, 1])
    found = model(values, "map", limits=(Limit("c", "<=", 4.5),))
    assert isinstance(found.units.warp, EdgeWarp)
    assert found.units.warp.low * found.units.size == pytest.approx(4.5)
    assert found.observed[0].noise == 0.0


def test_steps_of_an_exact_outcome_that_has_a_limit_are_detail() -> None:
    """A kernel rough enough for the steps would know nothing between the results."""
    values = np.round(80 * (POINTS[:, 0] + 0.3 * POINTS[:, 1])) / 80
    found = model(values, "map", limits=(Limit("c", "<=", 0.62),))
    assert 0.0 < found.observed[0].noise < 0.02
    assert np.isnan(found.known).all()
    assert found.exact_at(POINTS)
    assert found.observed[0].ell.min() > 0.3


def test_noise_in_proportion_is_seen_on_a_scale_of_ratios() -> None:
    noise = 0.5 * np.random.default_rng(1).standard_normal(40)
    proportional = (1 + 20 * ((POINTS - 0.4) ** 2).sum(axis=1)) * np.exp(noise)
    assert model(proportional, "map", "learned").units == Units.of(proportional, "minimize", LogWarp.of)
    even = proportional.min() + 10 + 8 * SMOOTH + noise
    assert not isinstance(model(even, "map", "learned").units.warp, LogWarp)


@pytest.mark.parametrize("values", [SMOOTH, np.exp(6 * SMOOTH)], ids=["straight", "bent"])
def test_exact_results_are_found_out(values: np.ndarray) -> None:
    """Nobody has to say `noise=0`: then, and only then, all is as if it had been said."""
    told, found = (model(values, "map", noise) for noise in (0.0, "learned"))
    assert found.exact_at(POINTS)
    assert found.units == told.units
    np.testing.assert_allclose(found.observed[0].mean(POINTS + 0.01), told.observed[0].mean(POINTS + 0.01), atol=1e-3)
    for sd in (1e-3, 1e-2, 0.3):
        noise = sd * values.std() * np.random.default_rng(1).standard_normal(40)
        seen = model(values + noise, "map", "learned")
        assert not seen.exact_at(POINTS), sd


def test_steps_get_no_smooth_kernel() -> None:
    assert model(np.floor(5 * POINTS).sum(axis=1), "map").observed[0].kernel is not matern72


@pytest.mark.parametrize("noise", [0.0, "learned"])
def test_a_kink_gets_the_rough_kernel_and_a_bowl_does_not(noise: str | float) -> None:
    """A search that has come near: the nearer to the minimum, the more results."""
    rng = np.random.default_rng(0)
    points = 0.4 + rng.choice([-1, 1], (40, 2)) * 0.4 * 10 ** -rng.uniform(0, 2, (40, 2))
    distance = np.sqrt(((points - 0.4) ** 2).sum(axis=1))
    assert model(distance, "map", noise, points).observed[0].kernel is matern32
    assert model(distance**2, "map", noise, points).observed[0].kernel is matern72


def test_maximum_likelihood_is_the_papers() -> None:
    values = np.exp(6 * SMOOTH)
    found, straight = model(values, "mle"), Units.of(values, "minimize", Identity.of)
    plain = fit(POINTS, straight.standardise(values), np.zeros(40), np.arange(2))
    assert found.units == straight
    assert plain.kernel is matern52
    np.testing.assert_allclose(found.observed[0].mean(POINTS), plain.mean(POINTS), rtol=1e-9)
