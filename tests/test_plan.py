"""Plans: what they rest on, how they choose, and what they say."""

import json

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.acquisition.rollout import Fantasy, Search, improvement
from knowgrad.advisor.plan import _middle, _stop, batches_for
from knowgrad.errors import ArgumentError, NoDataError

SPACE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}


@pytest.fixture(scope="module")
def study():
    made = kg.Study(SPACE, seed=1)
    for trial in made.ask(8):
        made.tell(trial, (trial.params["x"] - 0.3) ** 2 + np.sin(5 * trial.params["y"]))
    return made


def made_up(n=6, M=4000, noise=0.3, seed=0):
    """A Gaussian vector, and draws of it."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((n, n))
    cov, mean = A @ A.T / n, rng.standard_normal(n)
    truth = rng.multivariate_normal(mean, cov, size=M)
    return Fantasy(mean, cov, np.full(n, noise), truth), rng.standard_normal((M, 64))


@pytest.mark.parametrize(("q", "expected"), [(1, (1,) * 4), (4, (4, 4)), (10, (10,)), (3, (3, 3)), (8, (8,))])
def test_what_a_budget_buys(q, expected):
    assert batches_for(q, 12.0, 2.0, 1.0) == expected


def test_what_is_left_buys_a_smaller_batch():
    assert batches_for(4, 17.0, 2.0, 1.0) == (4, 4, 3)
    assert batches_for(4, 14.0, 2.0, 1.0) == (4, 4)
    assert batches_for(2, 0.6, 0.0, 0.1) == (2, 2, 2)  # whatever rounding makes of 0.1


def test_a_search_keeps_the_posterior_of_what_it_has_measured():
    """Mean and variance after the results are those of the conditional distribution."""
    fantasy, eps = made_up(M=3)
    search = Search(fantasy, 4)
    seen = []
    for _ in range(2):
        begun = search.k
        picked = [search.choose() for _ in range(2)]
        for j, (i, sd) in enumerate(picked, start=begun):
            result = fantasy.truth[search.each, i] + np.sqrt(fantasy.noise[i]) * eps[:, j]
            search.mean = search.mean + search.V[:, j] * ((result - search.mean[search.each, i]) / sd)[:, None]
            seen.append((i, result))
    for m in range(3):
        rows, y = np.array([i[m] for i, _ in seen]), np.array([result[m] for _, result in seen])
        K = fantasy.cov[np.ix_(rows, rows)] + np.diag(fantasy.noise[rows])
        mean = fantasy.mean + fantasy.cov[:, rows] @ np.linalg.solve(K, y - fantasy.mean[rows])
        var = np.diag(fantasy.cov - fantasy.cov[:, rows] @ np.linalg.solve(K, fantasy.cov[rows]))
        np.testing.assert_allclose(search.mean[m], mean, atol=1e-10)
        np.testing.assert_allclose(search.var[m], var, atol=1e-10)


def test_means_are_a_martingale():
    """Tower property: where nothing is chosen by what was seen, the expected mean stays; its minimum only falls."""
    fantasy, eps = made_up()
    lows = fantasy.lows([2, 2, 2], eps)
    gains = (lows[:, :1] - lows).mean(axis=0)
    assert (np.diff(gains) > -4 * lows.std() / np.sqrt(len(lows))).all()
    assert gains[-1] > 0.0


def test_exact_results_everywhere_find_the_minimum():
    fantasy, eps = made_up(noise=1e-10)
    assert fantasy.lows([6], eps)[:, -1] == pytest.approx(fantasy.truth.min(axis=1), abs=1e-2)


def test_the_value_of_a_point_is_the_expected_improvement():
    rng = np.random.default_rng(0)
    mean, sd = rng.standard_normal((1, 5)), rng.random((1, 5)) + 0.1
    Z = rng.standard_normal((400_000, 1))
    sampled = np.maximum(mean.min() - mean - sd * Z, 0.0)
    error = sampled.std(axis=0) / np.sqrt(len(Z))
    assert (np.abs(improvement(mean, sd)[0] - sampled.mean(axis=0)) < 5 * error).all()


def test_of_sizes_that_are_alike_the_middle_one_is_taken():
    assert _middle([1.0, 5.0, 9.8, 10.0, 9.6]) == 3
    assert _middle([1.0, 5.0, 9.8, 10.0]) == 2
    assert _middle([0.0, 0.0, 0.0]) == 1


def test_when_to_stop():
    assert _stop([5.0, 9.6, 10.0], 1.0) == 2
    assert _stop([1e-4, 2e-4], 1.0) == 0
    assert _stop([1.0, 2.0, 3.0], 1.0) == 3


def test_setup_costs_make_batches_larger(study):
    cheap, dear = (study.plan(24, setup=setup, sizes=[1, 2, 4, 8, 16]) for setup in (0.0, 10.0))
    more = [plan.options[3].gain / plan.options[0].gain for plan in (cheap, dear)]
    assert more[1] > more[0]
    assert [option.points for option in cheap.options] == [24, 24, 24, 24, 24]
    assert dear.gain < cheap.gain
    assert dear.chosen.cost <= 24


def test_the_next_batch_is_valued_by_the_joint_q_kg(study):
    plan = study.plan(12, setup=2, sizes=[2, 4])
    assert [option.next for option in plan.options] == [study.gain(2), study.gain(4)]


def test_a_plan_is_a_function_of_the_trials_and_the_unit_of_money_does_not_matter(study):
    plan = study.plan(20, setup=3)
    again = study.plan(20_000, setup=3_000, each=1_000)
    assert (plan.q, plan.gain, plan.stop) == (again.q, again.gain, again.stop)
    assert plan.chosen.curve == again.chosen.curve


def test_words_and_figure(study):
    plan = study.plan(20, setup=3, sizes=[1, 2, 4])
    assert f"Ask for {plan.q} point" in str(plan)
    assert f"{plan.q} *" in str(plan)
    assert json.loads(json.dumps(plan.record()))["q"] == plan.q
    figure = study.plot("plan", budget=20, setup=3, sizes=[1, 2, 4])
    assert len(figure.data) == 3
    assert max(figure.data[-1].x) <= 20


def test_contexts_and_averages_have_plans():
    made = kg.Study({"x": (0.0, 1.0), "where": ["a", "b"]}, over={"where": ["a", "b"]}, seed=2)
    for trial in made.ask(8):
        made.tell(trial, (trial.params["x"] - 0.4) ** 2 + 0.1 * (trial.params["where"] == "b"))
    assert made.plan(8, setup=1, sizes=[1, 2]).gain >= 0.0
    assert made.plan(8, setup=1, sizes=[1, 2], given={"where": "a"}).gain >= 0.0


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"budget": 2, "setup": 3}, r"budget: expected a finite number of at least setup \+ each = 4"),
        ({"budget": float("nan")}, "budget: expected a finite number"),
        ({"budget": 9, "setup": -1}, "setup: expected the cost of a batch"),
        ({"budget": 9, "each": 0}, "each: expected the cost of a point"),
        ({"budget": 9, "sizes": []}, "sizes: expected a list"),
        ({"budget": 9, "sizes": [0]}, "sizes: expected a whole number"),
        ({"budget": 9, "sizes": [64]}, "sizes: expected one that the budget of 9 allows"),
        ({"budget": 1e9}, "budget: expected what buys at most 10,000 points"),
    ],
)
def test_what_makes_no_sense_is_refused(study, how, message):
    with pytest.raises(ArgumentError, match=message):
        study.plan(**how)


def test_without_a_result_there_is_no_plan():
    with pytest.raises(NoDataError, match="plan: expected at least one result"):
        kg.Study(SPACE).plan(10)
