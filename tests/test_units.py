from collections.abc import Callable

import numpy as np
import pytest

from knowgrad.model.scaling import Units
from knowgrad.model.warp import AsinhWarp, EdgeWarp, Identity, LogWarp, Warp

RNG = np.random.default_rng(0)
SPANNING = np.exp(3 * RNG.standard_normal(60))  # six orders of magnitude
Fitting = Callable[[np.ndarray], Warp]


def around(z: np.ndarray) -> Warp:
    return EdgeWarp.of(z, float(np.quantile(z, 0.4)))


WARPS = [Identity.of, AsinhWarp.of, LogWarp.of, around]


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
@pytest.mark.parametrize("fitting", WARPS)
def test_values_come_back(direction: str, fitting: Fitting) -> None:
    units = Units.of(SPANNING, direction, fitting)
    back = [units.value(each) for each in units.standardise(SPANNING)]
    np.testing.assert_allclose(back, SPANNING, rtol=1e-7, atol=1e-9 * SPANNING.max())


@pytest.mark.parametrize("fitting", WARPS)
def test_the_model_sees_mean_zero_and_spread_one(fitting: Fitting) -> None:
    y = Units.of(SPANNING, "minimize", fitting).standardise(SPANNING)
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


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
@pytest.mark.parametrize("fitting", WARPS)
def test_slope_and_deviation_are_the_derivatives_of_the_two_maps(direction: str, fitting: Fitting) -> None:
    units, h = Units.of(SPANNING, direction, fitting), 1e-6
    at = SPANNING[np.abs(SPANNING - np.median(SPANNING)) > 1e-3]
    wide = units.standardise(at * (1 + 1e-4)) - units.standardise(at * (1 - 1e-4))
    np.testing.assert_allclose(np.exp(units.log_slope(at)), np.abs(wide) / (2e-4 * at), rtol=1e-3)
    for mean in np.quantile(units.standardise(SPANNING), [0.2, 0.4, 0.7, 0.9]):
        slope = abs(units.value(mean + h) - units.value(mean - h)) / (2 * h)
        assert units.deviation(mean, 0.1) == pytest.approx(0.1 * slope, rel=1e-5)


@pytest.mark.parametrize("fitting", WARPS)
def test_known_noise_is_damped_as_the_values_are(fitting: Fitting) -> None:
    units = Units.of(SPANNING, "minimize", fitting)
    sd = np.full(60, 0.01)
    np.testing.assert_allclose(np.sqrt(units.variance(sd, SPANNING)), 0.01 * np.exp(units.log_slope(SPANNING)))
    assert np.sqrt(np.mean(units.variance(sd, SPANNING))) * units.noise(SPANNING) == pytest.approx(0.01)


def test_unit_and_offset_do_not_matter() -> None:
    one, other = Units.of(SPANNING, "minimize"), Units.of(4 * SPANNING + 64, "minimize")
    np.testing.assert_allclose(other.standardise(4 * SPANNING + 64), one.standardise(SPANNING), atol=1e-9)


def test_one_wild_value_leaves_the_others_apart() -> None:
    values = np.append(np.linspace(0, 1, 20), 1e9)
    assert np.ptp(Units.of(values, "minimize").standardise(values)[:20]) > 0.3
    assert np.ptp(Units.of(values, "minimize", Identity.of).standardise(values)[:20]) < 1e-4


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
@pytest.mark.parametrize("penalty", [1e10, 1e12, 1e15, 1e300])
def test_however_bad_a_penalty_is_the_others_are_told_apart_alike(penalty: float, direction: str) -> None:
    sign = 1.0 if direction == "minimize" else -1.0
    ordinary = sign * np.random.default_rng(0).standard_normal(14)
    first, other = (np.append(ordinary, [sign * p] * 2) for p in (1e8, penalty))
    one, two = Units.of(first, direction), Units.of(other, direction)
    np.testing.assert_allclose(two.standardise(other), one.standardise(first), atol=1e-11)
    np.testing.assert_allclose([two.value(y) for y in two.standardise(ordinary)], ordinary, rtol=1e-9, atol=1e-9)
    assert two.difference(1.0) == pytest.approx(one.difference(1.0), rel=1e-12)


