"""Suggestions as functions of trials: pure, unit-free, and inside the domain whatever the data."""

import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass, replace

import numpy as np
import pytest

from knowgrad.acquisition.criteria import inflation
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.advisor.start.design import latin_hypercube
from knowgrad.problems import BRANIN
from knowgrad.space import Choice, Float, Int, Space
from knowgrad.trial import Settings, Trial

PLANE = Space({"x": Float(-1.0, 2.0), "y": Float(1e-3, 1e1, log=True)})
MIXED = Space({"x": Float(0.0, 1.0), "n": Int(1, 5), "kind": Choice(["a", "b", "c"])})
SETTINGS = Settings(seed=7)


def loss(params: dict) -> float:
    return (params["x"] - 0.5) ** 2 + math.log10(params["y"]) ** 2


def mixed_loss(params: dict) -> float:
    return (params["x"] - 0.3) ** 2 + 0.1 * abs(params["n"] - 4) + {"a": 0.5, "b": 0.0, "c": 0.3}[params["kind"]]


def complete(space: Space, values, n: int = 8, pending: int = 0) -> list[Trial]:
    """n completed trials at a Latin hypercube, and pending ones after them."""
    U = latin_hypercube(n + pending, space, np.random.default_rng(1))
    trials = []
    for i, u in enumerate(U):
        params = space.decode(u)
        state, value = ("complete", float(values(params))) if i < n else ("pending", None)
        trials.append(Trial(f"t-{i}", i, params, state, value))
    return trials


def assert_close(space: Space, left: tuple, right: tuple, atol: float) -> None:
    np.testing.assert_allclose(space.encode_many(left), space.encode_many(right), atol=atol)


def test_the_start_is_the_rest_of_a_latin_hypercube() -> None:
    first = Snapshot(PLANE, [], SETTINGS).suggest(6)
    assert first.sources == ("start",) * 6
    cells = np.floor(PLANE.encode_many(first.params) * 6).clip(0, 5)
    assert all(sorted(column) == list(range(6)) for column in cells.T)
    known = complete(PLANE, loss, n=2)
    assert Snapshot(PLANE, known, SETTINGS).suggest(4).params == first.params[2:]


def test_a_batch_may_straddle_the_end_of_the_start() -> None:
    batch = Snapshot(PLANE, complete(PLANE, loss, n=4), SETTINGS).suggest(4)
    assert batch.sources == ("start", "start", "qkg", "qkg")
    assert batch.gain is not None


def test_before_any_result_points_are_spread_out_and_say_why() -> None:
    running = [replace(t, state="pending", value=None) for t in complete(PLANE, loss, n=6)]
    batch = Snapshot(PLANE, running, SETTINGS).suggest(2)
    assert all(source.startswith("random: no result") for source in batch.sources)


def test_the_same_trials_and_seed_give_the_same_batch() -> None:
    trials = complete(PLANE, loss)
    assert Snapshot(PLANE, trials, SETTINGS).suggest(3) == Snapshot(PLANE, trials, SETTINGS).suggest(3)
    assert Snapshot(PLANE, trials, SETTINGS).suggest(3) != Snapshot(PLANE, trials, Settings(seed=8)).suggest(3)


PROGRAM = """
import json, math, numpy as np
from knowgrad.advisor.snapshot import Snapshot
from tests.test_suggest import PLANE, SETTINGS, complete, loss
trials = complete(PLANE, loss, n=40, pending=2)
best = Snapshot(PLANE, trials, SETTINGS).recommendation
print(json.dumps([Snapshot(PLANE, trials, SETTINGS).suggest(4).params, best.params, best.mean]))
"""


def test_the_number_of_blas_threads_changes_nothing() -> None:
    answers = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    ]
    assert json.loads(answers[0])
    assert answers[0] == answers[1]


@pytest.mark.parametrize("a", [2.0**-900, 0.5, 2.0**40, 2.0**900])
def test_a_power_of_two_as_unit_changes_nothing_at_all(a: float) -> None:
    plain = Snapshot(PLANE, complete(PLANE, loss), SETTINGS).suggest(3)
    scaled = Snapshot(PLANE, complete(PLANE, lambda p: a * loss(p)), SETTINGS).suggest(3)
    assert scaled.params == plain.params
    assert scaled.gain == a * plain.gain


@pytest.mark.parametrize(("a", "b"), [(3.7, 0.0), (1e-7, 2e-7), (1.0, -5.0), (123.0, 1e3)])
def test_any_unit_and_offset_leave_the_batch_where_it_is(a: float, b: float) -> None:
    plain = Snapshot(PLANE, complete(PLANE, loss), SETTINGS).suggest(3)
    moved = Snapshot(PLANE, complete(PLANE, lambda p: a * loss(p) + b), SETTINGS).suggest(3)
    assert_close(PLANE, moved.params, plain.params, atol=1e-6)
    assert moved.gain == pytest.approx(a * plain.gain, rel=1e-5)


