"""Logistic regression on MNIST: four hyperparameters of mini-batch SGD, and the test error they lead to.

The loss is the mean cross-entropy plus l2/2 · ‖W‖²; the bias is not penalized; weights start at zero. Images are
shuffled once per seed and passed through in that order, so a step reads a block of memory and copies nothing. Where
there is a C compiler, `sgd` takes the steps faster.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.problems import sgd
from benchmarks.problems.images import mnist
from benchmarks.problems.task import Parameter, Params

Array = NDArray[np.float32]

PARAMETERS = (
    Parameter("batch_size", 10, 2000, integer=True),
    Parameter("iterations", 100, 10_000, integer=True),
    Parameter("l2", 0.0, 1.0),
    Parameter("learning_rate", 0.0, 1.0),
)
TESTED = 1000  # images a noisy evaluation looks at


class LogisticRegression:
    """`noisy`: the error on 1,000 random test images is observed; the true value is that on all of them."""

    parameters = PARAMETERS
    optimum: float | None = None

    def __init__(self, data: Path | None, noisy: bool, seed: int) -> None:
        self._data, self.noisy, self._seed = data, noisy, seed

    def evaluate(self, params: Params, k: int) -> tuple[float, float]:
        wrong = self._mistakes(params)
        true = float(wrong.mean())
        if not self.noisy:
            return true, true
        drawn = np.random.default_rng([self._seed, 1, k]).choice(len(wrong), min(TESTED, len(wrong)), replace=False)
        return float(wrong[drawn].mean()), true

    def truth(self, params: Params) -> float:
        return float(self._mistakes(params).mean())

    @cached_property
    def _images(self) -> tuple[Array, Array, Array, NDArray[np.uint8]]:
        """Training images (n, pixels + 1) and one-hot labels (10, n) in this seed's order, test images and labels."""
        train, labels, test, test_labels = mnist(self._data)
        inked = train.any(axis=0)  # a pixel that is never inked keeps its zero weight: leaving it out is exact
        order = np.random.default_rng([self._seed, 2]).permutation(len(train))
        onehot = (labels[order] == np.arange(10)[:, None]).astype(np.float32)
        return _scaled(train[order][:, inked]), onehot, _scaled(test[:, inked]), test_labels

    @cached_property
    def _inked(self) -> sgd.Inked:
        X, Y, _, _ = self._images
        return sgd.Inked.of(X, np.argmax(Y, axis=0))

    def _mistakes(self, params: Params) -> NDArray[np.bool_]:
        X, Y, test, labels = self._images
        steps = (params["batch_size"], params["iterations"], params["l2"], params["learning_rate"])
        W = train(X, Y, *steps) if sgd.library() is None else sgd.train(self._inked, *steps)
        return np.asarray(np.argmax(test @ W.T, axis=1) != labels)


def train(X: Array, Y: Array, batch_size: int, iterations: int, l2: float, learning_rate: float) -> Array:
    """Weights `(classes, pixels + 1)` after so many steps of mini-batch SGD; the last column is the bias."""
    W = np.zeros((len(Y), X.shape[1]), dtype=np.float32)
    keep = np.full(X.shape[1], 1 - learning_rate * l2, dtype=np.float32)
    keep[-1] = 1
    rate = np.float32(learning_rate / batch_size)
    first = 0
    for _ in range(iterations):
        if first + batch_size > len(X):
            first = 0
        rows = slice(first, first + batch_size)
        P = W @ X[rows].T
        P -= P.max(axis=0)
        np.exp(P, out=P)
        P /= P.sum(axis=0)
        P -= Y[:, rows]
        P *= rate
        W *= keep
        W -= P @ X[rows]
        first += batch_size
    return W


def _scaled(images: NDArray[np.uint8]) -> Array:
    """Pixels from 0 to 1, and a last column of ones."""
    rows = np.ones((len(images), images.shape[1] + 1), dtype=np.float32)
    np.divide(images, np.float32(255), out=rows[:, :-1])
    return rows


def make(problem: str, noise: float, seed: int, data: Path | None, scale: str) -> LogisticRegression:
    return LogisticRegression(data, noise > 0, seed)
