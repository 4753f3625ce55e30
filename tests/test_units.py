import numpy as np
import pytest

from knowgrad.units import Units

RNG = np.random.default_rng(0)
SPANNING = np.exp(3 * RNG.standard_normal(60))  # six orders of magnitude


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
@pytest.mark.parametrize("bent", [False, True])
def test_values_come_back(direction: str, bent: bool) -> None:
    units = Units.of(SPANNING, direction, bent)
    back = [units.value(each) for each in units.standardise(SPANNING)]
    np.testing.assert_allclose(back, SPANNING, rtol=1e-7, atol=1e-9 * SPANNING.max())


def test_the_model_sees_mean_zero_and_spread_one() -> None:
    y = Units.of(SPANNING, "minimize").standardise(SPANNING)
    assert y.mean() == pytest.approx(0, abs=1e-9)
    assert y.std() == pytest.approx(1)


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_the_better_half_stays_straight_and_the_worse_half_is_drawn_in(direction: str) -> None:
    units = Units.of(SPANNING, direction)
    order = np.sort(SPANNING)[:: 1 if direction == "minimize" else -1]
    steps, moved = np.abs(np.diff(order)), np.diff(units.standardise(order))
    np.testing.assert_allclose(moved[:29] * units.difference(1.0), steps[:29], rtol=1e-6, atol=1e-9)
    assert np.all(moved[30:] * units.difference(1.0) < steps[30:])
    assert np.all(moved > 0)


def test_slope_and_deviation_are_the_derivatives_of_the_two_maps() -> None:
    units, h = Units.of(SPANNING, "maximize"), 1e-6
    at = SPANNING[np.abs(SPANNING - np.median(SPANNING)) > 1e-3]
    wide = units.standardise(at * (1 + 1e-4)) - units.standardise(at * (1 - 1e-4))
    np.testing.assert_allclose(np.exp(units.log_slope(at)), np.abs(wide) / (2e-4 * at), rtol=1e-3)
    for mean in np.quantile(units.standardise(SPANNING), [0.2, 0.4, 0.7, 0.9]):
        slope = abs(units.value(mean + h) - units.value(mean - h)) / (2 * h)
        assert units.deviation(mean, 0.1) == pytest.approx(0.1 * slope, rel=1e-5)


def test_known_noise_is_damped_as_the_values_are() -> None:
    units = Units.of(SPANNING, "minimize")
    sd = np.full(60, 0.01)
    np.testing.assert_allclose(np.sqrt(units.variance(sd, SPANNING)), 0.01 * np.exp(units.log_slope(SPANNING)))
    assert np.sqrt(np.mean(units.variance(sd, SPANNING))) * units.noise(SPANNING) == pytest.approx(0.01)


def test_unit_and_offset_do_not_matter() -> None:
    one, other = Units.of(SPANNING, "minimize"), Units.of(4 * SPANNING + 64, "minimize")
    np.testing.assert_allclose(other.standardise(4 * SPANNING + 64), one.standardise(SPANNING), atol=1e-9)


def test_one_wild_value_leaves_the_others_apart() -> None:
    values = np.append(np.linspace(0, 1, 20), 1e9)
    assert np.ptp(Units.of(values, "minimize").standardise(values)[:20]) > 0.3
    assert np.ptp(Units.of(values, "minimize", bent=False).standardise(values)[:20]) < 1e-6


@pytest.mark.parametrize("values", [[3.0], [2.0, 2.0, 2.0], [1.0] * 9 + [5.0]])
def test_without_a_spread_below_the_median_nothing_is_bent(values: list[float]) -> None:
    units = Units.of(np.array(values), "minimize")
    assert units == Units.of(np.array(values), "minimize", bent=False)


def test_nothing_is_believed_far_beyond_the_worst_value() -> None:
    units = Units.of(SPANNING, "minimize")
    assert units.value(1e6) < 3 * SPANNING.max()
