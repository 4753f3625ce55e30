"""What a study says about its model: numbers in user units, and a verdict in words."""

import dataclasses
import math

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.advisor.advice import judged
from knowgrad.advisor.diagnostics import Diagnostics, LeaveOneOut, LengthScale
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.errors import NoDataError
from knowgrad.gp.loo import leave_one_out
from knowgrad.trial import Settings
from tests.test_suggest import PLANE, complete, loss


def study(values, n: int, **options) -> kg.Study:
    made = kg.Study(PLANE, seed=7, **options)
    for trial in complete(PLANE, values, n=n):
        made.add(trial.params, trial.value)
    return made


def noisy(sd: float, seed: int = 0):
    rng = np.random.default_rng(seed)
    return lambda p: loss(p) + sd * rng.standard_normal()


def test_a_good_model_is_trusted_and_knows_the_noise() -> None:
    found = study(noisy(0.2), 40).diagnostics()
    assert found.trusted
    assert found.loo.r2 > 0.8
    assert found.loo.log_density > found.loo.constant_log_density + 0.5
    assert found.loo.outliers == ()
    low, high = found.noise_interval
    assert low < 0.2 < high
    assert low <= found.noise_sd <= high
    assert found.fit == "map"
    assert (found.n_observed, found.n_failed) == (40, 0)


def test_residuals_are_those_of_the_model() -> None:
    made = study(noisy(0.2), 12)
    post = Snapshot(PLANE, made.trials, Settings(7)).model.observed[0]
    mean, variance = leave_one_out(post)
    z = (post.y - mean) / np.sqrt(variance)
    found = made.diagnostics().loo
    np.testing.assert_allclose(list(found.z.values()), z, rtol=1e-10)
    assert list(found.z) == list(range(12))
    assert found.inside_90 == np.mean(np.abs(z) < 1.6449)
    assert found.r2 == pytest.approx(1.0 - ((post.y - mean) ** 2).sum() / ((post.y - post.y.mean()) ** 2).sum())


def test_units_are_the_users() -> None:
    value = noisy(0.2)
    one, big = study(noisy(0.2), 12).diagnostics(), study(lambda p: 2.0**900 * value(p), 12).diagnostics()
    assert big.signal_sd == pytest.approx(2.0**900 * one.signal_sd)
    assert big.noise_interval == pytest.approx([2.0**900 * end for end in one.noise_interval])
    assert big.loo.z == one.loo.z
    assert big.loo.log_density == pytest.approx(one.loo.log_density - 900 * math.log(2.0))


def test_maximising_turns_the_residuals() -> None:
    down = study(noisy(0.2), 12).diagnostics()
    value = noisy(0.2)
    up = study(lambda p: -value(p), 12, direction="maximize").diagnostics()
    assert list(up.loo.z.values()) == pytest.approx([-z for z in down.loo.z.values()])


def test_a_parameter_that_does_nothing_is_irrelevant() -> None:
    found = study(lambda p: math.sin(4.0 * p["x"]), 40, noise=0).diagnostics()
    assert found.length_scales["x"].relevance > 0.9 > 0.3 > found.length_scales["y"].relevance
    assert found.length_scales["x"].value < 0.5 < found.length_scales["y"].value


def test_exact_results_have_no_noise_but_a_bound() -> None:
    found = study(lambda p: math.sin(2.0 * p["x"]) + math.cos(math.log10(p["y"])), 40).diagnostics()
    assert found.noise_sd == 0.0 == found.noise_interval[0]
    assert 0.0 < found.noise_interval[1] < 0.05
    assert found.trusted


@pytest.mark.parametrize("noise", [0.2, lambda p: 0.2])
def test_known_noise_is_not_estimated(noise: object) -> None:
    found = study(noisy(0.2), 12, noise=noise).diagnostics()
    assert found.noise_interval is None
    assert found.noise_sd == pytest.approx(0.2)
    assert "0.2 (known)" in str(found)


@pytest.mark.parametrize("fit", ["mle", "bayes"])
def test_every_fit_is_diagnosed(fit: str) -> None:
    found = study(noisy(0.2), 20, fit=fit).diagnostics()
    assert found.fit == fit
    assert found.loo.r2 > 0.5
    assert found.noise_interval[0] <= found.noise_sd <= found.noise_interval[1]


def test_nothing_told_is_an_error() -> None:
    with pytest.raises(NoDataError, match="diagnostics: expected at least one result"):
        kg.Study(PLANE).diagnostics()


