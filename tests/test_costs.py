"""Costs: what measurements cost, said or learned, and batches that are worth most per cost."""

import math
import time

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.acquisition.criteria.kg import ExactKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.errors import ArgumentError, ConflictError
from knowgrad.gp.posterior import Posterior
from knowgrad.model.price import Flat, LearnedPrice, PriceFunction
from tests.acquisition.questions import LINE
from tests.numeric import check_gradient

SPACE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}


def bowl(params):
    return (params["x"] - 0.3) ** 2 + (params["y"] - 0.6) ** 2


def steep(params):
    return 0.1 + 10.0 * params["x"]


def searched(q=1, rounds=4, paid=None, **options):
    study = kg.Study(SPACE, seed=1, noise=0, **options)
    for _ in range(rounds):
        for trial in study.ask(max(q, 2)):
            study.tell(trial, bowl(trial.params), cost=paid)
    return study, study.ask(q)


@pytest.mark.parametrize("q", [1, 3])
@pytest.mark.parametrize("same", [{"cost": lambda params: 2.5}, {"paid": 7.0}])
def test_a_cost_that_is_the_same_everywhere_changes_nothing(q, same):
    plain, batch = searched(q)
    priced, other = searched(q, **same)
    for a, b in zip(batch, other, strict=True):
        assert a.params == pytest.approx(b.params, rel=1e-9, abs=1e-12)
    cost = same.get("paid") or 2.5
    assert priced.gain(q) == pytest.approx(plain.gain(q), rel=1e-9)
    assert priced.gain(q).cost == pytest.approx(q * cost)
    assert plain.gain(q).cost is None


def test_value_per_cost_is_that_of_brute_force_on_a_grid():
    """One measurement without noise pending: the exact value of each of 41 points, divided by its cost."""
    rng = np.random.default_rng(3)
    X = LINE.enumerate(100)[rng.choice(41, 6, replace=False)]
    y = np.sin(9 * X[:, 0])
    post = Posterior.build(X, y, np.full(6, 1e-6), np.array([0.2]), 1.0, noise=1e-6)
    question = Question([post], [post.constant_noise], LINE, np.empty((0, 1)), 1)
    points = LINE.enumerate(100)
    price = PriceFunction(LINE, lambda params: 1.0 + 20.0 * math.exp((params["x"] - 20) / 4))
    value = ExactKG(Lookahead(post, post.constant_noise, points, question.pending)).value(points[:, None])
    best = points[np.argmax(value / price.value(points))]
    found = QKG().propose(Question([post], [post.constant_noise], LINE, question.pending, 1, cost=price), rng)
    assert found.Z[0] == pytest.approx(best)
    assert not np.array_equal(best, points[np.argmax(value)])


def test_measurements_that_cost_less_are_preferred():
    dear, _ = searched(rounds=6, cost=steep)
    free, _ = searched(rounds=6)
    chosen = [np.mean([t.params["x"] for t in study.trials if t.source == "qkg"]) for study in (dear, free)]
    assert chosen[0] < chosen[1]
    assert dear.spent == pytest.approx(sum(steep(t.params) for t in dear.trials if t.state == "complete"))
    assert dear.gain(2).per_cost == pytest.approx(dear.gain(2) / dear.gain(2).cost)


def test_a_learned_cost_and_its_gradient():
    rng = np.random.default_rng(0)
    U = rng.random((30, 2))
    groups = np.arange(2)
    found = LearnedPrice.of(U, np.exp(1.0 + 2.0 * U[:, 0]), groups, Flat(3.0))
    Z = rng.random((2, 2, 2))
    value = found.value_and_gradient(Z)[0]
    assert value == pytest.approx(np.exp(1.0 + 2.0 * Z[..., 0]), rel=0.02)
    np.testing.assert_allclose(value, found.value(Z), rtol=1e-8)
    rough = LearnedPrice.of(U, np.exp(U[:, 0] + 0.3 * rng.standard_normal(30)), groups, Flat(3.0))
    check_gradient(lambda x: rough.value(x).sum(), rough.value_and_gradient(Z)[1], Z)
    twice = LearnedPrice.of(U, 2.0 * np.exp(1.0 + 2.0 * U[:, 0]), groups, Flat(3.0))
    assert twice.value(Z) == pytest.approx(2.0 * value, rel=1e-4)
    flat = LearnedPrice.of(U, np.exp(rng.standard_normal(30)), groups, Flat())  # nothing but noise
    post, at = flat.posterior, Z[0, :1]
    expected = flat.a + flat.e * post.mean(at) + 0.5 * flat.e**2 * (post.var(at) + post.noise)
    assert flat.value(at) == pytest.approx(np.exp(expected))  # E[c] of a lognormal distribution


