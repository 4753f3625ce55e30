import math

import numpy as np
import pytest

from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.advisor.evidence import best_tried
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.model.fitted import mean_and_sd
from knowgrad.space import Choice, Float, Int, Space
from knowgrad.trial import Settings, Trial
from tests.test_suggest import PLANE, complete, loss

SETTINGS = Settings(seed=7)


def test_it_lies_between_the_best_point_tried_and_the_lowest_posterior_mean() -> None:
    rng = np.random.default_rng(0)
    ways = []
    for n in (15, 25, 40):
        trials = complete(PLANE, lambda p: loss(p) + 0.3 * rng.standard_normal(), n=n)
        snapshot = Snapshot(PLANE, trials, SETTINGS)
        best, found = snapshot.recommendation, snapshot.model
        grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 101)] * 2), axis=-1).reshape(-1, 2)
        post, u = found.model[0], PLANE.encode(best.params)
        low = lowest_mean(found.model, PLANE, snapshot.rng(3))
        tried = found.observed[0].X[best_tried(found, PLANE).row]
        assert post.mean(low[None])[0] <= post.mean(grid).min() + 1e-9
        ways.append(float((u - tried) @ (low - tried) / ((low - tried) @ (low - tried))))
        np.testing.assert_allclose(u, tried + ways[-1] * (low - tried), atol=1e-9)
        if ways[-1] > 0.0:
            assert best.mean == pytest.approx(found.units.value(post.mean(u[None])[0]))
            assert post.mean(u[None])[0] < post.mean(tried[None])[0]
        else:
            assert best.params == trials[best_tried(found, PLANE).row].params
        assert best.sd > found.units.difference(math.sqrt(post.var(u[None])[0]))
        assert best.n_observed == n
    assert all(0.0 <= way <= 1.0 + 1e-9 for way in ways)
    assert ways[1] == 0.0 < ways[0] < ways[2], "a part of the way, none, and a larger part"


def test_it_is_not_the_luckiest_observation() -> None:
    rng = np.random.default_rng(1)
    trials = complete(PLANE, lambda p: loss(p) + 0.5 * rng.standard_normal(), n=60)
    best = Snapshot(PLANE, trials, SETTINGS).recommendation
    assert best.best is not None
    assert best.best.value < best.mean
    assert loss(best.params) < loss(best.best.params)
    assert abs(best.mean - loss(best.params)) < 4 * best.sd


def test_maximising_recommends_the_same_point_with_the_other_sign() -> None:
    down = Snapshot(PLANE, complete(PLANE, loss, n=12), SETTINGS).recommendation
    up = Snapshot(PLANE, complete(PLANE, lambda p: -loss(p), n=12), Settings(7, direction="maximize")).recommendation
    assert up.params == down.params
    assert up.mean == pytest.approx(-down.mean)
    assert up.sd == pytest.approx(down.sd)


def test_units_are_the_users() -> None:
    small = Snapshot(PLANE, complete(PLANE, loss, n=12), SETTINGS).recommendation
    large = Snapshot(PLANE, complete(PLANE, lambda p: 2.0**600 * loss(p), n=12), SETTINGS).recommendation
    assert large.params == small.params
    assert large.mean == pytest.approx(2.0**600 * small.mean)
    assert large.sd == pytest.approx(2.0**600 * small.sd)


def test_exact_results_are_interpolated() -> None:
    trials = complete(PLANE, loss, n=40)
    best = Snapshot(PLANE, trials, Settings(7, noise=0)).recommendation
    assert best.sd < 0.02
    assert loss(best.params) < 1e-3


@pytest.mark.parametrize(
    "space",
    [
        Space({"x": Float(0.0, 1.0), "y": Float(0.0, 1.0)}, constraints=["x + y <= 0.9"]),
        Space({"x": Float(0.0, 1.0), "y": Float(0.0, 1.0)}, feasible=lambda p: p["x"] + p["y"] <= 0.9),
    ],
    ids=["linear", "feasible"],
)
def test_a_constrained_optimum_is_found_on_the_border(space: Space) -> None:
    """min (x − 0.8)² + (y − 0.5)² subject to x + y ≤ 0.9 is at (0.6, 0.3)."""
    trials = complete(space, lambda p: (p["x"] - 0.8) ** 2 + (p["y"] - 0.5) ** 2, n=40)
    best = Snapshot(space, trials, Settings(7, noise=0)).recommendation.params
    assert space.validate(best) == best
    assert best["x"] == pytest.approx(0.6, abs=0.03)
    assert best["y"] == pytest.approx(0.3, abs=0.03)


def test_discrete_optima_are_exact() -> None:
    space = Space({"n": Int(0, 20), "step": Float(0.0, 1.0, step=0.1), "kind": Choice(["a", "b", "c", "d"])})

    def value(p: dict) -> float:
        return 0.02 * (p["n"] - 13) ** 2 + (p["step"] - 0.7) ** 2 + 0.5 * (p["kind"] != "c")

    best = Snapshot(space, complete(space, value, n=60), Settings(7, noise=0)).recommendation.params
    assert best == {"n": 13, "step": 0.7, "kind": "c"}


def test_a_single_result_is_recommended_with_its_doubt() -> None:
    best = Snapshot(PLANE, complete(PLANE, loss, n=1), SETTINGS).recommendation
    assert PLANE.validate(best.params) == best.params
    assert math.isfinite(best.mean)
    assert best.sd > 0.0


@pytest.mark.parametrize(("waves", "share"), [(7, 1.0), (8, 7 / 8), (10, 3 / 8), (31, 0.0)])
def test_exact_results_are_left_as_far_as_the_evidence_goes(waves: int, share: float) -> None:
    """The shorter the waves, the less is known between the results: there the mean dips below the best of them."""
    line = Space({"x": Float(0.0, 1.0)})
    results = [(x, math.sin(waves * x)) for x in np.linspace(0, 1, 9).tolist()]
    trials = [Trial(f"t-{i}", i, {"x": x}, "complete", value=y) for i, (x, y) in enumerate(results)]
    exact, (best, value) = Settings(7, noise=0), min(results, key=lambda result: result[1])
    found = Snapshot(line, trials, exact).model
    low = float(lowest_mean(found.model, line, np.random.default_rng(0))[0])
    assert mean_and_sd(found.model, np.array([[low]]))[0][0] < found.observed[0].y.min()
    chosen = Snapshot(line, trials, exact).recommendation
    assert chosen.params["x"] == pytest.approx(best + share * (low - best), abs=1e-6)
    assert math.sin(waves * chosen.params["x"]) <= value
    assert chosen.sd == pytest.approx(0.0, abs=0.05 if share else 1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_exact_results_is_the_lowest_of_them(seed: int) -> None:
    """However little they differ: a mean is off by more."""
    line, rng = Space({"x": Float(0.0, 1.0)}), np.random.default_rng(seed)
    at = np.concatenate([rng.random(8), *(low + 1e-4 * rng.standard_normal(8) for low in (1 / 8, 3 / 8, 5 / 8, 7 / 8))])
    values = 1e3 * np.cos(8 * np.pi * at) + 1e3
    trials = [
        Trial(f"t-{i}", i, {"x": x}, "complete", value=y)
        for i, (x, y) in enumerate(zip(at.tolist(), values.tolist(), strict=True))
    ]
    found = Snapshot(line, trials, Settings(7, noise=0)).model
    assert found.done[best_tried(found, line).row].value == values.min()
