import numpy as np
import pytest

from knowgrad.space.shapes import polytope
from knowgrad.space.shapes.polytope import Polytope
from tests.memory import peak


def round_set(sides: int, d: int, radius: float = 0.3) -> Polytope:
    """Around the middle of the cube, cut out by this many random sides that all touch a ball."""
    G = np.random.default_rng(0).standard_normal((sides, d))
    G /= np.linalg.norm(G, axis=1, keepdims=True)
    return Polytope(G, G @ np.full(d, 0.5) + radius, np.zeros(sides))


def outside(n: int, d: int) -> np.ndarray:
    return 3.0 * np.random.default_rng(1).random((n, d)) - 1.0


def test_to_project_on_many_sides_takes_room_for_those_that_hold() -> None:
    found = round_set(400, 4)
    U = outside(60, 4)
    assert peak(lambda: found.project(U)) < 60 * 400**2  # one byte for each pair of sides; there were dozens


@pytest.mark.parametrize("d", [2, 5])
def test_many_sides_are_projected_on_as_few_are(d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found, U = round_set(100, d), outside(20, d)
    few = found.project(U)
    monkeypatch.setattr(polytope, "SMALL", 1_000)
    np.testing.assert_allclose(few, found.project(U), atol=1e-10)


def test_the_deepest_point_is_the_same_whichever_column_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    steep = round_set(100, 3)
    monkeypatch.setattr(polytope, "SMALL", 1_000)
    bland = round_set(100, 3)
    assert steep.depth == pytest.approx(bland.depth, abs=1e-9)
    np.testing.assert_allclose(steep.centre, bland.centre, atol=1e-6)


@pytest.mark.parametrize("work", [2**27, 20_000])
def test_few_chains_that_give_several_points_each_are_as_uniform(work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polytope, "WORK", work)
    triangle = Polytope(np.array([[1.0, 1.0]]), np.array([0.6]), np.zeros(1))
    X = triangle.walk(np.zeros((2_000, 2)), np.random.default_rng(2))
    assert len(np.unique(X, axis=0)) == 2_000
    assert (X.sum(axis=1) <= 0.6 + 1e-12).all()
    # Mean and variance of a corner of side 0.6; points of one chain are not independent, so five standard errors.
    sd = 0.6 / np.sqrt(18.0)
    np.testing.assert_allclose(X.mean(axis=0), 0.2, atol=5.0 * sd / np.sqrt(2_000))
    np.testing.assert_allclose(X.std(axis=0), sd, atol=5.0 * sd / np.sqrt(2_000))
