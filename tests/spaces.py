"""Mixture spaces at random, for tests of what has to hold in all of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

import knowgrad as kg
from knowgrad.errors import EmptyDomainError


def mixture_space(rng: np.random.Generator) -> kg.Space:
    """Two to seven components, with or without steps, a limit on their number, bounds, and other parameters."""
    while True:
        try:
            return _space(rng)
        except EmptyDomainError:
            continue  # bounds that no amounts keep to


def _space(rng: np.random.Generator) -> kg.Space:
    k = int(rng.integers(2, 8))
    names = [f"x{i}" for i in range(k)]
    total, parts = float(rng.choice([1.0, 100.0, 0.3, 7.0])), int(rng.choice([4, 10, 20, 50]))
    stepped, few = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
    step = total / parts if stepped else None
    at_most = int(rng.integers(1, k + 1)) if few else None
    mixture = kg.Mixture(names, total=total, at_most=at_most, step=step)
    params: dict[str, Any] = {}
    for name in names:
        low, high = sorted(rng.integers(0, parts + 1, size=2).tolist())
        if rng.random() < 0.4 and low < high:
            start = 0 if few else low / k
            start = math.floor(start) if stepped else start
            params[name] = kg.Float(start * total / parts, high * total / parts, step=step)
    if rng.random() < 0.5:
        params |= {"temperature": (20.0, 80.0), "binder": ["a", "b", "c"], "passes": (1, 4)}
    constraints = [mixture]
    if rng.random() < 0.3:
        constraints.append(f"{names[0]} <= {names[1]} + {total / 2}")
    return kg.Space(dict(sorted(params.items(), key=lambda _: rng.random())), constraints=constraints)


def has_amounts(space: kg.Space) -> bool:
    """Are there amounts that keep to the mixture and to the constraint of `mixture_space`? By integer programming."""
    mixture, *others = space.constraints
    k, unit = len(mixture.names), mixture.step or mixture.total
    kinds = [space.parameters[name] for name in mixture.names]
    low, high = (np.array([getattr(p, end) for p in kinds]) / unit for end in ("low", "high"))
    total = mixture.total / unit
    rules = [
        LinearConstraint(np.append(np.ones(k), np.zeros(k)), total - 1e-9, total + 1e-9),
        LinearConstraint(np.hstack([np.eye(k), -np.diag(high)]), -np.inf, 1e-9),  # an amount, if it is there
        LinearConstraint(np.append(np.zeros(k), np.ones(k)), 0, mixture.at_most or k),
    ]
    if others:
        rules.append(LinearConstraint(np.concatenate([[1.0, -1.0], np.zeros(2 * k - 2)]), -np.inf, total / 2 + 1e-9))
    whole = np.append(np.full(k, mixture.step is not None), np.ones(k, dtype=bool))
    bounds = Bounds(np.append(low, np.zeros(k)), np.append(high, np.ones(k)))
    found = milp(np.zeros(2 * k), constraints=rules, bounds=bounds, integrality=whole.astype(int))
    return bool(found.success)
