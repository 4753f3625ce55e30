import numpy as np

from knowgrad.gp.fit import fit
from knowgrad.gp.kernel import matern52, matern72
from knowgrad.model import Fitted, fitted
from knowgrad.space import Space
from knowgrad.trial import Settings, Trial
from knowgrad.units import Units

SPACE = Space({"x": (0.0, 1.0), "y": (0.0, 1.0)})
POINTS = np.random.default_rng(0).random((40, 2))
SMOOTH = np.cos(3 * POINTS[:, 0]) + POINTS[:, 1] ** 3


def model(values: np.ndarray, how: str) -> Fitted:
    rows = enumerate(zip(POINTS, values, strict=True))
    trials = [Trial(f"s-{i}", i, {"x": u[0], "y": u[1]}, "complete", value=float(v)) for i, (u, v) in rows]
    return fitted(SPACE, trials, Settings(0, noise=0.0), how)


def test_a_smooth_function_gets_the_smoother_kernel_and_straight_units() -> None:
    found = model(SMOOTH, "map")
    assert found.observed[0].kernel is matern72
    assert found.units == Units.of(SMOOTH, "minimize", bent=False)


def test_orders_of_magnitude_are_bent() -> None:
    values = np.exp(12 * np.abs(POINTS - 0.4).sum(axis=1))
    assert model(values, "map").units == Units.of(values, "minimize")


def test_steps_get_the_rougher_kernel() -> None:
    assert model(np.floor(5 * POINTS).sum(axis=1), "map").observed[0].kernel is matern52


def test_maximum_likelihood_is_the_papers() -> None:
    values = np.exp(6 * SMOOTH)
    found, straight = model(values, "mle"), Units.of(values, "minimize", bent=False)
    plain = fit(POINTS, straight.standardise(values), np.zeros(40), np.arange(2))
    assert found.units == straight
    assert plain.kernel is matern52
    np.testing.assert_allclose(found.observed[0].mean(POINTS), plain.mean(POINTS), rtol=1e-9)
