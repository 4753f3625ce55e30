"""Settings that the points of a batch share: identities, and what ties must never break."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.acquisition.criteria.kg import ExactKG, SampledKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search import tied
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.worth import criteria
from knowgrad.acquisition.ties import Tie
from knowgrad.space import Contexts
from tests.acquisition.domains import CUBE
from tests.acquisition.questions import question as a_question
from tests.numeric import smooth_posterior

SPACE = {"t": (20.0, 90.0), "x": (0.0, 1.0), "c": ["a", "b", "d"], "n": (1, 5)}


def f(params: dict) -> float:
    extra = {"a": 0.0, "b": 0.3, "d": 0.6}[params["c"]]
    return (params["t"] / 70.0 - 0.8) ** 2 + (params["x"] - 0.4) ** 2 + extra + 0.05 * params["n"]


def filled(n: int, space: dict | kg.Space = SPACE, **options: object) -> kg.Study:
    study = kg.Study(space, seed=5, **options)
    rng = np.random.default_rng(0)
    while len(study.trials) < n:
        u = study.space.sample(1, rng)[0]
        params = study.space.decode(u)
        study.add(params, f(params) + 0.05 * rng.standard_normal(), check=False)
    return study


def different(trials: list[kg.Trial], name: str) -> int:
    return len({trial.params[name] for trial in trials})


@pytest.mark.parametrize("n", [0, 3, 16])
def test_ties_of_one_point_change_nothing(n: int) -> None:
    free = filled(n).ask(1)[0].params
    assert filled(n).ask(1, shared=["t", "c"])[0].params == free
    three = [trial.params for trial in filled(n).ask(3)]
    assert [trial.params for trial in filled(n).ask(3, shared={"t": 3, "n": 4})] == three


@pytest.mark.parametrize("n", [0, 6, 16])
def test_a_batch_has_as_many_values_as_it_may(n: int) -> None:
    study = filled(n)
    for shared in ({"t": 1}, {"t": 2, "c": 1}, ["n"]):
        trials = study.ask(6, shared=shared)
        limits = shared if isinstance(shared, dict) else dict.fromkeys(shared, 1)
        assert all(different(trials, name) <= limit for name, limit in limits.items())
        assert len({tuple(trial.params.items()) for trial in trials}) > 1


def test_ties_of_all_columns_are_replicates() -> None:
    trials = filled(16).ask(4, shared=list(SPACE))
    assert all(trial.params == trials[0].params for trial in trials)


def test_replicates_are_worth_one_result_with_less_noise() -> None:
    """q-KG of q equal points is the exact q-KG of one whose noise variance is a q-th."""
    post, q, noise = smooth_posterior(), 4, 0.3
    A = np.vstack([np.random.default_rng(1).random((20, post.X.shape[1])), post.X])

    def constant(variance: float):
        return lambda U: (np.full(U.shape[:-1], variance), np.zeros_like(U))

    none, z = A[:0], post.X[np.argmin(post.mean(post.X))] + 0.05
    one = ExactKG(Lookahead(post, constant(noise / q), A, none)).value(z[None, None])[0]
    many = SampledKG(Lookahead(post, constant(noise), A, none), normals(8192, q, np.random.default_rng(0)))
    assert many.value(np.tile(z, (1, q, 1)))[0] == pytest.approx(one, rel=0.03)


def test_a_shared_value_is_chosen_for_the_whole_batch() -> None:
    """A plate is worth more, for the best of all temperatures, than plates chosen at others."""
    snapshot = filled(20).snapshot()
    plate = snapshot.suggest(6, shared=["t"])
    assert len({params["t"] for params in plate.params}) == 1
    assert plate.gain is not None
    found, none = snapshot.model, np.empty((0, snapshot.space.dim))
    for t in (20.0, 35.0, 90.0):
        domain = Contexts(snapshot.space, [{"t": t}])
        other = QKG().propose(Question(found.model, found.noise, domain, none, 6), np.random.default_rng(0))
        assert other.value is not None
        assert plate.gain > found.units.difference(other.value) - 3.0 * (plate.sem or 0.0)


def test_a_shared_value_is_judged_by_the_whole_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never worse than the value at which the first few points are worth most."""
    question = replace(a_question(9, noise=0.2), ties=(Tie(np.array([True, False, False]), 1, np.empty((0, 3))),))
    A, Zq = CUBE.sample(40, np.random.default_rng(0)), normals(64, 9, np.random.default_rng(1))

    def build(W: np.ndarray) -> Average:
        return Average(criteria(question, [A], W, Zq[:, : len(W) + 1]))

    def worth(whole: int) -> float:
        monkeypatch.setattr(tied, "WHOLE", whole)
        z = tied.tied_batch(question, build, A[:20], np.random.default_rng(2))
        assert len(np.unique(z[:, 0])) == 1
        return float(build(z[:-1]).value(z[None, -1:])[0])

    values = [worth(whole) for whole in (1, 2, 6)]
    assert values == sorted(values)
    assert values[0] > 0.0


