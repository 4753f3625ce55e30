"""Several outcomes with given values of some parameters, and with settings that a batch shares."""

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError

REST = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
SPACE = {**REST, "reactor": ["A", "B"]}
BOTH = {"objectives": {"bowl": "minimize", "other": "minimize"}}
LIMITED = {"objectives": {"bowl": "minimize"}, "limits": ["other <= 0.5"]}


def results(params: dict, shift: float = 0.0) -> dict[str, float]:
    x, y = params["x"] - shift, params["y"]
    return {"bowl": (x - 0.3) ** 2 + y**2, "other": (x - 0.8) ** 2 + 0.5 * (y - 0.2) ** 2}


def study_of(space: dict, points: list[dict], **goals) -> kg.Study:
    study = kg.Study(space, seed=2, noise={"bowl": 0.01, "other": 0.01}, **goals)
    for params in points:
        study.add(params, results(params, 0.2 * (params.get("reactor") == "B")))
    return study


def spread(n: int, seed: int = 0) -> list[dict]:
    return [dict(zip("xy", map(float, row), strict=True)) for row in np.random.default_rng(seed).random((n, 2))]


@pytest.mark.parametrize("goals", [BOTH, LIMITED], ids=["objectives", "limit"])
def test_where_all_results_lie_in_a_context_it_is_the_study_of_the_other_parameters(goals: dict) -> None:
    points = spread(9)
    whole, rest = study_of(SPACE, [{**p, "reactor": "B"} for p in points], **goals), study_of(REST, points, **goals)
    for trial in rest.trials:  # the results of reactor B, for both
        rest.correct(trial, results(trial.params, 0.2))
    context = {"reactor": "B"}
    one, two = whole.recommend(given=context), rest.recommend()
    assert one.params == {**two.params, **context}
    assert one.outcomes == two.outcomes
    assert whole.gain(2, given=context) == rest.gain(2)
    if goals is BOTH:
        fronts = whole.front(given=context), rest.front()
        assert [p.params for p in fronts[0]] == [{**p.params, **context} for p in fronts[1]]
        assert fronts[0].hypervolume == fronts[1].hypervolume
    asked = [trial.params for trial in whole.ask(2, given=context)]
    assert asked == [{**trial.params, **context} for trial in rest.ask(2)]


@pytest.mark.parametrize("goals", [BOTH, LIMITED], ids=["objectives", "limit"])
def test_every_answer_has_the_given_values_and_uses_results_from_elsewhere(goals: dict) -> None:
    both = [{**p, "reactor": r} for p, r in zip(spread(12), "AB" * 6, strict=True)]
    study, context = study_of(SPACE, both, **goals), {"reactor": "B"}
    elsewhere = study.ask(1, given={"reactor": "A"})
    assert elsewhere[0].params["reactor"] == "A"
    trials = study.ask(3, given=context)
    assert [trial.params["reactor"] for trial in trials] == ["B"] * 3
    assert study.recommend(given=context).params["reactor"] == "B"
    assert study.gain(2, given=context) >= 0.0
    if goals is BOTH:
        drawn = study.plot("front", given=context)
        assert drawn.layout.title.text.startswith("Pareto front with reactor = B: ")
        front = next(trace for trace in drawn.data if trace.name.startswith("front"))
        assert all("reactor = B" in text for text in front.text)
        here, there = study.front(given=context), study.front(given={"reactor": "A"})
        assert {p.params["reactor"] for p in here} == {"B"}
        assert {p.params["reactor"] for p in there} == {"A"}
        best = min(here, key=lambda p: p.means["bowl"]).params["x"]
        assert abs(best - 0.5) < 0.1  # of reactor B; of A it is 0.3
    else:
        assert study.recommend(given=context).best.params["reactor"] == "B"


def test_a_limit_that_always_holds_changes_nothing_in_a_context() -> None:
    both = [{**p, "reactor": r} for p, r in zip(spread(12), "AB" * 6, strict=True)]
    loose = study_of(SPACE, both, objectives={"bowl": "minimize"}, limits=["other <= 1e6"])
    alone = kg.Study(SPACE, seed=2, noise=0.01)
    for trial in loose.trials:
        alone.add(trial.params, trial.outcomes["bowl"].value)
    context = {"reactor": "A"}
    assert loose.recommend(given=context).params == alone.recommend(given=context).params
    assert loose.gain(2, given=context) == pytest.approx(alone.gain(2, given=context), rel=1e-9)
    asked = [trial.params for trial in loose.ask(3, given=context, shared=["x"])]
    assert asked == [trial.params for trial in alone.ask(3, given=context, shared=["x"])]


@pytest.mark.parametrize("goals", [BOTH, LIMITED], ids=["objectives", "limit"])
def test_a_batch_has_no_more_values_of_what_it_shares_than_it_may(goals: dict) -> None:
    study = study_of(REST, spread(8), **goals)
    before = study.snapshot()
    batch = study.ask(4, shared={"x": 2})
    assert len({trial.params["x"] for trial in batch}) <= 2
    assert len({trial.params["y"] for trial in batch}) > 2
    free, idle = before.suggest(3), before.suggest(3, shared={"x": 3})
    assert free.params == idle.params  # a tie that cannot bind changes nothing
    assert len({trial.params["x"] for trial in study.ask(3, shared=["x"])}) == 1


def test_ties_beside_a_choice_of_what_to_measure_are_refused() -> None:
    study = study_of(REST, spread(8), **BOTH)
    with pytest.raises(ArgumentError, match="shared"):
        study.ask(2, shared=["x"], measure="auto")
    assert len({trial.params["x"] for trial in study.ask(2, shared=["x"], measure=["bowl"])}) == 1
    assert len(study.trials) == 10
