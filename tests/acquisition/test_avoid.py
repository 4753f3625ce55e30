"""The domain without what is likely to fail."""

import numpy as np
import pytest

from knowgrad.space import Choice, Float, Int, Space
from knowgrad.space.restricted import Avoiding

SPACE = Space({"x": Float(0.0, 1.0), "n": Int(0, 4), "kind": Choice(["a", "b"])})
RESULTS = SPACE.encode_many([{"x": 0.1, "n": 1, "kind": "a"}, {"x": 0.3, "n": 4, "kind": "b"}])


def left(limit: float = 0.5, results: np.ndarray = RESULTS) -> Avoiding:
    """The chance of failing is x."""
    return Avoiding(SPACE, lambda U: U[:, 0], limit, results)


def test_what_it_contains_samples_and_moves_to_is_likely_to_succeed() -> None:
    domain, rng = left(), np.random.default_rng(0)
    samples = domain.sample(50, rng)
    assert samples.shape == (50, SPACE.dim)
    assert samples[:, 0].max() <= 0.5
    assert domain.contains(samples).all()
    everywhere = SPACE.sample(100, rng)
    np.testing.assert_array_equal(domain.contains(everywhere), everywhere[:, 0] <= 0.5)
    assert len(domain.moves(samples[0])) == len(SPACE.moves(samples[0]))
    assert len(domain.moves(SPACE.sample(1, rng)[0] * 0 + 1.0)) == 0


def test_the_rest_is_the_domains() -> None:
    domain = left()
    assert (domain.dim, domain.n_params, domain.size) == (SPACE.dim, 3, SPACE.size)
    assert not domain.is_unconstrained
    np.testing.assert_array_equal(domain.free, SPACE.free)


def test_the_safest_result_is_always_inside() -> None:
    domain = left(limit=0.01)
    np.testing.assert_array_equal(domain.contains(RESULTS), [True, False])
    assert domain.contains(domain.sample(20, np.random.default_rng(0))).all()


def test_where_no_sample_is_found_there_are_results() -> None:
    corner = RESULTS.copy()
    corner[0, 0] = 0.0
    samples = left(limit=-1.0, results=corner).sample(20, np.random.default_rng(0))
    np.testing.assert_array_equal(samples, np.repeat(corner[:1], 20, axis=0))


def test_listing_leaves_out_what_fails() -> None:
    space = Space({"n": Int(0, 4), "m": Int(0, 4)})
    domain = Avoiding(space, lambda U: U[:, 0], 0.5, np.zeros((1, 2)))
    assert len(domain.enumerate(100)) == 15
    with pytest.raises(AttributeError):
        _ = domain.nothing
