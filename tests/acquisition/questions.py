"""Questions for tests of methods, on smooth posteriors and on finite spaces whose points can be listed."""

import numpy as np

from knowgrad.acquisition.problem import Question
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Float, Int, Space
from tests.acquisition.domains import CUBE
from tests.numeric import smooth_posterior

# Small enough for every argmax to be taken over a list.
LINE = Space({"x": Int(0, 40)})
SQUARE = Space({"x": Int(0, 8), "y": Float(0.0, 1.0, step=0.125)})


def question(q: int, *, pending=None, domain: Space = CUBE, posteriors: int = 1, noise: float = 0.05) -> Question:
    """q points on the cube given 20 observations, under posteriors of different noise."""
    model = [smooth_posterior(noise=noise * (k + 1)) for k in range(posteriors)]
    none = np.empty((0, domain.dim))
    return Question(model, [post.constant_noise for post in model], domain, none if pending is None else pending, q)


def listed_question(
    space: Space, q: int, *, posteriors: int = 1, noise: float = 0.05, pending: int = 0, seed: int = 0
) -> tuple[Question, np.ndarray]:
    """A question on a finite space, and all its points."""
    rng = np.random.default_rng(seed)
    points = space.enumerate(10_000)
    X = points[rng.choice(len(points), 6, replace=False)]
    y = np.sin(7 * X @ np.arange(1, space.dim + 1)) + X[:, 0]
    y = (y - y.mean()) / y.std()
    ells = (0.25, 0.4, 0.15)[:posteriors]
    model = [Posterior.build(X, y, np.full(6, noise), np.full(space.dim, ell), 1.2, noise=noise) for ell in ells]
    running = points[rng.choice(len(points), pending, replace=False)]
    return Question(model, [post.constant_noise for post in model], space, running, q), points


def refitted(post: Posterior, U: np.ndarray, y: np.ndarray, noise: float | None = None) -> Posterior:
    """The posterior from scratch, with results y at U among its data; `noise` of them in units of s²."""
    X, values = np.vstack([post.X, U]), np.append(post.y, y)
    sigma2 = np.append(post.sigma2, np.full(len(U), post.noise if noise is None else noise * post.s2))
    return Posterior.build(X, values, sigma2, post.ell, post.s2, post.m, post.noise)


def moments(post: Posterior, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation at each point."""
    return post.mean(points), np.sqrt(post.var(points))
