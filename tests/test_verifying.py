"""Cheap looks are verified at the target, and runs that go on are conditioned on without a fit."""

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.advisor import moment
from knowgrad.gp.posterior import Posterior

SPACE = {"x": (0.0, 1.0), "epochs": kg.Fidelity(1, 20, log=True)}


def value(x, epochs):
    return (x - 0.3) ** 2 + 0.5 / epochs


def looked(cheap, seed=0):
    """A study with two whole looks, and then cheap ones."""
    study = kg.Study(SPACE, seed=seed, noise=0, cost=lambda params: params["epochs"])
    for x, epochs in [(0.1, 1), (0.1, 4), (0.5, 1), (0.8, 4), (0.1, 20), (0.8, 20), *cheap]:
        study.add({"x": x, "epochs": epochs}, value(x, epochs))
    return study


def test_cheap_looks_are_verified_once_they_have_cost_as_much():
    some = [(0.2, 4), (0.35, 4), (0.6, 4), (0.7, 4)]
    assert looked(some).ask()[0].source == "qkg"
    study = looked([*some, (0.4, 5)])
    first, second = study.ask(2)
    assert first.source == "target"
    assert first.params["epochs"] == 20
    assert first.params["x"] == pytest.approx(0.3, abs=0.03)
    assert second.source == "qkg"
    assert study.ask()[0].source == "qkg"  # it is running
    study.tell(first, value(**first.params))
    assert study.ask()[0].source == "qkg"


def test_nothing_is_verified_twice():
    study = looked([])
    again = looked([(0.2, 4), (0.35, 4), (0.6, 4), (0.7, 4), (0.4, 5)])
    best = again.ask()[0].params
    for each in (study, again):
        assert each.trials[0].params == {"x": 0.1, "epochs": 1}
    study.add(best, value(**best))
    for x in (0.2, 0.35, 0.6, 0.7, 0.4):
        study.add({"x": x, "epochs": 5}, value(x, 5))
    assert study.ask()[0].source in ("qkg", "target")
    tried = [trial.params for trial in study.trials if trial.params["epochs"] == 20]
    assert len({params["x"] for params in tried}) == len(tried)


def test_a_run_that_goes_on_is_conditioned_on(monkeypatch):
    """No fit for its steps; what is known is what all results give under the hyperparameters of the others."""
    fits, fitted = [], moment.fitted

    def counted(*arguments, **options):
        fits.append(1)
        return fitted(*arguments, **options)

    monkeypatch.setattr(moment, "fitted", counted)
    study = looked([(0.2, 4), (0.35, 4)])
    trial = study.ask()[0]
    study.enqueue({"x": 0.77, "epochs": 20})
    trial = study.ask()[0]
    before, done = study.snapshot().model, len(fits)
    for at in (1, 2, 4):
        study.report(trial, at=at, value=value(0.77, at))
        assert study.worth_continuing(trial)
    after = study.snapshot().model
    assert len(fits) == done == 1
    assert [each.value for each in after.done[-3:]] == [value(0.77, at) for at in (1, 2, 4)]
    X = study.space.encode_many([each.params for each in after.done])
    values = np.array([each.value for each in after.done]) - after.bias(X)
    old = before.observed[0]
    y = np.append(old.y, after.units.standardise(values)[len(old.y) :])
    noise = np.append(old.sigma2, np.full(3, after.observed[0].sigma2[-1]))
    whole = Posterior.build(np.vstack([old.X, X[-3:]]), y, noise, old.ell, old.s2, old.m, kernel=old.kernel)
    U = np.random.default_rng(0).random((5, 2))
    np.testing.assert_allclose(after.observed[0].mean(U), whole.mean(U), atol=1e-6)
    np.testing.assert_allclose(after.observed[0].var(U), whole.var(U), atol=1e-6)
    study.stop(trial)
    assert study.snapshot().model.done[-1].params["epochs"] in (1, 2, 4)
    assert len(fits) == 2


@pytest.mark.parametrize("kind", [kg.Fidelity(1, 52, log=True), kg.Fidelity(1.0, 52.0, log=True)])
def test_looks_differ_less_and_less_towards_the_target(kind):
    """As 1 / fidelity."""
    u = [float(kind.place(kind.position(kind.check(at)))[..., 0]) for at in (1, 2, 4, 27, 52)]
    np.testing.assert_allclose(u, [(1 - 1 / at) / (1 - 1 / 52) for at in (1, 2, 4, 27, 52)], atol=1e-9)
    np.testing.assert_allclose(kind.prices(np.array(u)[:, None]), np.array([1, 2, 4, 27, 52]) / 52, rtol=1e-9)
