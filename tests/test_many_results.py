"""A study of more results than one model takes in answers all questions from the same part of them."""

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.advisor.start.far import _gaps
from knowgrad.gp import laplace
from knowgrad.gp.fit import ALL, SUBSET, even_subset
from knowgrad.gp.likelihood import Likelihood
from knowgrad.gp.posterior import Posterior
from knowgrad.model import fitted as model
from knowgrad.model.fitted import room
from knowgrad.views.calibration import calibration
from tests.memory import peak


def study(n: int, failed: int = 0) -> kg.Study:
    made, rng = kg.Study({"x": (0.0, 1.0), "y": (0.0, 1.0)}, seed=1), np.random.default_rng(0)
    for i, (x, y) in enumerate(rng.random((n + failed, 2)).tolist()):
        value = (x - 0.3) ** 2 + y + 0.05 * rng.standard_normal()
        made.add({"x": x, "y": y}, value if i < n else np.nan)
    return made


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "LIMIT", 60)
    monkeypatch.setattr(model, "MORE", 10**6)


def sizes(made: kg.Study) -> tuple[int, int]:
    found = made.snapshot().model
    return len(found.observed[0].X), len(found.model[0].X)


@pytest.mark.usefixtures("small")
def test_all_questions_are_answered_from_a_part() -> None:
    made = study(200)
    assert sizes(made) == (60, 60)
    assert made.recommend().n_observed == 200
    assert made.gain(2).value >= 0.0
    found = made.diagnostics()
    assert (found.n_observed, found.n_modelled, len(found.loo.z)) == (200, 60, 60)
    assert any("rests on 60 of 200 results" in warning for warning in found.warnings)
    assert len(calibration(made.snapshot()).trial) == 60
    assert {trial.source for trial in made.ask(2)} == {"qkg"}


@pytest.mark.usefixtures("small")
def test_what_was_just_told_counts() -> None:
    made = study(200)
    for trial in made.ask(4):
        made.tell(trial, 1.0)
    assert {trial.number for trial in made.snapshot().model.done} >= {200, 201, 202, 203}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("n", "failed", "kept"), [(200, 5, (55, 60)), (200, 100, (45, 60)), (10, 100, (10, 60))])
def test_failures_share_the_room(n: int, failed: int, kept: tuple[int, int]) -> None:
    assert sizes(study(n, failed)) == kept


def test_a_thousand_results_are_all_taken_in() -> None:
    assert all(room(n, how) >= n for n in (1, 999, 1_000) for how in ("map", "mle", "bayes"))
    assert [room(n, "map") for n in (1_019, 2_000, 20_000)] == [1_000, 1_050, 1_950]


def test_noise_is_bounded_from_some_of_very_many_results(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = rng.random((400, 1))
    y = np.sin(6 * X[:, 0]) + 0.3 * rng.standard_normal(400)
    known, groups = np.full(400, np.nan), np.zeros(1, dtype=int)
    post = Posterior.build(X, y, np.full(400, 0.09), np.array([0.3]), 1.0, noise=0.09)
    whole = np.log(laplace.noise_interval([post], known, groups))
    seen: list[int] = []
    usual = Likelihood.__call__
    monkeypatch.setattr(Likelihood, "__call__", lambda self, theta: (seen.append(len(self.y)), usual(self, theta))[1])
    monkeypatch.setattr(laplace, "even_subset", lambda n: np.arange(0, n, 4))
    part = np.log(laplace.noise_interval([post], known, groups))
    assert set(seen) == {100}
    # As wide as from all; its middle is that of a hundred, so within five standard errors of ln σ from so many.
    assert np.ptp(part) == pytest.approx(np.ptp(whole), rel=0.15)
    assert abs(part.mean() - whole.mean()) < 5 / np.sqrt(2 * 100)


def test_a_thousand_are_all_looked_at_for_the_noise() -> None:
    np.testing.assert_array_equal(even_subset(ALL), np.arange(ALL))
    assert len(even_subset(5_000)) == 2 * SUBSET


def test_far_points_are_found_in_little_room() -> None:
    taken = np.random.default_rng(0).random((4_000, 6))
    assert peak(lambda: _gaps(taken[:64], taken)) < 64 * 4_000 * 8
    assert _gaps(taken[:64], taken).max() == 0.0
