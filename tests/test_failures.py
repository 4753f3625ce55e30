"""Failed trials inform the search and the recommendation, and nothing else."""

import math
from dataclasses import replace

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.advisor.start.design import latin_hypercube
from knowgrad.space import Float, Int, Space
from knowgrad.trial import Settings, Trial

SQUARE = Space({"x": Float(0.0, 1.0), "y": Float(0.0, 1.0)})
EXACT = Settings(seed=3, noise=0)
SPREAD = SQUARE.sample(500, np.random.default_rng(0))


def value(p: dict) -> float:
    """Best at (0.8, 0.5), where trials fail; of the rest at (0.6, 0.5)."""
    return (p["x"] - 0.8) ** 2 + (p["y"] - 0.5) ** 2


def crashes(p: dict) -> bool:
    return p["x"] > 0.6


def trials(n: int = 30, state: str = "failed", seed: int = 1) -> list[Trial]:
    made = []
    for i, u in enumerate(latin_hypercube(n, SQUARE, np.random.default_rng(seed))):
        p = SQUARE.decode(u)
        made.append(Trial(f"t-{i}", i, p, state) if crashes(p) else Trial(f"t-{i}", i, p, "complete", value(p)))
    return made


def test_the_fit_is_that_of_the_results() -> None:
    some = trials()
    found, alone = Snapshot(SQUARE, some, EXACT).model, Snapshot(SQUARE, [t for t in some if t.value], EXACT).model
    np.testing.assert_array_equal(found.observed[0].L, alone.model[0].L)
    assert found.units == alone.units
    assert (found.model[0].s2, found.model[0].m, found.model[0].noise) == (
        alone.model[0].s2,
        alone.model[0].m,
        alone.model[0].noise,
    )
    assert alone.model is alone.observed
    assert alone.searched(SQUARE) is alone.safe(SQUARE) is SQUARE


def test_expired_trials_say_nothing() -> None:
    found = Snapshot(SQUARE, trials(state="expired"), EXACT).model
    assert found.model is found.observed


@pytest.mark.parametrize("fit", ["map", "bayes"])
def test_neither_batch_nor_recommendation_lies_deep_among_failures(fit: str) -> None:
    settings = replace(EXACT, fit=fit)
    batch = Snapshot(SQUARE, trials(), settings).suggest(4)
    assert batch.sources == ("qkg",) * 4
    assert max(p["x"] for p in batch.params) < 0.75
    assert Snapshot(SQUARE, trials(), settings).recommendation.params["x"] < 0.65
    ignored = Snapshot(SQUARE, trials(state="expired"), settings).recommendation
    assert ignored.params["x"] > 0.7


def test_searches_next_to_a_cliff_get_there_and_seldom_recommend_a_step_too_far() -> None:
    """What is recommended fails with a chance of at most 0.3, as far as the model knows."""
    ends = []
    for seed in range(6):
        study = kg.Study(SQUARE, seed=seed, noise=0)
        for q in (6, 4, 4, 4, 4):
            for trial in study.ask(q):
                study.tell(trial, math.nan if crashes(trial.params) else value(trial.params))
        assert sum(trial.state == "failed" for trial in study.trials) < 14
        ends.append(study.recommend().params)
        assert value(ends[-1]) < study.best.value + 1e-3  # an exact result in hand is not left for a worse point
    assert sum(map(crashes, ends)) <= 2  # about one in six does, and which of these six depends on the machine
    assert all(abs(end["x"] - 0.6) < 0.05 and value(end) < 0.04 + 0.02 for end in ends)


def test_one_failure_among_results_changes_little() -> None:
    some = [replace(t, state="complete", value=value(t.params)) for t in trials(40)]
    spot = Snapshot(SQUARE, some, EXACT).recommendation
    after = Snapshot(SQUARE, [*some, Trial("t-40", 40, {"x": 0.81, "y": 0.5}, "failed")], EXACT).recommendation
    assert math.dist(after.params.values(), spot.params.values()) < 0.02
    assert after.mean == pytest.approx(spot.mean, abs=0.01)


