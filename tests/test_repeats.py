"""Points that were measured again: what they say of noise and detail, and which point is to be measured again."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad

from knowgrad import Study
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.advisor.evidence import best_tried
from knowgrad.advisor.repeating import AHEAD, to_repeat
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.model.repeats import PRIOR, SHARES, averages, repeats
from knowgrad.space import Float, Space
from knowgrad.trial import Settings, Trial

LINE = Space({"x": Float(0.0, 1.0)})


def trials(points, values):
    pairs = zip(points, values, strict=True)
    return [Trial(f"t-{i}", i, {"x": float(x)}, "complete", value=float(y)) for i, (x, y) in enumerate(pairs)]


def cliffs(x):
    """A bowl whose steps are too short for the kernel: detail that looks like noise."""
    return 10 * (x - 0.4) ** 2 + np.where(np.floor(1000 * x) % 3 == 0, -0.6, 0.4)


def state(f, sd, n=24, seed=0, **settings):
    rng = np.random.default_rng(seed)
    x = rng.random(n)
    return Snapshot(LINE, trials(x, f(x) + sd * rng.standard_normal(n)), Settings(7, **settings))


def told_again(snapshot, f, sd, seed=0):
    """The best result, measured again."""
    (u,) = to_repeat(snapshot.model, LINE)
    x, rng = float(LINE.decode(u)["x"]), np.random.default_rng([seed, 1])
    points = [*(trial.params["x"] for trial in snapshot.trials), x]
    values = [*(trial.value for trial in snapshot.trials), f(np.array(x)) + sd * rng.standard_normal()]
    return Snapshot(LINE, trials(points, values), snapshot.settings)


def test_without_repeats_the_prior_stands():
    seen = repeats(np.arange(5.0)[:, None], np.arange(5.0), 0.5)
    assert seen.times == 0
    assert seen.chance == pytest.approx(0.25)
    assert seen.detail == pytest.approx(PRIOR @ (1.0 - SHARES))


def test_averages_of_points_in_any_order():
    X, y = np.array([[0.3], [0.1], [0.3], [0.2]]), np.array([1.0, 5.0, 3.0, 7.0])
    average, which, counts = averages(X, y)
    np.testing.assert_array_equal(average[which], [2.0, 5.0, 2.0, 7.0])
    np.testing.assert_array_equal(counts[which], [2, 1, 2, 1])


def test_a_share_has_the_probability_that_marginal_densities_give_it():
    """Two results of one point: their difference is normal with variance 2 s τ², whatever f is there."""
    noise, gap = 0.5, 0.3
    seen = repeats(np.array([[0.2], [0.2], [0.9]]), np.array([1.0, 1.0 + gap, 0.0]), noise)

    def density(s):  # of both results, f at the point being anything
        sd = np.sqrt(s * noise)
        return quad(lambda f: np.exp(-0.5 * ((f / sd) ** 2 + ((gap - f) / sd) ** 2)) / sd**2, -20 * sd, 20 * sd)[0]

    weight = PRIOR * [density(s) for s in SHARES]
    weight /= weight.sum()
    assert seen.times == 1
    assert seen.chance == pytest.approx(weight[:-1].sum(), rel=1e-6)
    assert seen.detail == pytest.approx(weight @ (1.0 - SHARES), rel=1e-6)


def test_repeats_tell_detail_from_noise():
    rng = np.random.default_rng(0)
    X, y = np.repeat(rng.random((4, 2)), 2, axis=0), np.repeat(rng.standard_normal(4), 2)
    assert repeats(X, y + 0.05 * rng.standard_normal(8), 0.5).chance > 0.95
    assert repeats(X, y + 0.7 * rng.standard_normal(8), 0.5).chance < 0.1


def test_the_best_result_is_measured_again_where_it_may_be_luck_or_detail():
    snapshot = state(cliffs, 0.0)
    found = snapshot.model
    (u,) = to_repeat(found, LINE)
    post = found.observed[0]
    best = int(np.argmin(post.y))
    np.testing.assert_array_equal(u, post.X[best])
    assert post.mean(post.X).min() - post.y[best] > AHEAD * np.sqrt(post.noise)


def test_a_result_that_is_the_same_again_is_believed():
    before = state(cliffs, 0.01)
    after = told_again(before, cliffs, 0.01)
    share = {name: repeats(each.model.observed[0].X, each.model.observed[0].y, each.model.observed[0].noise)
             for name, each in (("before", before), ("after", after))}  # fmt: skip
    assert share["after"].chance > share["before"].chance
    lucky = min(after.trials, key=lambda trial: trial.value)
    tried = best_tried(after.model, LINE)
    assert after.trials[tried.row].params == lucky.params
    assert after.recommendation.params == lucky.params


def test_luck_is_found_out():
    """The chance that it is detail falls at the first look in most searches, and nothing more is asked soon."""
    looks, chances = [], []
    for seed in range(12):
        snapshot = state(lambda x: 10 * (x - 0.4) ** 2, 0.6, seed=seed)
        for look in range(4):
            if not len(to_repeat(snapshot.model, LINE)):
                break
            snapshot = told_again(snapshot, lambda x: 10 * (x - 0.4) ** 2, 0.6, seed=100 * seed + look)
        post = snapshot.model.observed[0]
        looks.append(len(snapshot.trials) - 24)
        chances.append(repeats(post.X, post.y, post.noise).chance)
    assert max(looks) > 0
    assert np.mean(looks) < 2.0
    assert np.median(chances) < 0.25


@pytest.mark.parametrize("settings", [{"noise": 0.3}, {"noise": 0}])
def test_noise_that_is_known_needs_no_second_look(settings):
    assert not len(to_repeat(state(cliffs, 0.0, **settings).model, LINE))


def test_few_results_are_not_looked_at_again():
    assert not len(to_repeat(state(cliffs, 0.0, n=5).model, LINE))


@pytest.mark.parametrize("q", [1, 2, 4])
def test_one_point_of_a_batch_is_a_second_look(q):
    """In batches of one or two, one point in four."""
    snapshot = state(cliffs, 0.0)
    best = min(snapshot.trials, key=lambda trial: trial.value).params
    assert list(snapshot.suggest(q).params).count(best) == 1
    assert best not in snapshot.suggest(q, last=True).params
    off = Snapshot(LINE, snapshot.trials, replace(snapshot.settings, method=QKG(measure_again=False)))
    assert best not in off.suggest(q).params


def test_a_point_that_is_being_measured_again_is_not_asked_for_twice():
    snapshot = state(cliffs, 0.0)
    study = Study(LINE, seed=7)
    for trial in snapshot.trials:
        study.add(trial.params, trial.value)
    best = min(snapshot.trials, key=lambda trial: trial.value).params
    asked = [trial.params for trial in [*study.ask(4), *study.ask(4)]]
    assert asked.count(best) == 1