def test_pending_plates_count() -> None:
    study = filled(20)
    first = study.ask(4, shared=["t"])
    second = study.ask(4, shared=["t"])
    assert different(first, "t") == different(second, "t") == 1
    assert [trial.params for trial in second] != [trial.params for trial in first]


def test_queued_points_belong_to_the_batch() -> None:
    study = filled(16)
    for t in (25.0, 60.0, 80.0):
        study.enqueue({"t": t, "x": 0.5, "c": "a", "n": 2})
    trials = study.ask(5, shared={"t": 2})
    assert {trial.params["t"] for trial in trials} == {25.0, 60.0}
    assert [trial.params["t"] for trial in study.ask(1)] == [80.0]


def test_exact_results_are_not_repeated_and_ties_hold() -> None:
    study = filled(12, {"t": [1, 2, 3], "c": ["a", "b", "d"], "x": [0.0, 1.0], "n": (1, 3)}, noise=0)
    trials = study.ask(6, shared=["t"])
    assert different(trials, "t") == 1
    assert len({tuple(trial.params.items()) for trial in trials}) == 6


def test_ties_with_constraints() -> None:
    space = kg.Space(SPACE, constraints=["x + n/5 <= 1.2", "t/90 + x <= 1.5"])
    for n in (0, 14):
        study = filled(n, space)
        trials = study.ask(8, shared={"t": 2, "n": 2})
        assert different(trials, "t") <= 2
        assert different(trials, "n") <= 2
        for trial in trials:
            space.validate(trial.params)


def test_given_and_shared_together() -> None:
    trials = filled(16).ask(4, given={"c": "b"}, shared=["t", "c"])
    assert {trial.params["c"] for trial in trials} == {"b"}
    assert different(trials, "t") == 1


def test_a_run_asks_for_whole_plates() -> None:
    batches: dict[int, set[float]] = {}
    result = kg.minimize(f, SPACE, n_trials=18, batch_size=6, shared=["t"], seed=0, progress=False)
    for trial in result.study.trials:
        batches.setdefault(trial.batch, set()).add(trial.params["t"])
    assert len(batches) == 3
    assert all(len(values) == 1 for values in batches.values())


def test_the_first_plate_is_in_the_middle_and_the_second_elsewhere() -> None:
    study = kg.Study({**SPACE, "t": kg.Float(20.0, 90.0, step=17.5)}, seed=2)
    for trial in study.ask(12, shared=["t"]):
        assert 40.0 < trial.params["t"] < 70.0
        study.tell(trial, f(trial.params))
    first, second = study.trials[0].params["t"], study.ask(12, shared=["t"])
    assert different(second, "t") == 1
    assert abs(second[0].params["t"] - first) > 10.0
    assert study.ask(1, shared=["t"])  # pending plates count: there are two values now


@pytest.mark.parametrize("seed", range(4))
def test_a_second_choice_is_another_one(seed: int) -> None:
    study = kg.Study(SPACE, seed=seed)
    for trial in study.ask(12, shared=["c", "n"]):
        study.tell(trial, f(trial.params))
    second = study.ask(8, shared=["c", "n"])
    for name in ("c", "n"):
        assert different(second, name) == 1
        assert second[0].params[name] != study.trials[0].params[name]


@pytest.mark.parametrize("seed", range(3))
def test_a_plate_where_most_of_a_context_failed(seed: int) -> None:
    """No candidate may be left with the values that are shared."""
    study, rng = kg.Study({"x": (0.0, 1.0), "reactor": ["A", "B"]}, seed=seed), np.random.default_rng(seed)
    for _ in range(5):
        trials = study.ask(3, given={"reactor": "B"}, shared=["x"])
        assert {trial.params["reactor"] for trial in trials} == {"B"}
        assert len({trial.params["x"] for trial in trials}) == 1
        for trial in trials:
            if rng.random() < 0.6:
                study.fail(trial, "spilled")
            else:
                study.tell(trial, trial.params["x"] + 0.1 * rng.standard_normal(), check=False)
