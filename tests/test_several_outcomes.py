"""Studies of several outcomes: equal to plain ones where they should be, fronts, and limits that are kept."""

import numpy as np
import pytest

import knowgrad as kg
from knowgrad import views
from knowgrad.acquisition.criteria.hypervolume import nondominated
from knowgrad.advisor.several.front import compromises
from knowgrad.errors import ArgumentError, NoDataError
from knowgrad.trial import Measured

SPACE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}


def bowl(params) -> float:
    return (params["x"] - 0.3) ** 2 + (params["y"] - 0.6) ** 2


def wave(params) -> float:
    return float(np.sin(5 * params["x"]) + params["y"])


def other(params) -> float:
    return (params["x"] - 0.8) ** 2 + (params["y"] - 0.2) ** 2


def filled(n: int = 14, *, seed: int = 3, **how) -> kg.Study:
    study = kg.Study(SPACE, seed=seed, **how)
    rng = np.random.default_rng(0)
    results = {"bowl": bowl, "wave": wave, "other": other}
    for u in rng.random((n, 2)):
        params = {"x": float(u[0]), "y": float(u[1])}
        told = {name: results[name](params) for name in study.outcomes}
        study.add(params, told if study.outcomes else bowl(params))
    return study


def close(one: kg.Trial, two: kg.Trial) -> bool:
    return all(abs(one.params[name] - two.params[name]) < 1e-9 for name in SPACE)


@pytest.mark.parametrize("limits", [None, ["wave <= 1000"], ["wave >= -1000", "wave <= 1000"]])
def test_one_objective_with_limits_that_always_hold_is_the_plain_study(limits) -> None:
    plain, named = filled(), filled(objectives={"bowl": "minimize"}, limits=limits)
    assert all(map(close, plain.ask(3), named.ask(3)))
    one, two = plain.recommend(), named.snapshot().recommend()
    assert one.params == pytest.approx(two.params, abs=1e-9)
    assert (one.mean, one.sd) == pytest.approx((two.mean, two.sd), abs=1e-9)
    assert plain.gain(2) == pytest.approx(named.gain(2), rel=1e-9)
    assert two.outcomes["bowl"] == pytest.approx((two.mean, two.sd))
    assert two.chance == (None if limits is None else pytest.approx(1.0))


def test_a_limit_is_kept_by_what_is_recommended() -> None:
    """The best of the bowl, (0.3, 0.6), breaks the limit. Of exact results, the best that was measured to keep it."""
    study = filled(30, objectives={"bowl": "minimize"}, limits=["wave <= 0.5"])
    found = study.snapshot().recommend()
    kept = [trial for trial in study.trials if trial.outcomes["wave"].value <= 0.5]
    assert found.params == min(kept, key=lambda trial: trial.value).params
    assert found.chance == pytest.approx(1.0)
    assert found.chances.keys() == {"wave <= 0.5"}
    assert found.best.params == found.params


def test_batches_come_to_where_the_limit_ends() -> None:
    study = filled(14, objectives={"bowl": "minimize"}, limits=["wave <= 0.5"])
    for trial in [trial for _ in range(4) for trial in study.ask(2)]:
        study.tell(trial, {"bowl": bowl(trial.params), "wave": wave(trial.params)})
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 401)] * 2), axis=-1).reshape(-1, 2)
    feasible = np.sin(5 * grid[:, 0]) + grid[:, 1] <= 0.5
    best = ((grid - [0.3, 0.6]) ** 2).sum(axis=1)[feasible].min()
    assert bowl(study.snapshot().recommend().params) == pytest.approx(best, abs=5e-3)


