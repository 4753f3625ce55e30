"""Options with effects of their own: a kernel, its sample paths, and what an option is expected to do elsewhere."""

import numpy as np

from knowgrad.gp.kernel import Effects, base_of, matern52, with_effects
from knowgrad.gp.paths import Paths
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Choice, Source, Space
from tests.numeric import check_gradient

SPACE = Space({"x": (0.0, 1.0), "a": Choice(["p", "q", "r"]), "b": Choice([True, False]), "by": ["only"]})
ELL = np.array([0.4, *[1.5] * 3, *[0.8] * 2, 1.0])
KERNEL = with_effects(matern52, SPACE.choices, 4)
U = SPACE.sample(40, np.random.default_rng(0))


def test_it_is_the_share_of_each_choice_that_two_points_agree_in() -> None:
    k, kappa = KERNEL(U, U, ELL)
    plain, slope = matern52(U, U, ELL)
    params = [SPACE.decode(u) for u in U]
    same = np.array([[sum(v[name] == w[name] for name in ("a", "b")) for w in params] for v in params])
    np.testing.assert_allclose(k, 0.6 * plain + 0.2 * same, atol=1e-14)
    np.testing.assert_allclose(kappa, 0.6 * slope, atol=1e-14)
    np.testing.assert_allclose(np.diagonal(k), 1.0)
    assert np.linalg.eigvalsh(k).min() > -1e-12


def test_rows_may_be_stacked() -> None:
    whole = KERNEL(U, U[:7], ELL)[0]
    np.testing.assert_allclose(KERNEL(U.reshape(8, 5, -1), U[:7], ELL)[0].reshape(40, 7), whole, atol=1e-14)


def test_without_choices_the_kernel_is_itself() -> None:
    space = Space({"x": (0.0, 1.0), "by": Source(["model", "lab"], target="lab")})
    assert space.choices == ()
    assert with_effects(matern52, space.choices, 2) is matern52
    assert base_of(KERNEL) is matern52
    assert isinstance(KERNEL, Effects)


def test_a_choice_that_does_not_exist_has_a_correlation_of_one_with_itself() -> None:
    space = Space({"on": [True, False], "a": Choice(["p", "q", "r"], when={"on": [True]})})
    V = space.sample(20, np.random.default_rng(1))
    k = with_effects(matern52, space.choices, 3)(V, V, np.ones(space.dim))[0]
    np.testing.assert_allclose(np.diagonal(k), 1.0)
    assert np.linalg.eigvalsh(k).min() > -1e-12


def posterior() -> Posterior:
    y = np.random.default_rng(2).standard_normal(12)
    return Posterior.build(U[:12], y, np.full(12, 0.1), ELL, 1.3, kernel=KERNEL)


def test_paths_have_the_posteriors_mean_and_covariance() -> None:
    post, rng, V = posterior(), np.random.default_rng(0), U[20:26]
    draws = np.vstack([Paths.draw(post, 200, rng).values(V) for _ in range(60)])
    se = np.sqrt(post.var(V) / len(draws))
    assert np.all(np.abs(draws.mean(axis=0) - post.mean(V)) < 5 * se + 0.01)
    np.testing.assert_allclose(np.cov(draws.T), post.cov(V, V), atol=0.05 * post.var(V).max() + 0.005)


def test_single_paths_agree_with_all_and_have_their_gradient_where_it_may_move() -> None:
    rng, V, rows = np.random.default_rng(0), U[20:25], np.array([6, 0, 3, 3, 1])
    paths = Paths.draw(posterior(), 7, rng)
    value, gradient = paths.value_and_gradient(V, rows)
    np.testing.assert_allclose(value, paths.values(V)[rows, np.arange(5)], rtol=1e-10)

    def along(x: np.ndarray) -> float:
        return float(paths.value_and_gradient(np.hstack([x, V[:, 1:]]), rows)[0].sum())

    check_gradient(along, gradient[:, :1], V[:, :1], h=1e-3)


def test_what_an_option_shows_is_expected_of_it_elsewhere() -> None:
    """Two length scales away the Matérn kernel alone has forgotten it."""
    good, bad, other = (SPACE.encode({"x": x, "a": a, "b": b, "by": "only"}) for x, a, b in (
        (0.0, "p", True), (0.0, "q", True), (1.0, "p", False)
    ))  # fmt: skip
    across = SPACE.encode({"x": 1.0, "a": "q", "b": False, "by": "only"})
    X, y, none = np.array([good, bad]), np.array([-1.0, 1.0]), np.full(2, 1e-6)
    ell = np.array([0.2, *[1.5] * 3, *[0.2] * 2, 1.0])
    ahead = [
        np.diff(Posterior.build(X, y, none, ell, 1.0, kernel=kernel).mean(np.array([other, across])))[0]
        for kernel in (matern52, KERNEL)
    ]
    assert abs(ahead[0]) < 0.01
    assert ahead[1] > 0.3