def test_values_that_are_no_penalties_are_left_as_they_are() -> None:
    values = np.append(np.linspace(0.0, 1.0, 20), 1e5)
    assert Units.of(values, "minimize").worst == np.inf
    assert Units.of(values, "minimize").size == 1e5


@pytest.mark.parametrize("values", [[3.0], [2.0, 2.0, 2.0], [1.0] * 9 + [5.0]])
def test_without_a_spread_below_the_median_nothing_is_bent(values: list[float]) -> None:
    units = Units.of(np.array(values), "minimize")
    assert units == Units.of(np.array(values), "minimize", Identity.of)


@pytest.mark.parametrize("fitting", [AsinhWarp.of, LogWarp.of])
def test_nothing_is_believed_far_beyond_the_worst_value(fitting: Fitting) -> None:
    units = Units.of(SPANNING, "minimize", fitting)
    assert units.value(1e6) < 3 * SPANNING.max()


def test_logarithms_see_ratios_and_no_unit() -> None:
    units, other = (Units.of(a * SPANNING, "minimize", LogWarp.of) for a in (1.0, 1e-200))
    np.testing.assert_allclose(other.standardise(1e-200 * SPANNING), units.standardise(SPANNING), atol=1e-9)
    steps = np.diff(units.standardise(np.array([0.1, 0.2, 0.4, 0.8])))
    np.testing.assert_allclose(steps, steps[0], rtol=1e-9)
    low = np.quantile(SPANNING, 0.1)
    assert units.difference(1e-3) == pytest.approx(units.deviation(units.standardise(low), 1e-3), rel=1e-9)


def test_maximising_what_is_positive_is_the_mirror_image() -> None:
    up, down = Units.of(SPANNING, "maximize", LogWarp.of), Units.of(SPANNING, "minimize", LogWarp.of)
    np.testing.assert_allclose(up.standardise(SPANNING), -down.standardise(SPANNING), atol=1e-9)


@pytest.mark.parametrize("values", [[-1.0, 2.0, 30.0], [0.0, 1.0, 20.0], [1.0, 3.0, 9.0], [0.0, 0.0]])
def test_both_signs_a_zero_or_a_small_span_have_no_logarithm(values: list[float]) -> None:
    assert Units.of(np.array(values), "minimize", LogWarp.of).warp == Identity()


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_around_a_limit_both_sides_are_drawn_in_alike(direction: str) -> None:
    away = np.sort(np.abs(SPANNING))
    units = Units.of(np.append(3.0 + away, 3.0 - away), direction, EdgeWarp.of, np.array([3.0]))
    y = units.standardise(np.array([3.0, *(3.0 + away), *(3.0 - away)])) - units.standardise(np.array([3.0]))
    np.testing.assert_allclose(y[1:61], -y[61:], atol=1e-9)
    assert np.all(np.diff(np.abs(y[1:61]) / away) < 1e-9)


def test_between_two_limits_nothing_is_bent() -> None:
    values = np.linspace(-10.0, 20.0, 61)
    units = Units.of(values, "minimize", EdgeWarp.of, np.array([4.0, 7.0]))
    assert isinstance(units.warp, EdgeWarp)
    inside = np.array([4.0, 4.5, 5.0, 7.0])
    np.testing.assert_allclose(np.diff(units.standardise(inside)) * units.difference(1.0), [0.5, 0.5, 2.0], rtol=1e-9)


def test_values_that_all_lie_at_a_limit_are_left_as_they_are() -> None:
    assert Units.of(np.ones(8), "minimize", EdgeWarp.of, np.array([1.0])).warp == Identity()