@pytest.mark.parametrize("noise", ["learned", 0, 0.5])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_few_results_are_too_few(n: int, noise: object) -> None:
    found = study(loss, n, noise=noise).diagnostics()
    assert not found.trusted
    assert found.loo is None
    assert found.warnings[0].startswith(f"Too little data ({n} of")
    assert "not trusted" in str(found)


@pytest.mark.parametrize("noise", ["learned", 0])
@pytest.mark.parametrize("value", [5.0, 0.0, 1e300])
def test_constant_results_say_so(value: float, noise: object) -> None:
    found = study(lambda p: value, 8, noise=noise).diagnostics()
    assert not found.trusted
    assert "All 8 results are the same" in found.warnings[0]


def test_pure_noise_is_not_trusted() -> None:
    rng = np.random.default_rng(0)
    found = study(lambda p: rng.standard_normal(), 30).diagnostics()
    assert not found.trusted
    assert "almost none of the variation" in found.warnings[0]


def test_outliers_are_named() -> None:
    made = study(noisy(0.05), 30)
    made.add({"x": 0.5, "y": 1.0}, 100.0)
    found = made.diagnostics()
    assert found.loo.outliers == (30,)
    assert found.loo.z[30] > 4.0
    assert any("1 result lies more than 4" in warning and "trial 30" in warning for warning in found.warnings)


def test_failures_and_fallbacks_are_counted() -> None:
    made = kg.Study(PLANE, seed=1)
    for trial in [*made.ask(6), *made.ask(2)]:  # before any result the last two are random
        made.tell(trial, loss(trial.params)) if trial.number % 4 == 0 else made.fail(trial, "crashed")
    found = made.diagnostics()
    assert (found.n_observed, found.n_failed) == (2, 6)
    assert list(found.fallbacks) == [6, 7]
    assert any("No model chose trials 6, 7" in warning for warning in found.warnings)
    assert any("More trials failed" in warning for warning in found.warnings)


def test_failed_trials_leave_the_diagnosis_of_the_others_alone() -> None:
    made = study(noisy(0.2), 12)
    before = made.diagnostics()
    made.add({"x": 0.0, "y": 1.0}, math.nan)
    assert made.diagnostics() == dataclasses.replace(before, n_failed=1)


GOOD = Diagnostics(
    n_observed=50,
    n_failed=0,
    fit="map",
    length_scales={"x": LengthScale(0.5, 0.8), "y": LengthScale(2.0, 0.2)},
    signal_sd=2.0,
    noise_sd=0.5,
    noise_interval=(0.4, 0.7),
    loo=LeaveOneOut({0: 1.0}, 0.8, 0.5, 0.9, -1.0, -2.0, ()),
    fallbacks={},
)


def with_loo(**changes) -> Diagnostics:
    return dataclasses.replace(GOOD, loo=dataclasses.replace(GOOD.loo, **changes))


def test_nothing_wrong_is_nothing_said() -> None:
    assert judged(GOOD) == GOOD


@pytest.mark.parametrize(
    ("numbers", "trusted", "words"),
    [
        (with_loo(r2=-0.1), False, "leave-one-out R² -0.10"),
        (with_loo(log_density=-2.5), False, "worse than the plain average"),
        (with_loo(outliers=tuple(range(3, 13))), False, "10 results lie .* (trials 3, 4, 5, 6, 7, 8, 9, 10, …)"),
        (with_loo(inside_90=0.6), False, "Only 60% of the results"),
        (dataclasses.replace(GOOD, length_scales={"x": LengthScale(1.5, 0.3)}), True, "longer than the range"),
        (dataclasses.replace(GOOD, noise_sd=2.1), True, "Noise is about as large"),
        (dataclasses.replace(GOOD, fallbacks={4: "random: …"}), True, "No model chose trial 4:"),
        (dataclasses.replace(GOOD, n_observed=20_000, n_modelled=4_000), True, "rests on 4,000 of 20,000 results"),
        (dataclasses.replace(GOOD, n_failed=51), True, "More trials failed than succeeded (51 against 50)"),
    ],
)
def test_each_warning_has_its_cause(numbers: Diagnostics, trusted: bool, words: str) -> None:
    found = judged(numbers)
    assert found.trusted is trusted
    assert len(found.warnings) == 1
    assert all(part in found.warnings[0] for part in words.split(".*"))
    assert f"! {found.warnings[0]}" in str(found)


def test_the_table_is_short() -> None:
    lines = str(GOOD).splitlines()
    assert len(lines) == 10
    assert lines[0] == "model              trusted"
    assert lines[4] == "noise sd           0.5 (90 %: 0.4 to 0.7)"
    assert lines[8] == "length of x        0.5 of its range, relevance 0.80"