def test_of_noisy_results_a_point_never_tried_may_be_recommended_if_it_keeps_the_limit() -> None:
    study, rng = (
        kg.Study(SPACE, seed=3, objectives={"bowl": "minimize"}, limits=["wave <= 0.5"]),
        np.random.default_rng(1),
    )
    for u in rng.random((50, 2)):
        params = {"x": float(u[0]), "y": float(u[1])}
        noise = 0.05 * rng.standard_normal(2)
        study.add(params, {"bowl": bowl(params) + noise[0], "wave": wave(params) + noise[1]})
    found = study.snapshot().recommend(chance=0.9)
    assert found.chance >= 0.9
    assert wave(found.params) <= 0.5
    assert bowl(found.params) < 0.2
    assert all(trial.params != found.params for trial in study.trials)


def test_where_no_limit_can_hold_the_likeliest_is_recommended() -> None:
    study = filled(20, objectives={"bowl": "minimize"}, limits=["wave <= -1.5"])
    found = study.snapshot().recommend()
    assert found.chance < 0.95
    assert wave(found.params) < -0.5
    assert len(study.ask(2)) == 2


def test_the_front_trades_one_objective_for_the_other() -> None:
    study = filled(24, objectives={"bowl": "minimize", "other": "minimize"})
    front = study.snapshot().front()
    Y = np.array([[point.means["bowl"], point.means["other"]] for point in front])
    assert len(front) > 10
    assert nondominated(Y).all()
    assert np.all(np.diff(Y[:, 0]) > 0.0)
    # The true front is the segment between the two minima: the distances to both add up to its length.
    for point in front:
        assert bowl(point.params) ** 0.5 + other(point.params) ** 0.5 == pytest.approx(np.hypot(0.5, 0.4), abs=0.03)
    assert {point.chance for point in front} == {None}
    lines = str(front).splitlines()
    assert lines[0] == str(front[0])
    assert lines[-2:] == [str(front[len(front) - 1]), f"(10 of {len(front)} points)"]


def test_a_maximised_objective_is_the_minimised_negative() -> None:
    study = filled(24, objectives={"bowl": "minimize", "other": "minimize"})
    turned = kg.Study(SPACE, seed=3, objectives={"bowl": "minimize", "gain": "maximize"})
    for trial in study.trials:
        turned.add(trial.params, {"bowl": trial.outcomes["bowl"].value, "gain": -trial.outcomes["other"].value})
    assert all(map(close, study.ask(2), turned.ask(2)))
    one, two = study.snapshot().front(), turned.snapshot().front()
    assert [p.means["other"] for p in one] == pytest.approx([-p.means["gain"] for p in two], abs=1e-9)
    assert one.hypervolume == pytest.approx(two.hypervolume)


def test_one_point_of_the_front_by_weights_and_by_bounds() -> None:
    """The sum w₁ bowl + w₂ other is itself a bowl, with its minimum at the weighted mean of the two minima."""
    snapshot = filled(24, objectives={"bowl": "minimize", "other": "minimize"}).snapshot()
    found = snapshot.recommend(weights={"bowl": 3.0, "other": 1.0})
    assert found.params == pytest.approx({"x": (3 * 0.3 + 0.8) / 4, "y": (3 * 0.6 + 0.2) / 4}, abs=0.01)
    bound = snapshot.recommend(at={"bowl": "<= 0.04"})
    assert 0.03 < bowl(bound.params) <= 0.04
    assert bound.chance >= 0.95
    balanced = snapshot.recommend()
    assert bowl(balanced.params) == pytest.approx(other(balanced.params), abs=0.05)


def test_weights_of_multiples_of_one_outcome_give_its_optimum() -> None:
    """With other = 2 bowl + 1, any weights ask for what the plain study of their sum does: the lowest bowl."""
    study = kg.Study(SPACE, seed=3, objectives={"bowl": "minimize", "other": "minimize"})
    for trial in filled(16).trials:
        study.add(trial.params, {"bowl": trial.value, "other": 2.0 * trial.value + 1.0})
    params = [study.snapshot().recommend(weights={"bowl": w, "other": 1.0}).params for w in (0.0, 1.0, 5.0)]
    for each in params:
        assert each == pytest.approx({"x": 0.3, "y": 0.6}, abs=1e-2)
        assert each == pytest.approx(params[0], abs=1e-4)


