"""Twelve textbook functions, on which one choice in this package was made: the noise lower bound of q-KG.

They are as in the literature, on its usual domains, but for those whose minimum would lie in the centre: these are
shifted. Whoever changes the package after looking at them takes others for the next look.
"""

from __future__ import annotations

import numpy as np

from benchmarks.problems.functions import Array, Problem, stretched

_SHEKEL = np.array([[4, 1, 8, 6, 3, 2, 5, 8, 6, 7], [4, 1, 8, 6, 7, 9, 3, 1, 2, 3.6]] * 2)
_WIDTH = np.array([1, 2, 2, 4, 4, 6, 3, 7, 5, 5]) / 10


def _goldstein(X: Array) -> Array:
    x, y = X.T
    left = 1 + (x + y + 1) ** 2 * (19 - 14 * x + 3 * x**2 - 14 * y + 6 * x * y + 3 * y**2)
    right = 30 + (2 * x - 3 * y) ** 2 * (18 - 32 * x + 12 * x**2 + 48 * y - 36 * x * y + 27 * y**2)
    return np.asarray(left * right)


def _beale(X: Array) -> Array:
    x, y = X.T
    return np.asarray((1.5 - x + x * y) ** 2 + (2.25 - x + x * y**2) ** 2 + (2.625 - x + x * y**3) ** 2)


def _zakharov(X: Array) -> Array:
    tilt = X @ np.arange(1, X.shape[1] + 1) / 2
    return np.asarray((X**2).sum(axis=1) + tilt**2 + tilt**4)


def _dixon(X: Array) -> Array:
    i = np.arange(2, X.shape[1] + 1)
    return np.asarray((X[:, 0] - 1) ** 2 + (i * (2 * X[:, 1:] ** 2 - X[:, :-1]) ** 2).sum(axis=1))


def _shekel(X: Array) -> Array:
    return np.asarray(-(1 / (((X[:, :, None] - _SHEKEL) ** 2).sum(axis=1) + _WIDTH)).sum(axis=1))


def _michalewicz(X: Array) -> Array:
    i = np.arange(1, X.shape[1] + 1)
    return np.asarray(-(np.sin(X) * np.sin(i * X**2 / np.pi) ** 20).sum(axis=1))


def _powell(X: Array) -> Array:
    a, b, c, d = X.T
    return np.asarray((a + 10 * b) ** 2 + 5 * (c - d) ** 2 + (b - 2 * c) ** 4 + 10 * (a - d) ** 4)


def _colville(X: Array) -> Array:
    a, b, c, d = X.T
    valleys = 100 * (a**2 - b) ** 2 + (a - 1) ** 2 + (c - 1) ** 2 + 90 * (c**2 - d) ** 2
    return np.asarray(valleys + 10.1 * ((b - 1) ** 2 + (d - 1) ** 2) + 19.8 * (b - 1) * (d - 1))


def _salomon(X: Array) -> Array:
    r = np.linalg.norm(X - 1.3, axis=1)
    return np.asarray(1 - np.cos(np.pi * r / 2) + r / 10)


def _alpine(X: Array) -> Array:
    return np.asarray(np.abs((X - 1) * np.sin(X - 1) + (X - 1) / 10).sum(axis=1))


def _trid(X: Array) -> Array:
    return np.asarray(((X - 1) ** 2).sum(axis=1) - (X[:, 1:] * X[:, :-1]).sum(axis=1))


def _griewank(X: Array) -> Array:
    waves = np.cos((X - 1.7) / np.sqrt(np.arange(1, X.shape[1] + 1))).prod(axis=1)
    return np.asarray(1 + ((X - 1.7) ** 2).sum(axis=1) / 40 - waves)


TEXTBOOK = {
    problem.name: problem
    for problem in (
        Problem("goldstein2", 2, stretched(-2, 2, _goldstein), 3.0),
        Problem("beale2", 2, stretched(-4.5, 4.5, _beale), 0.0),
        Problem("salomon3", 3, stretched(-5, 5, _salomon), 0.0),
        Problem("zakharov4", 4, stretched(-5, 10, _zakharov), 0.0),
        Problem("shekel4", 4, stretched(0, 10, _shekel), -10.536443153483528),
        Problem("powell4", 4, stretched(-4, 5, _powell), 0.0),
        Problem("colville4", 4, stretched(-10, 10, _colville), 0.0),
        Problem("griewank4", 4, stretched(-5, 5, _griewank), 0.0),
        Problem("michalewicz5", 5, stretched(0, np.pi, _michalewicz), -4.687658179088148),
        Problem("alpine5", 5, stretched(-5, 5, _alpine), 0.0),
        Problem("dixon6", 6, stretched(-10, 10, _dixon), 0.0),
        Problem("trid6", 6, stretched(-36, 36, _trid), -50.0),
    )
}