def test_scattered_failures_close_no_region_and_a_half_space_of_them_does() -> None:
    scattered = [replace(t, state="complete", value=value(t.params)) for t in trials(40)]
    scattered[5::10] = [replace(t, state="failed", value=None) for t in scattered[5::10]]
    assert Snapshot(SQUARE, scattered, EXACT).model.searched(SQUARE) is SQUARE
    found = Snapshot(SQUARE, trials(), EXACT).model
    np.testing.assert_array_equal(found.searched(SQUARE).contains(np.array([[0.2, 0.5], [0.9, 0.5]])), [True, False])
    assert not np.any(found.safe(SQUARE).contains(SPREAD) & ~found.searched(SQUARE).contains(SPREAD))


def test_answers_stay_pure_and_free_of_units() -> None:
    some = trials()
    scaled = [replace(t, value=None if t.value is None else 2.0**300 * t.value) for t in some]
    one, two, big = (Snapshot(SQUARE, each, EXACT).suggest(3) for each in (some, some, scaled))
    assert one == two
    assert big.params == one.params
    assert big.gain == 2.0**300 * one.gain
    assert Snapshot(SQUARE, some, EXACT).gain(2) >= 0.0


def test_a_failed_point_is_not_asked_for_again() -> None:
    space = Space({"n": Int(1, 4), "m": Int(1, 3)})
    points = [{"n": n, "m": m} for n in range(1, 5) for m in range(1, 4)]
    some = [
        Trial(f"t-{i}", i, p, "failed") if i % 3 == 0 else Trial(f"t-{i}", i, p, "complete", float(p["n"]))
        for i, p in enumerate(points[:9])
    ]
    batch = Snapshot(space, some, EXACT).suggest(3)
    assert sorted(p["m"] for p in batch.params) == [1, 2, 3]
    assert all(p["n"] == 4 for p in batch.params)


def test_if_everything_failed_the_space_is_filled() -> None:
    some = [Trial(f"t-{i}", i, t.params, "failed") for i, t in enumerate(trials())]
    batch = Snapshot(SQUARE, some, EXACT).suggest(3)
    assert all(source.startswith("random: no result") for source in batch.sources)
    assert len({tuple(p.values()) for p in batch.params}) == 3


@pytest.mark.parametrize("method", ["ei", "qei", "thompson", "random", "constant-liar"])
def test_every_method_takes_failures(method: str) -> None:
    batch = Snapshot(SQUARE, trials(), replace(EXACT, method=method)).suggest(2)
    assert batch.sources == (method, method)


def test_one_result_among_failures_is_enough() -> None:
    some = [Trial(f"t-{i}", i, t.params, "failed") for i, t in enumerate(trials(12))]
    some[4] = replace(some[4], state="complete", value=1.0)
    assert Snapshot(SQUARE, some, EXACT).suggest(2).sources == ("qkg", "qkg")
    assert SQUARE.validate(Snapshot(SQUARE, some, EXACT).recommendation.params)


@pytest.mark.parametrize("seed", range(3))
def test_a_gain_among_levels_that_fail_is_a_number(seed: int) -> None:
    study = kg.Study({"x": kg.Int(0, 9), "c": ["a", "b"]}, seed=seed)
    for trial in study.ask(6, given={"c": "a"}):
        study.tell(trial, float(trial.params["x"]))
    for _ in range(3):
        for trial in study.ask(2, given={"c": "b"}):
            study.fail(trial, "spilled")
        gain = study.gain(2, given={"c": "b"})
        assert np.isfinite([gain.value, gain.sem]).all()


def test_the_target_is_recommended_where_all_of_it_failed() -> None:
    study = kg.Study({"x": (0.0, 1.0), "epochs": kg.Fidelity(1, 9)}, seed=0)
    for x in np.linspace(0.0, 1.0, 6).tolist():
        study.add({"x": x, "epochs": 3}, x)
        study.enqueue({"x": x, "epochs": 9})
    for trial in study.ask(6):
        study.fail(trial, "too large")
    assert study.recommend().params["epochs"] == 9
