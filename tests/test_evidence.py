"""The evidence for the best point tried and for an untried one: detail, known noise, and a cliff."""

import numpy as np
import pytest

from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.advisor import evidence
from knowgrad.advisor.evidence import at_bound, best_tried, weighed
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.model.fitted import mean_and_sd
from knowgrad.space import Float, Space
from knowgrad.trial import Settings, Trial

LINE = Space({"x": Float(0.0, 1.0)})
PLANE = Space({"x": Float(0.0, 1.0), "y": Float(0.0, 1.0)})


def trials(points, values):
    return [
        Trial(f"t-{i}", i, p, "complete", value=float(v)) for i, (p, v) in enumerate(zip(points, values, strict=True))
    ]


def state(noise="learned", n=24, times=1, sd=0.3):
    rng = np.random.default_rng(3)
    x = np.repeat(rng.random(n), times)
    values = (x - 0.4) ** 2 * 10 + sd * rng.standard_normal(len(x))
    return Snapshot(LINE, trials([{"x": float(each)} for each in x], values), Settings(7, noise=noise))


@pytest.mark.parametrize("times", [1, 3])
def test_detail_is_what_a_second_look_would_show_again(times, monkeypatch):
    """Given what the kernel follows, the detail at a point is known as well as its results allow: by conditioning."""
    monkeypatch.setattr(evidence, "MOST", 1.0)
    found = state(times=times).model
    post, share = found.observed[0], evidence.DETAIL
    best, mean, left = best_tried(found, LINE)
    here = (post.X[best] == post.X).all(axis=1)
    r, plain = int(here.sum()), float(post.mean(post.X[[best]])[0])
    assert r == times
    C = post.noise * ((1 - share) * np.eye(r) + share)
    c = np.full(r, share * post.noise)
    assert mean == pytest.approx(plain + c @ np.linalg.solve(C, post.y[here] - plain))
    assert left == pytest.approx(share * post.noise - c @ np.linalg.solve(C, c))


def test_there_is_no_detail_where_the_noise_is_known():
    found = state(noise=0.3).model
    means = mean_and_sd(found.model, found.observed[0].X)[0]
    best, mean, left = best_tried(found, LINE)
    assert mean == pytest.approx(means.min())
    assert best == np.argmin(means)
    assert left == 0.0


def test_what_a_user_reads_is_wider_than_what_the_search_goes_by():
    snapshot = state()
    said = snapshot.recommendation
    _, sd = snapshot.predict(LINE.encode_many([said.params]))
    assert said.sd > 1.2 * sd[0]
    low, high = said.interval
    assert low < said.mean < high
    assert high - low == pytest.approx(2 * 1.6448536 * said.sd)


def test_averages_over_draws_of_the_hyperparameters_are_weighed_too():
    snapshot = Snapshot(LINE, state().trials, Settings(7, fit="bayes"))
    tried = best_tried(snapshot.model, LINE)
    (found,) = weighed(snapshot.model, LINE, tried, np.array([[0.4]]))
    mean = np.mean([post.mean(snapshot.model.observed[0].X) for post in snapshot.model.model], axis=0)
    assert len(snapshot.model.model) > 1
    assert np.isfinite([*found.untried, *found.tried, *found.ahead]).all()
    assert mean[tried.row] < np.median(mean)


def test_waves_that_the_kernel_takes_for_noise_cost_less_of_what_is_in_hand():
    """The minimum of the mean is where its errors help it: on average it gives up half as much again."""

    def loss(x, y):
        return 4 * (x - 0.4) ** 2 + 4 * (y - 0.5) ** 2 + 0.8 * np.cos(21 * x) * np.cos(19 * y)

    rng = np.random.default_rng(1)
    lost = np.zeros(2)
    for _ in range(8):
        U = rng.random((16, 2))
        values = loss(*U.T) + 0.05 * rng.standard_normal(16)
        points = [{"x": float(x), "y": float(y)} for x, y in U]
        snapshot = Snapshot(PLANE, trials(points, values), Settings(7))
        low = PLANE.decode(lowest_mean(snapshot.model.model, PLANE, np.random.default_rng(0)))
        lost += np.array([loss(**low), loss(**snapshot.recommendation.params)]) - loss(*U.T).min()
    assert lost[1] < lost[0] / 1.5


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
@pytest.mark.parametrize(("values", "bound"), [("000122", True), ("0001111", False), ("001", False)])
def test_a_best_value_that_several_points_share_is_a_bound(values, bound, direction):
    signed = np.array([*map(float, values)]) * (1 if direction == "minimize" else -1)
    done = trials([{"x": i / 10} for i in range(len(values))], signed)
    assert at_bound(done, direction) is bound
    assert not at_bound(trials([{"x": 0.5}] * len(values), signed), direction)


def test_beyond_a_bound_nothing_is_recommended():
    """A loss that cannot be below zero, where the mean is."""
    x, y = np.random.default_rng(0).random((2, 30))
    values = np.maximum(0.0, 3 * (x - 0.5)) + (y > 0.97)
    points = [{"x": a, "y": b} for a, b in zip(x, y, strict=True)]
    found = Snapshot(PLANE, trials(points, values), Settings(0)).recommendation
    assert values[points.index(found.params)] == 0.0