def test_outcomes_that_are_still_out_are_pending_for_their_own_study() -> None:
    study = filled(8, objectives={"bowl": "minimize", "other": "minimize"})
    trial = study.ask(1)[0]
    study.tell(trial, {"bowl": bowl(trial.params)})
    snapshot = study.snapshot()
    assert [t.state for t in snapshot.outcome("bowl").trials] == ["complete"] * 9
    assert [t.state for t in snapshot.outcome("other").trials] == ["complete"] * 8 + ["pending"]
    study.tell(trial, {"other": other(trial.params)})
    assert len(study.snapshot().outcome("other").complete) == 9


def test_the_study_of_one_outcome_is_the_plain_study_of_it() -> None:
    both, alone = filled(12, objectives={"bowl": "minimize", "other": "maximize"}), filled(12)
    part, U = both.snapshot().outcome("bowl"), np.random.default_rng(1).random((5, 2))
    for one, two in zip(part.predict(U), alone.snapshot().predict(U), strict=True):
        np.testing.assert_array_equal(one, two)
    assert both.snapshot().outcome("other").settings.direction == "maximize"
    limited = filled(12, objectives={"bowl": "minimize"}, limits=["wave <= 1"]).snapshot()
    for one, two in zip(limited.predict(U), alone.snapshot().predict(U), strict=True):
        assert one == pytest.approx(two, abs=1e-9)


def test_measure_says_what_is_asked_for_and_dear_outcomes_are_asked_for_less() -> None:
    goals = {"objectives": {"bowl": "minimize", "other": "minimize"}}
    study = filled(10, **goals)
    assert all(trial.measure == ("bowl",) for trial in study.ask(2, measure=["bowl"]))
    dear = filled(10, costs={"bowl": 100.0, "other": 1.0}, **goals)
    asked = [trial.measure or dear.outcomes for trial in dear.ask(4, measure="auto")]
    assert all("other" in measure for measure in asked)
    assert sum("bowl" in measure for measure in asked) < 4


@pytest.mark.parametrize("names", [("bowl", "other"), ("bowl", "other", "wave")])
def test_gain_is_a_volume_for_several_objectives(names) -> None:
    """In other units of one objective the same batch gains as much more."""
    goals = dict.fromkeys(names, "minimize")
    study, scaled = filled(10, objectives=goals), kg.Study(SPACE, seed=3, objectives=goals)
    for trial in study.trials:
        told = {name: trial.outcomes[name].value for name in names}
        scaled.add(trial.params, {**told, "bowl": 8.0 * told["bowl"]})
    gain = study.gain(2)
    assert gain > 0.0
    assert scaled.gain(2) == pytest.approx(8.0 * gain, rel=1e-6)


def test_bad_questions_are_refused_with_the_remedy() -> None:
    plain, several = filled(6), filled(6, objectives={"bowl": "minimize", "other": "minimize"})
    for ask, words in [
        (lambda: several.snapshot().recommend(chance=1.5), "between 0 and 1"),
        (lambda: several.snapshot().recommend(weights={"mass": 1}), "objectives"),
        (lambda: several.snapshot().recommend(weights={"bowl": -1}), "at least 0"),
        (lambda: several.snapshot().recommend(weights={"bowl": 0}), "above 0"),
        (lambda: several.snapshot().recommend(at={"mass": "<= 1"}), "objectives"),
        (lambda: several.snapshot().recommend(at={"bowl": "<= 1"}, weights={"bowl": 1}), "one of the two"),
        (lambda: several.snapshot().recommend(tolerance={"x": 0.1}), "several outcomes"),
        (lambda: several.snapshot().suggest(1, shared=["x"], measure="auto"), "several outcomes"),
        (lambda: several.snapshot().front(given={"mass": 1}), "names of parameters"),
        (lambda: several.snapshot().predict(np.full((1, 2), 0.5)), "expect\\(\\)"),
        (lambda: several.snapshot().spread, "outcome\\('bowl'\\)"),
        (lambda: several.snapshot().outcome("mass"), "one of \\['bowl', 'other'\\]"),
        (lambda: several.plan(10), "gain\\(q\\)"),
        (lambda: plain.snapshot().outcome("bowl"), "plain"),
        (lambda: plain.snapshot().front(), "several objectives"),
        (lambda: plain.snapshot().recommend(weights={"bowl": 1}), "several objectives"),
        (lambda: plain.snapshot().recommend(chance=0.9), "limits"),
    ]:
        with pytest.raises(ArgumentError, match=words):
            ask()
    half = kg.Study(SPACE, objectives={"bowl": "minimize", "other": "minimize"})
    half.tell(half.ask(1, measure=["bowl"])[0], {"bowl": 1.0})
    with pytest.raises(NoDataError, match="every outcome"):
        half.snapshot().recommend()
    assert half.trials[0].outcomes == {"bowl": Measured(1.0, None)}