def test_maximising_is_minimising_the_negative() -> None:
    down = Snapshot(PLANE, complete(PLANE, loss), SETTINGS).suggest(3)
    up = Snapshot(PLANE, complete(PLANE, lambda p: -loss(p)), replace(SETTINGS, direction="maximize")).suggest(3)
    assert up.params == down.params
    assert up.gain == down.gain


DEGENERATE = {
    "constant": lambda p: 5.0,
    "zero": lambda p: 0.0,
    "huge": lambda p: 1e300 * loss(p),
    "tiny": lambda p: 1e-300 * loss(p),
    "outlier": lambda p: 1e300 if p["x"] > 1 else loss(p),
    "almost constant": lambda p: 1.0 + 1e-16 * loss(p),
}


@pytest.mark.parametrize("noise", ["learned", 0, 0.5])
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_values_give_points_inside_the_domain(name: str, noise: object) -> None:
    trials = complete(PLANE, DEGENERATE[name], pending=1)
    batch = Snapshot(PLANE, trials, Settings(7, noise=noise)).suggest(3)
    assert len({tuple(p.values()) for p in batch.params}) == 3
    assert all(PLANE.validate(p) == p for p in batch.params)


@pytest.mark.parametrize("noise", ["learned", 0])
@pytest.mark.parametrize("spread", [0.0, 1e-14])
def test_identical_and_nearly_identical_points(spread: float, noise: object) -> None:
    trials = [Trial(f"t-{i}", i, {"x": 0.5 + spread * i, "y": 1.0}, "complete", 1.0 + 0.1 * (i % 3)) for i in range(10)]
    batch = Snapshot(PLANE, trials, Settings(7, noise=noise)).suggest(3)
    assert all(PLANE.validate(p) == p for p in batch.params)


def test_one_observation_is_enough() -> None:
    trials = complete(PLANE, loss, n=1, pending=5)
    batch = Snapshot(PLANE, trials, SETTINGS).suggest(2)
    assert batch.sources == ("qkg", "qkg")


def test_exact_results_are_not_asked_for_twice_while_others_are_left() -> None:
    space = Space({"n": Int(1, 4), "kind": Choice(["a", "b", "c"])})
    trials = complete(space, lambda p: p["n"] + (p["kind"] == "a"), n=9)
    batch = Snapshot(space, trials, Settings(7, noise=0)).suggest(3)
    points = [tuple(t.params.values()) for t in trials] + [tuple(p.values()) for p in batch.params]
    assert len(set(points)) == 12


def test_integers_and_choices_are_searched() -> None:
    trials = complete(MIXED, mixed_loss, n=24)
    batch = Snapshot(MIXED, trials, Settings(7, noise=0)).suggest(4)
    assert all(MIXED.validate(p) == p for p in batch.params)
    assert sum(p["kind"] == "b" for p in batch.params) >= 2


@pytest.mark.parametrize(
    "space",
    [
        Space({"x": Float(0.0, 1.0), "y": Float(0.0, 1.0)}, constraints=["x + y <= 0.5", "x >= y"]),
        Space({"x": Float(0.0, 1.0), "y": Float(0.0, 1.0)}, feasible=lambda p: 0.1 < math.hypot(p["x"], p["y"]) < 0.3),
        Space({"x": Int(0, 9), "y": Float(0.01, 1.0, log=True)}, constraints=["x + 10 * y <= 6"]),
    ],
    ids=["triangle", "ring", "mixed"],
)
def test_starts_and_batches_lie_inside_the_domain(space: Space) -> None:
    trials = complete(space, lambda p: (p["x"] - 1) ** 2 + (p["y"] - 1) ** 2, n=8, pending=1)
    for p in (*Snapshot(space, [], SETTINGS).suggest(6).params, *Snapshot(space, trials, SETTINGS).suggest(4).params):
        assert space.validate(p) == p


@dataclass(frozen=True)
class Broken:
    """A method whose mathematics fails."""

    answer: np.ndarray | None = None
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        if self.answer is None:
            raise np.linalg.LinAlgError("singular")
        return Answer(self.answer)


@pytest.mark.parametrize("answer", [None, np.full((2, 2), np.nan)])
def test_a_numerical_failure_becomes_a_point_with_a_reason(answer: np.ndarray | None) -> None:
    batch = Snapshot(PLANE, complete(PLANE, loss), replace(SETTINGS, method=Broken(answer))).suggest(2)
    assert all(source.startswith("random: the model") for source in batch.sources)
    assert all(PLANE.validate(p) == p for p in batch.params)


def test_a_noise_function_is_asked_about_candidates_in_user_units() -> None:
    seen: list[dict] = []

    def sd(params: dict) -> float:
        seen.append(params)
        return 0.1 + abs(params["x"])

    batch = Snapshot(PLANE, complete(PLANE, loss), replace(SETTINGS, noise=sd)).suggest(2)
    assert batch.sources == ("qkg", "qkg")
    assert all(PLANE.validate(p) == p for p in seen)
    assert len(seen) > 8


