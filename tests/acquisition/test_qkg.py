import numpy as np
import pytest

from benchmarks.speed.true_value import Gp, true_value
from knowgrad.acquisition.criteria.kg import ExactKG, SampledKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.methods.qkg_paper import PaperQKG
from knowgrad.acquisition.problem import Question
from tests.acquisition.domains import ALL, CUBE, assert_inside
from tests.numeric import smooth_posterior, tilted_noise

NONE = np.empty((0, 3))


def question(q: int, *, pending: np.ndarray = NONE, domain=CUBE, posteriors: int = 1, seed: int = 0) -> Question:
    model = [smooth_posterior(noise=0.05 * (k + 1), seed=seed) for k in range(posteriors)]
    return Question(model, [post.constant_noise for post in model], domain, pending, q)


def worth(asked: Question, Z: np.ndarray, pending: np.ndarray | None = None) -> float:
    """True q-KG by a judge that shares no code with the package."""
    judged = [Gp(m.X, m.y, m.ell, m.s2, m.noise, m.m) for m in asked.model]
    running = asked.pending if pending is None else pending
    return float(np.mean([true_value(gp, Z, running, samples=256).value for gp in judged]))


@pytest.mark.parametrize("q", [1, 2, 4])
def test_the_batch_beats_every_one_of_many_random_batches(q: int) -> None:
    asked = question(q)
    answer = QKG().propose(asked, np.random.default_rng(0))
    random = np.random.default_rng(1).random((20, q, 3))
    assert answer.Z.shape == (q, 3)
    assert worth(asked, answer.Z) >= max(worth(asked, z) for z in random)
    assert answer.value == pytest.approx(worth(asked, answer.Z), rel=0.1)


def test_one_point_is_at_the_optimum_of_exact_kg() -> None:
    asked = question(1)
    z = QKG().propose(asked, np.random.default_rng(0)).Z
    post = asked.model[0]
    A = np.vstack([np.random.default_rng(11).random((600, 3)), post.X])
    exact = ExactKG(Lookahead(post, post.constant_noise, A, NONE))
    grid = np.random.default_rng(2).random((4000, 1, 3))
    assert exact.value(z[None])[0] >= 0.97 * exact.value(grid).max()


def test_a_refill_keeps_away_from_pending_points_and_ignores_none_of_them() -> None:
    """The batch of four without its last point is pending; the refill must be new, and joint value must not fall."""
    pending = QKG().propose(question(3), np.random.default_rng(0)).Z
    asked = question(1, pending=pending)
    z = QKG().propose(asked, np.random.default_rng(1)).Z
    ignoring = QKG().propose(question(1), np.random.default_rng(1)).Z
    assert np.min(np.abs(pending - z).max(axis=1)) > 0.02
    assert worth(asked, z) >= worth(asked, ignoring)
    assert worth(asked, z) >= worth(asked, pending[-1:], pending[:-1])


def test_several_posteriors_are_averaged() -> None:
    asked = question(2, posteriors=3)
    answer = QKG().propose(asked, np.random.default_rng(0))
    random = np.random.default_rng(1).random((15, 2, 3))
    assert worth(asked, answer.Z) >= max(worth(asked, z) for z in random)


@pytest.mark.parametrize("method", [QKG(), PaperQKG(M=64, steps=20, starts=4)], ids=["qkg", "paper"])
@pytest.mark.parametrize("name", ALL)
def test_batches_lie_inside_every_kind_of_domain(name: str, method: QKG | PaperQKG) -> None:
    domain = ALL[name]
    pending = domain.sample(2, np.random.default_rng(5))
    answer = method.propose(question(3, pending=pending, domain=domain), np.random.default_rng(0))
    assert_inside(domain, answer.Z)
    assert answer.value is not None
    assert answer.value >= 0.0


@pytest.mark.parametrize("method", [QKG(), PaperQKG(M=64, steps=20, starts=4)], ids=["qkg", "paper"])
def test_the_same_random_numbers_give_the_same_batch(method: QKG | PaperQKG) -> None:
    batches = [method.propose(question(2), np.random.default_rng(3)).Z for _ in range(2)]
    np.testing.assert_array_equal(*batches)


def test_the_known_noise_of_the_candidates_makes_the_batch_better() -> None:
    def loud(U: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return tuple(20 * part for part in tilted_noise(U))

    base = question(4)
    asked = Question(base.model, [loud], CUBE, NONE, 4)
    quiet, plain = (QKG().propose(each, np.random.default_rng(0)).Z for each in (asked, base))
    Zq = normals(1024, 4, np.random.default_rng(9))
    kg = SampledKG(Lookahead(base.model[0], loud, np.random.default_rng(11).random((600, 3)), NONE), Zq)
    assert kg.value(quiet[None])[0] > 1.05 * kg.value(plain[None])[0]