@pytest.mark.parametrize("measure", ["auto", ["f"]])
def test_an_exact_outcome_is_measured_once_at_a_point(measure):
    rows = [{"name": f"m{i}", "p": float(i) + 0.25 * (i % 3)} for i in range(30)]
    options = {"objectives": {"f": "minimize", "g": "minimize"}, "costs": {"f": 10, "g": 1}, "noise": 0}
    study = kg.Study(kg.Candidates(rows), seed=0, **options)
    seen = set()
    for batch in range(5):
        for trial in study.ask(3, measure=measure if batch else None):
            values = {"f": (trial.params["p"] - 7) ** 2, "g": trial.params["p"]}
            asked = {(trial.params["name"], name) for name in trial.measure or values}
            assert not asked & seen
            seen |= asked
            study.tell(trial, {name: values[name] for name in trial.measure or values})


def stairs(params) -> float:
    """A model is too sure of what lies between its steps."""
    return float(np.floor(6.0 * params["x"]) % 2.0 + abs(params["y"] - 0.5))


def test_what_was_measured_exactly_stays_on_the_front_unless_another_point_is_surely_better() -> None:
    rng, study = (
        np.random.default_rng(1),
        kg.Study(SPACE, seed=3, noise=0, objectives={"a": "minimize", "b": "minimize"}),
    )
    results = []
    for u in rng.random((16, 2)):
        params = {"x": float(u[0]), "y": float(u[1])}
        results.append([stairs(params), other(params)])
        study.add(params, dict(zip("ab", results[-1], strict=True)))
    found, Y = study.snapshot().front(), np.array(results)
    listed = {tuple(point.params.values()) for point in found}
    sure = np.array([[point.means[name] + 3.0 * point.sds[name] for name in "ab"] for point in found])
    front = [trial for trial, best in zip(study.trials, nondominated(Y), strict=True) if best]
    left = [trial for trial in front if tuple(trial.params.values()) not in listed]
    assert len(left) < len(front)
    for trial in left:
        y = np.array([trial.outcomes[name].value for name in "ab"])
        assert (sure <= y + 0.01 * np.ptp(Y, axis=0)).all(axis=1).any()
    drawn = np.array([[point.means[name] for name in "ab"] for point in views.front(study.snapshot()).points])
    assert nondominated(drawn).all()
    assert len(drawn) < len(found)


def test_compromises_are_the_front_and_what_is_known_to_be_as_good() -> None:
    Y, sd = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5], [0.4, 0.4], [2.0, 2.0]]), np.full((5, 2), 0.1)
    none, known = np.zeros(5, bool), np.array([False, False, True, False, True])
    np.testing.assert_array_equal(compromises(Y, sd, none), nondominated(Y))
    np.testing.assert_array_equal(compromises(Y, sd, known), [True, True, True, True, False])
    np.testing.assert_array_equal(compromises(Y, 0.3 * sd, known), [True, True, False, True, False])
