"""Noise that is learned for each source: equal noises change nothing, different ones are found."""

import math

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.gp.fit import fit
from knowgrad.gp.kinds import Noises, fit_kinds
from knowgrad.gp.prior import Prior
from knowgrad.model.sources import SourceNoise
from tests.numeric import check_gradient

GROUPS = np.array([0, 1])


def value(x, y):
    return math.sin(5.0 * x) + 2.0 * (y - 0.4) ** 2


def study_of(sim, plant, n=30, seed=0, **options):
    rng = np.random.default_rng(seed)
    source = kg.Source(["sim", "plant"], target="plant", cost=[0.1, 1.0])
    study = kg.Study({"x": (0.0, 1.0), "y": (0.0, 1.0), "by": source}, seed=seed, **options)
    for by, sd in (("sim", sim), ("plant", plant)):
        for _ in range(n):
            x, y = map(float, rng.random(2))
            off = 0.3 * math.cos(3.0 * x) if by == "sim" else 0.0
            study.add({"x": x, "y": y, "by": by}, value(x, y) + off + sd * rng.normal(), check=False)
    return study


def noises(study):
    """Standard deviations of a measurement by each source, in user units at good values."""
    model = study.snapshot().model
    U = study.space.encode_many([{"x": 0.5, "y": 0.5, "by": by} for by in ("sim", "plant")])
    return [model.units.difference(math.sqrt(each)) for each in model.noise[0](U)[0]]


def answers(study):
    best = study.recommend()
    return best.params, best.mean, best.sd, [trial.params for trial in study.ask(2)], float(study.gain(1))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_with_equal_noises_nothing_changes(seed, monkeypatch):
    study, plain = (study_of(0.1, 0.1, seed=seed) for _ in range(2))
    found = answers(study)
    monkeypatch.setattr("knowgrad.model.fitted.by_source", lambda *_: None)
    assert answers(plain) == found
    sim, plant = noises(study)
    assert sim == plant == pytest.approx(0.1, rel=0.4)


@pytest.mark.parametrize(("sim", "plant"), [(0.5, 0.05), (0.02, 0.3)])
@pytest.mark.parametrize("seed", [0, 1])
def test_different_noises_are_found(sim, plant, seed):
    study = study_of(sim, plant, seed=seed)
    found = noises(study)
    assert found == pytest.approx([sim, plant], rel=0.5)
    assert study.diagnostics().source_noises == pytest.approx({"by = sim": sim, "by = plant": plant}, rel=0.5)
    assert "noise sd, by = sim" in str(study.diagnostics())


def test_a_noisy_source_does_not_spoil_an_exact_target():
    """Where the plant is nearly exact, its results are believed, and predictions there are better for it."""
    errors = []
    for apart in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            if not apart:
                patch.setattr("knowgrad.model.fitted.by_source", lambda *_: None)
            squares = []
            for seed in range(3):
                study = study_of(0.8, 0.02, n=25, seed=seed)
                grid = [{"x": x, "y": y, "by": "plant"} for x in np.linspace(0, 1, 6) for y in np.linspace(0, 1, 6)]
                gaps = study.predict(grid).mean - [value(each["x"], each["y"]) for each in grid]
                squares.append(np.mean(gaps**2))
        errors.append(float(np.mean(squares)))
    assert errors[0] < 0.7 * errors[1]


def test_noise_that_is_said_is_not_learned():
    study = study_of(0.5, 0.05, noise=lambda params: 0.5 if params["by"] == "sim" else 0.05)
    assert not isinstance(study.snapshot().model.noise[0], SourceNoise)
    few = study_of(0.5, 0.05, n=3)
    assert not isinstance(few.snapshot().model.noise[0], SourceNoise)


def test_under_draws_of_the_hyperparameters():
    study = study_of(0.5, 0.05, n=15, fit="bayes")
    model = study.snapshot().model
    assert all(isinstance(noise, SourceNoise) for noise in model.noise)
    assert noises(study)[0] > 3 * noises(study)[1]


def observations(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X, kinds = rng.random((n, 2)), np.arange(n) % 2
    y = np.sin(5.0 * X[:, 0]) + np.where(kinds == 0, 0.05, 0.6) * rng.normal(size=n)
    known = np.full(n, np.nan)
    return fit(X, y, known, GROUPS, Prior()), known, kinds


def test_the_gradient_is_that_of_the_likelihood():
    post, known, kinds = observations()
    known[3], kinds[5] = 0.01, 2  # one that is known, and a kind with a single observation
    noises = Noises(post, known, kinds)
    psi = np.log([0.02, 0.3, 0.1])
    check_gradient(lambda each: noises(each)[0], noises(psi)[1], psi)


def test_kinds_without_a_difference_are_one():
    post, known, kinds = observations()
    found, variances = fit_kinds(post, known, kinds, GROUPS)
    assert np.sqrt(variances) == pytest.approx([0.05, 0.6], rel=0.5)
    assert found.noise == pytest.approx(variances[0])
    assert fit_kinds(post, known, np.zeros_like(kinds), GROUPS) is None
    mixed = np.random.default_rng(1).permutation(kinds)  # which says nothing about the noise
    assert fit_kinds(post, known, mixed, GROUPS) is None
