"""The recorded states: what was tried, with which settings, and how many points are asked for next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import knowgrad as kg

Noise = str | float | Callable[[Mapping[str, Any]], float]


def tilted(params: Mapping[str, Any]) -> float:
    """A standard deviation that varies over the space."""
    return 0.1 + 0.1 * abs(next(iter(params.values())))


@dataclass(frozen=True)
class State:
    """A study after `n` results, of which the `near` share lies close to the best of the others."""

    name: str
    problem: str
    n: int
    q: int = 1
    method: str | object = "qkg"
    fit: str | None = None
    noise: Noise = "learned"
    direction: str = "minimize"
    sd: float = 0.0
    """Standard deviation of the noise that is added to the results."""
    ratio: float = 0.0
    """The same for noise that multiplies them."""
    sem: int = 0
    """Every such result (2: every second) comes with its standard error; 0: none."""
    near: float = 0.0
    repeats: int = 0
    """How many of the points are measured a second time."""
    failed: int = 0
    expired: int = 0
    pending: int = 0
    queued: int = 0
    last: bool = False


def _each_method() -> list[State]:
    """Every method on noisy results, on exact ones, and among choices with failures; batches of 2, 1 or 4, and 1."""
    states = []
    for i, name in enumerate(kg.methods.METHODS):
        q = 4 if i % 2 else 1
        states += [
            State(f"{name} noisy", "branin", 12, 2, name, sd=10.0, pending=i % 2),
            State(f"{name} exact", "ripples4", 20, q, name, noise=0.0, near=0.3),
            State(f"{name} among choices", "tuning", 12, 1, name, sd=0.1, failed=2, direction="maximize"),
        ]
    return states


QKG = [
    # noise
    State("learned noise", "hartmann6", 74, 4, sd=0.2, near=0.4),
    State("learned noise of exact results", "hartmann6", 40, 4, near=0.5),
    State("known noise", "rosenbrock3", 24, 4, noise=50.0, sd=50.0),
    State("no noise, near the optimum", "branin", 40, 4, noise=0.0, near=0.6),
    State("no noise, a point at a time", "hartmann6", 30, noise=0.0, near=0.5),
    State("noise as a function", "bowl", 16, 2, noise=tilted, sd=0.15),
    State("noise as a function, choices", "tuning", 16, 2, noise=lambda p: 0.1 + p["dropout"], sd=0.2),
    State("standard errors", "ripples4", 20, 2, sd=0.2, sem=1),
    State("standard errors of some", "ackley5", 24, 2, sd=0.3, sem=2),
    State("standard errors beside known noise", "bowl", 14, 4, noise=0.1, sd=0.1, sem=3),
    State("repeated points", "bowl", 24, 2, sd=0.2, repeats=10),
    State("noise in ratios", "orders", 30, 2, ratio=0.3),
    # shapes of results
    State("over orders of magnitude", "rosenbrock3", 30, 2, noise=0.0, near=0.3),
    State("kinks", "kinked", 30, 2, near=0.4),
    State("penalties", "cliff", 20, 2),
    State("one parameter", "forrester", 6, 2),
    State("one parameter, many results", "forrester", 40, 4, sd=1.0),
    State("seven parameters", "ripples7", 40, 4, sd=0.1),
    State("more results than most of the fit takes in", "bowl", 560, sd=0.1),
    State("eight parameters", "ripples8", 80, 4, sd=0.2, near=0.3),
    # the start
    State("two results", "forrester", 2),
    State("the start and the model in one batch", "forrester", 2, 4),
    State("three results of three parameters", "rosenbrock3", 3, 2),
    State("the end of the start", "branin", 5, 2, noise=0.0),
    State("a start in a part of the box", "half", 3, 4),
    State("a start with choices", "tuning", 4, 4),
    State("nothing but failures", "bowl", 0, 2, failed=6),
    # pending, failed, queued
    State("pending", "ackley5", 20, 2, sd=0.2, pending=3),
    State("many pending", "bowl", 16, 2, sd=0.1, pending=8),
    State("pending, exact", "branin", 20, 4, noise=0.0, pending=2, near=0.4),
    State("failures", "bowl", 16, 4, failed=4),
    State("failures, noisy, pending", "branin", 20, 2, sd=10.0, failed=6, pending=2),
    State("failures among choices", "tuning", 16, 2, sd=0.1, failed=4),
    State("expired", "bowl", 12, 2, sd=0.1, expired=2),
    State("queued first", "branin", 12, 4, sd=5.0, queued=2),
    # parts of the box
    State("linear constraints", "half", 14, 4, sd=0.05),
    State("linear constraints, exact", "half", 14, 2, noise=0.0, near=0.3),
    State("a feasible function", "disc", 14, 4, sd=0.05),
    State("constraints and a function", "both", 16, 2, noise=0.0),
    State("a mixture with a count", "mixture", 16, 2, sd=0.02, failed=3),
    # integers, steps, logarithms, choices
    State("integers and steps", "counts", 16, 4, sd=0.1),
    State("integers and steps, exact", "counts", 24, 2, noise=0.0, near=0.5),
    State("choices and logarithms", "tuning", 20, 4, sd=0.1),
    State("choices and logarithms, exact, pending", "tuning", 30, 2, noise=0.0, near=0.5, pending=2),
    State("a small table", "table", 20, 4, sd=0.05),
    State("a small table, exact", "table", 30, 4, noise=0.0),
    State("options of several types", "kinds", 16, 2),
    # direction, last batches, fits, options
    State("maximise", "hartmann6", 24, 4, direction="maximize", sd=0.1),
    State("maximise, exact, failures", "bowl", 16, 2, direction="maximize", noise=0.0, failed=2),
    State("maximise choices", "tuning", 16, 2, direction="maximize", sd=0.1, pending=1),
    State("the last batch", "hartmann6", 40, 4, sd=0.1, near=0.4, last=True),
    State("the last batch, exact", "branin", 30, 4, noise=0.0, near=0.5, last=True),
    State("the last batch among choices", "tuning", 20, 2, sd=0.1, last=True),
    State("maximum likelihood", "ackley5", 30, 4, fit="mle", sd=0.3),
    State("maximum likelihood, exact", "bowl", 16, 2, fit="mle", noise=0.0),
    State("averaged", "branin", 14, 2, fit="bayes", sd=10.0),
    State("averaged, exact, pending", "bowl", 14, fit="bayes", noise=0.0, pending=1),
    State("averaged, choices", "kinds", 12, 2, fit="bayes", sd=0.05),
    State("averaged, improvement", "rosenbrock3", 12, 2, "qlogei", fit="bayes", sd=20.0),
    State("fewer samples", "ackley5", 24, 4, kg.methods.QKG(samples=16, paths=16, size=16, rounds=1), sd=0.3),
    State("a constant lie", "bowl", 16, 4, kg.methods.ConstantLiar("max"), sd=0.1),
]

STATES = {state.name: state for state in [*_each_method(), *QKG]}

EXCEPTIONS: dict[str, str] = {}
"""States whose batch may differ from the record, and why: there the worth of the batch is compared, to 0.1 %."""
