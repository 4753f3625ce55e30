"""Data that starve a model: every point lies inside the domain, and none is repeated while others are left."""

import math
import sys

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.space import Choice, Float, Int, Space
from knowgrad.trial import Settings, Trial

LINE = Space({"x": Float(0.0, 1.0), "y": Float(0.0, 1.0)})
TEN = Space({"n": Int(1, 10)})
MIXED = Space({"x": Float(0.0, 1.0), "n": Int(1, 40), "kind": Choice(["a", "b", "c"])})
NOISE = pytest.mark.parametrize("noise", ["learned", 0])


def trials(params: list[dict], values: list[float | None], state: str = "complete") -> list[Trial]:
    pairs = enumerate(zip(params, values, strict=True))
    return [Trial(f"t-{i}", i, p, state, value) for i, (p, value) in pairs]


def asked(space: Space, known: list[Trial], q: int, noise: object) -> list[tuple]:
    """The next batch, each point in its canonical form."""
    batch = Snapshot(space, known, Settings(5, noise=noise)).suggest(q).params
    assert len(batch) == q
    assert all(space.validate(p) == p for p in batch)
    return [tuple(p.values()) for p in batch]


@NOISE
@pytest.mark.parametrize("space", [LINE, MIXED], ids=["line", "mixed"])
def test_a_constant_objective_two_hundred_times(space: Space, noise: object) -> None:
    points = [space.decode(u) for u in space.sample(196, np.random.default_rng(0))]
    batch = asked(space, trials(points, [3.0] * 196), 4, noise)
    assert len(set(batch) | {tuple(p.values()) for p in points}) == len({tuple(p.values()) for p in points}) + 4


@NOISE
@pytest.mark.parametrize("n", [0, 1])
def test_no_result_or_one(n: int, noise: object) -> None:
    points = [{"x": 0.3, "y": 0.4}] * n
    assert len(set(asked(LINE, trials(points, [1.0] * n), 8, noise))) == 8


@NOISE
def test_all_failed(noise: object) -> None:
    points = [LINE.decode(u) for u in LINE.sample(20, np.random.default_rng(0))]
    assert len(set(asked(LINE, trials(points, [None] * 20, "failed"), 4, noise))) == 4


@NOISE
@pytest.mark.parametrize("gap", [0.0, 1e-14])
def test_a_hundred_points_that_are_one_or_nearly(gap: float, noise: object) -> None:
    points = [{"x": 0.5 + gap * i, "y": 0.5} for i in range(100)]
    batch = asked(LINE, trials(points, [math.sin(i) for i in range(100)]), 4, noise)
    assert len(set(batch)) == 4


@pytest.mark.parametrize("n", [0, 4, 7, 10])
def test_thirty_two_of_ten_levels_take_all_ten(n: int) -> None:
    points = [{"n": k + 1} for k in range(n)]
    batch = asked(TEN, trials(points, [float((k - 6) ** 2) for k in range(n)]), 32, 0)
    assert {(p["n"],) for p in points} | set(batch) == {(k,) for k in range(1, 11)}
    fresh = 10 - n
    assert len(set(batch[:fresh])) == fresh, "the levels not yet tried come first"


def test_thirty_two_of_ten_levels_under_noise() -> None:
    points = [{"n": k + 1} for k in range(10)] * 2
    asked(TEN, trials(points, [(p["n"] - 6) ** 2 + math.sin(7 * i) for i, p in enumerate(points)]), 32, "learned")


def test_the_last_point_of_a_large_finite_space_is_found() -> None:
    space = Space({"n": Int(1, 40), "m": Int(1, 40), "kind": Choice(["a", "b"])})
    U = np.delete(space.enumerate(10_000), [7, 2503], axis=0)
    points = [space.decode(u) for u in U[::8]]
    rest = [space.decode(u) for i, u in enumerate(U) if i % 8]
    pending = [Trial(f"p-{i}", len(points) + i, p, "pending") for i, p in enumerate(rest)]
    known = trials(points, [float(p["n"]) for p in points])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("knowgrad.advisor.suggest.resolve", lambda method: Stuck())
        batch = asked(space, [*known, *pending], 2, 0)
    assert not set(batch) & {tuple(p.values()) for p in [*points, *rest]}


class Stuck:
    """A method that sees but one point."""

    fit = "map"

    def propose(self, question, rng):
        from knowgrad.acquisition.problem import Answer

        return Answer(np.repeat(question.model[0].X[:1], question.q, axis=0))


@pytest.mark.parametrize("largest", [1e200, sys.float_info.max])
def test_penalties_as_large_as_numbers_can_be(largest: float) -> None:
    """A warning is an error: nothing overflows, and the others are seen as they are."""
    study = kg.Study(LINE, seed=0)
    for trial in study.ask(8):
        x, y = trial.params.values()
        study.tell(trial, largest if x > 0.7 else (x - 0.3) ** 2 + (y - 0.6) ** 2)
    found = study.recommend()
    assert found.mean < 0.3
    assert 0.0 < study.gain(2).value < 1.0
    assert np.isfinite([study.diagnostics().loo.log_density, study.plan(4).gain]).all()


def test_results_of_both_signs_as_large_as_numbers_can_be() -> None:
    study = kg.Study(LINE, seed=0, objectives={"waste": "minimize"}, limits=["heat <= 1"])
    for trial in study.ask(10):
        side = 1e308 if trial.params["x"] > 0.5 else -1e308
        study.tell(trial, {"waste": side, "heat": -side})
    assert math.isfinite(study.recommend().mean)


@pytest.mark.parametrize("unit", [1e-300, 1e-3, 1e300])
def test_a_plan_does_not_depend_on_the_unit(unit: float) -> None:
    def planned(unit: float) -> list[float]:
        study = kg.Study({"x": (0.0, 1.0)}, seed=0)
        for x in (0.1, 0.35, 0.6, 0.9):
            study.add({"x": x}, unit * round((x - 0.4) ** 2 + 0.3, 3))
        return [each / unit for each in (study.plan(4).gain, study.plan(4).options[0].sem)]

    np.testing.assert_allclose(planned(unit), planned(1.0), rtol=1e-6)
