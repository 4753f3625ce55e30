"""The greedy batch in matrices: its values are those of q-KG, and its batches are worth as much at less cost."""

from dataclasses import replace

import numpy as np
import pytest

from knowgrad.acquisition.criteria.crowd import draws, given
from knowgrad.acquisition.criteria.kg import SampledKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.methods.qkg import QKG, crowded
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.quick import SCREENED, Chosen, quick_greedy
from knowgrad.acquisition.search.worth import factors, fresh, true_value
from knowgrad.acquisition.target import Target
from tests.acquisition.questions import question
from tests.numeric import smooth_posterior, tilted_noise

RNG = np.random.default_rng
AVERAGE = Target(np.array([True, False, False]), np.array([[0.2, 0.0, 0.0], [0.7, 0.0, 0.0]]), np.array([0.4, 0.6]))


def lookahead(p: int, crowd: int, target: Target | None, Zq: np.ndarray) -> Lookahead:
    """With p running points in W and `crowd` whose results are drawn."""
    post, A = smooth_posterior(), RNG(3).random((20, 3))
    P, C = RNG(1).random((p, 3)), RNG(7).random((crowd, 3))
    if not crowd:
        return Lookahead(post, tilted_noise, A, P, target)
    known = given(post, tilted_noise, C)
    return Lookahead(known, tilted_noise, A, P, target, draws(known, Zq[:, :crowd]))


@pytest.mark.parametrize("target", [None, AVERAGE], ids=["plain", "average"])
@pytest.mark.parametrize(("p", "crowd"), [(0, 0), (3, 0), (0, 12), (2, 12)])
def test_worth_is_the_q_kg_of_the_points_chosen_and_one_more(p, crowd, target):
    Zq, candidates = RNG(2).standard_normal((16, crowd + p + 3)), RNG(5).random((8, 3))
    ahead = lookahead(p, crowd, target, Zq)
    chosen, Z = Chosen.none(ahead, candidates, len(Zq)), Zq[:, crowd:]
    for row in range(p):
        chosen.take(row, Z[:, row])
    for k, row in enumerate((4, 1)):
        chosen.take(p + row, Z[:, p + k])
    found = chosen.worth(p + np.arange(8), Z[:, p + 2])
    batches = np.array([[candidates[4], candidates[1], each] for each in candidates])
    whole = replace(ahead, A=np.vstack([ahead.A, candidates]))
    np.testing.assert_allclose(found, SampledKG(whole, Z).value(batches), rtol=1e-7, atol=1e-10)


def test_a_second_measurement_at_a_point_is_another_one():
    Zq = RNG(2).standard_normal((16, 2))
    chosen = Chosen.none(lookahead(0, 0, None, Zq), RNG(5).random((4, 3)), 16)
    before = float(chosen.C[2, 2])
    chosen.take(2, Zq[:, 0])
    noise = chosen.noise[2]
    assert chosen.C[2, 2] == pytest.approx(before * noise / (before + noise))


def test_each_point_is_the_best_of_those_looked_at():
    asked = question(q=3)
    sets, candidates = QKG().prepare(asked, RNG(0))
    candidates = candidates[:SCREENED]
    Zq = RNG(1).standard_normal((32, 3))
    batch = quick_greedy(asked, sets, candidates, Zq)
    wide = [np.vstack([A, candidates]) for A in sets]
    for k in range(3):
        values = Average(factors(asked, wide, asked.pending, Zq[:, : k + 1])) if k else None
        if values is not None:
            each = values.value(np.array([[*batch[:k], u] for u in candidates]))
            assert each.max() == pytest.approx(float(values.value(batch[None, : k + 1])[0]), rel=1e-9)


@pytest.mark.parametrize("p", [4, 40])
def test_a_batch_in_haste_is_worth_nearly_as_much(p):
    asked = replace(question(q=6), pending=RNG(4).random((p, 3)))
    quick = QKG().propose(replace(asked, hurried=True), RNG(0))
    usual = QKG().propose(asked, RNG(0))
    known, sets = asked, QKG().prepare(asked, RNG(9))
    if p > 32:
        known, _, sets = crowded(asked, asked, *sets)
    values = [true_value(known, sets[0], each.Z, fresh(known, 1024, RNG(8)))[0] for each in (quick, usual)]
    assert quick.Z.shape == (6, 3)
    assert values[0] > 0.85 * values[1]
