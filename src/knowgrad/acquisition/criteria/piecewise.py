"""E[min_i (a_i + b_i ζ)] for ζ ~ N(0, 1), exactly, with its gradient (Frazier, Powell & Dayanik, 2009).

The minimum of lines is concave and piecewise linear: walk along it from ζ = −∞ (steepest line) to +∞, at each step to
the line that crosses the current one first. The walk is done for S sets of lines at once; it takes as many steps as
the longest envelope has pieces.

    symbol   name      shape   meaning
    a, b     a, b      (S, n)  heights at ζ = 0 and slopes
    c        left      (S,)    where the current piece begins
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from knowgrad.gp.linalg import Array


def expected_minimum(a: Array, b: Array) -> tuple[Array, Array, Array]:
    """Value (S,), ∂/∂a and ∂/∂b (S, n): the chance that a line is lowest, and E[ζ; it is lowest]."""
    S, _ = a.shape
    rows = np.arange(S)
    share, slope = np.zeros_like(a), np.zeros_like(b)
    # At −∞ the largest slope is lowest; among equal slopes, the smaller height.
    steepest = b == b.max(axis=1, keepdims=True)
    current = np.argmin(np.where(steepest, a, np.inf), axis=1)
    left = np.full(S, -np.inf)
    while True:
        drop = b[rows, current, None] - b  # > 0 for the lines that can still take over
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            cross = np.where(drop > 0.0, (a - a[rows, current, None]) / drop, np.inf)
        cross = np.maximum(cross, left[:, None])
        right = cross.min(axis=1)
        share[rows, current] += ndtr(right) - ndtr(left)
        slope[rows, current] += _phi(left) - _phi(right)
        if np.all(np.isinf(right)):
            break
        # Of the lines that cross at the same place the flattest lies below the others afterwards.
        first = cross == right[:, None]
        following = np.argmin(np.where(first & (drop > 0.0), b, np.inf), axis=1)
        current = np.where(np.isinf(right), current, following)
        left = np.where(np.isinf(right), np.inf, right)
    value = np.einsum("sn,sn->s", share, a) + np.einsum("sn,sn->s", slope, b)
    return value, share, slope


def _phi(x: Array) -> Array:
    return np.asarray(np.exp(-0.5 * np.clip(x, -50.0, 50.0) ** 2) / np.sqrt(2.0 * np.pi))