def test_a_standard_error_overrides_the_noise_of_one_observation() -> None:
    trials = complete(PLANE, loss)
    spoiled = [replace(trials[0], value=-100.0, sem=1e4), *trials[1:]]
    sure = [replace(trials[0], value=-100.0, sem=0.0), *trials[1:]]
    there = PLANE.encode(trials[0].params)
    batches = [Snapshot(PLANE, each, Settings(7, noise=0.01)).suggest(2).params for each in (spoiled, sure)]
    gaps = [np.abs(PLANE.encode_many(batch) - there).max(axis=1).min() for batch in batches]
    assert gaps[1] < gaps[0]


def test_gain_falls_as_the_answer_becomes_known_and_counts_what_is_running() -> None:
    few = Snapshot(PLANE, complete(PLANE, loss, n=8), Settings(7, noise=0)).gain(2)
    many = Snapshot(PLANE, complete(PLANE, loss, n=60), Settings(7, noise=0)).gain(2)
    assert few > 10 * many >= 0.0
    assert few.sem > 0.0
    assert few.q == 2
    trials = complete(PLANE, loss, n=8)
    before = Snapshot(PLANE, trials, SETTINGS)
    running = [Trial(f"t-{8 + i}", 8 + i, p, "pending") for i, p in enumerate(before.suggest(3).params)]
    assert before.given([*trials, *running]).gain(2) < before.gain(2)


def test_gain_leaves_out_the_point_of_variance_inflation(monkeypatch: pytest.MonkeyPatch) -> None:
    trials, exact = complete(PLANE, loss, n=12), Settings(7, noise=0)

    def with_limit(deviations: float) -> tuple:
        monkeypatch.setattr(inflation, "DEVIATIONS", deviations)
        return Snapshot(PLANE, trials, exact).suggest(4).params, Snapshot(PLANE, trials, exact).gain(4)

    (always, worth), (never, same) = with_limit(0.1), with_limit(np.inf)
    assert always != never
    assert worth == same


def test_the_papers_mode_is_a_method_like_any_other() -> None:
    batch = Snapshot(PLANE, complete(PLANE, loss), replace(SETTINGS, method="qkg-paper")).suggest(2)
    assert batch.sources == ("qkg-paper", "qkg-paper")


@pytest.mark.parametrize("fit", ["map", "mle", "bayes"])
def test_every_fit_serves_batch_recommendation_and_gain(fit: str) -> None:
    settings, trials = replace(SETTINGS, fit=fit), complete(PLANE, loss, n=12)
    assert Snapshot(PLANE, trials, settings).suggest(2).sources == ("qkg", "qkg")
    assert Snapshot(PLANE, trials, settings).gain(2) >= 0.0
    best = Snapshot(PLANE, trials, settings).recommendation
    assert best.sd > 0.0
    assert loss(best.params) < 1.0


def test_a_dozen_batches_find_branins_valley() -> None:
    space, trials, settings = Space(BRANIN.space), [], Settings(3, noise=0)
    while len(trials) < 42:
        for p in Snapshot(space, trials, settings).suggest(6 if not trials else 4).params:
            trials.append(Trial(f"t-{len(trials)}", len(trials), p, "complete", BRANIN(p)))
    assert min(t.value for t in trials) < BRANIN.optimum + 0.1


TINY = 1e-5  # volume
TINY_DISC = Space(
    {"x": Float(0.0, 1.0), "y": Float(0.0, 1.0)},
    feasible=lambda p: (p["x"] - 0.3) ** 2 + (p["y"] - 0.7) ** 2 <= TINY / math.pi,
)


@pytest.mark.parametrize("state", ["complete", "pending"])
def test_a_domain_too_small_to_be_found_is_searched_from_what_is_known_of_it(state: str) -> None:
    known = [Trial("t-0", 0, {"x": 0.3, "y": 0.7}, state, 1.0 if state == "complete" else None)]
    while len(known) < 9:  # the start and a batch of the model's
        batch = Snapshot(TINY_DISC, known, SETTINGS).suggest(4)
        assert TINY_DISC.contains(TINY_DISC.encode_many(batch.params)).all()
        for params in batch.params:
            known.append(Trial(f"t-{len(known)}", len(known), params, "complete", 100 * params["x"] + params["y"]))
    assert len({tuple(trial.params.values()) for trial in known[:6]}) == 6  # the start is spread out
    assert TINY_DISC.contains(TINY_DISC.encode(Snapshot(TINY_DISC, known, SETTINGS).recommendation.params)[None]).all()
    assert Snapshot(TINY_DISC, known, SETTINGS).gain(2).value >= 0.0


def test_penalties_of_any_size_lead_to_the_same_batch_and_answer() -> None:
    ordinary = complete(PLANE, loss, n=10)
    answers = []
    for penalty in (1e8, 1e12, 1e300):
        told = [replace(t, value=penalty) if t.number in (1, 5) else t for t in ordinary]
        snapshot = Snapshot(PLANE, told, SETTINGS)
        answers.append((snapshot.suggest(2).params, snapshot.recommendation.mean))
    for params, mean in answers[1:]:
        assert_close(PLANE, params, answers[0][0], atol=1e-6)
        assert mean == pytest.approx(answers[0][1], rel=1e-6, abs=1e-6)