def test_a_cost_is_kept_with_its_trial(tmp_path):
    path = str(tmp_path / "study.db")
    study = kg.Study(SPACE, storage=path, seed=0, cost=steep)
    told, failed = study.ask(2)
    study.tell(told, 0.5)
    assert study.tell(told, 0.5, cost=None).cost == steep(told.params)
    study.fail(failed, "burnt", cost=3.0)
    added = study.add({"x": 0.5, "y": 0.5}, 1.0)
    assert [trial.cost for trial in study.trials] == [steep(told.params), 3.0, steep(added.params)]
    assert study.spent == steep(told.params) + 3.0
    again = kg.Study.load(path)
    assert again.trials == study.trials
    assert again.cost == "learned"  # a function cannot be stored, but what was paid is
    assert again.price(told.params) > 0.0
    assert kg.Study.load(path, cost=steep).price(told.params) == steep(told.params)


def test_a_cost_that_is_none_is_refused_and_nothing_is_changed():
    study = kg.Study(SPACE, seed=0)
    trial, _ = study.ask(2)
    for wrong in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(ArgumentError, match="cost"):
            study.tell(trial, 1.0, cost=wrong)
    assert study.trials[0].state == "pending"
    study.tell(trial, 1.0, cost=2.0)
    with pytest.raises(ConflictError):
        study.tell(trial, 1.0, cost=3.0)
    with pytest.raises(ArgumentError, match="cost"):
        kg.Study(SPACE, cost="seconds")
    with pytest.raises(ArgumentError, match="cost"):
        kg.Study(SPACE, cost=steep, method="ei")
    with pytest.raises(ArgumentError, match="budget"):
        kg.minimize(bowl, SPACE, budget=-1.0, progress=False)
    with pytest.raises(ArgumentError, match="n_trials"):
        kg.minimize(bowl, SPACE, progress=False)


def test_a_budget_ends_a_run():
    found = kg.minimize(bowl, SPACE, budget=30.0, cost=steep, seed=0, progress=False)
    paid = [trial.cost for trial in found.study.trials]
    assert found.stopped == "budget"
    assert sum(paid[:-1]) < 30.0 <= sum(paid)


def test_a_run_measures_seconds_where_costs_are_learned():
    def slow(params):
        time.sleep(0.02 if params["x"] > 0.5 else 0.001)
        return bowl(params)

    study = kg.Study(SPACE, cost="learned", seed=0)
    study.minimize(slow, n_trials=4, progress=False)
    for trial in study.trials:
        assert trial.cost >= (0.02 if trial.params["x"] > 0.5 else 0.001)
    assert all(trial.cost is None for trial in kg.minimize(bowl, SPACE, n_trials=2, progress=False).study.trials)


def test_an_objective_may_say_what_it_cost():
    found = kg.minimize(lambda params: {"value": bowl(params), "cost": 5.0}, SPACE, budget=14.0, progress=False)
    assert [trial.cost for trial in found.study.trials] == [5.0] * 3


def test_stop_gain_is_per_cost():
    """A run that would go on at a cost of one ends at a cost of a million."""
    ends = []
    for cost in (1.0, 1e6):
        options = {"n_trials": 12, "stop_gain": 1e-6, "seed": 0, "noise": 0, "progress": False}
        found = kg.minimize(bowl, SPACE, cost=lambda params, cost=cost: cost, **options)
        ends.append(len(found.study.trials))
    assert ends[1] < ends[0]


def test_a_table_has_costs_and_they_are_read_again():
    study, _ = searched(cost=steep)
    again = kg.Study(SPACE)
    again.add_many(study.to_dataframe())
    done = [trial.cost for trial in study.trials if trial.state == "complete"]
    assert [trial.cost for trial in again.trials] == pytest.approx(done)


def test_a_function_that_fails_is_named():
    study = kg.Study(SPACE, cost=lambda params: params["z"], seed=0)
    (trial,) = study.ask()
    with pytest.raises(ArgumentError, match=r"cost\(params\): expected a number .*KeyError: 'z' at .*correct the fun"):
        study.tell(trial, 1.0)
    assert study.pending == (trial,)
    noisy = kg.Study(SPACE, noise=lambda params: 1 / 0, seed=0)
    noisy.add({"x": 0.5, "y": 0.5}, 1.0)
    with pytest.raises(ArgumentError, match=r"noise\(params\): expected a number .*ZeroDivisionError"):
        noisy.recommend()
