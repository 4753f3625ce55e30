"""What differs between two answers of a study, in words; nothing, if they are the same or worth the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import knowgrad as kg
from tests.recorded.problems import Problem
from tests.recorded.replay import Answers

SAME = 1e-9  # relative
ROUNDING = 1e-12  # of numbers that are about zero: params as they are, values relative to the spread of the results
NOTHING = 1e-8  # a gain of less, relative to the spread of the results, is one of rounding errors


@dataclass(frozen=True)
class Closeness:
    """How near answers have to be that are not the same, but worth the same."""

    mean: float
    """Of the recommendation, relative to the spread of the results."""
    gain: float
    """Relative."""
    errors: float
    """Standard errors that are added to that."""
    step: float
    """Between points that were chosen without saying what they are worth, in shares of a parameter's range."""


def different(found: Answers, recorded: Answers, spread: float) -> list[str]:
    """Numbers that differ by more than 1e-9 relative, and anything else that differs at all."""
    points = {"batch", "sources"}
    return [
        f"{key}: {problem}"
        for key in sorted(found.keys() | recorded.keys())
        for problem in _unlike(found.get(key), recorded.get(key), ROUNDING * (1.0 if key in points else spread))
    ]


def worth_less_or_more(
    found: Answers, recorded: Answers, spread: float, problem: Problem, close: Closeness
) -> Iterator[str]:
    """Recommendations and gains that are not close; points that are not, where no gain says what they are worth."""
    if found.keys() != recorded.keys() or found["sources"] != recorded["sources"]:
        yield f"answers {sorted(found)} from {found['sources']}, not {sorted(recorded)} from {recorded['sources']}"
        return
    if "recommend" in recorded:
        mean, was = found["recommend"]["mean"], recorded["recommend"]["mean"]
        if abs(mean - was) > close.mean * spread:
            yield f"a recommended mean of {mean!r}, not {was!r}, with a spread of {spread:.3g}"
    for key in {"gain", "last_gain"} & recorded.keys():
        gain, (was, sem) = found[key][0], recorded[key]
        if abs(gain - was) > close.gain * was + close.errors * sem + NOTHING * spread:
            yield f"a {key} of {gain!r}, not {was!r} ± {sem:.2g}"
    if "last_gain" not in recorded:
        for point, before in zip(found["batch"], recorded["batch"], strict=True):
            if _step(problem, point, before) > close.step:
                yield f"the point {point}, not {before}"


def _unlike(found: Any, recorded: Any, about_zero: float) -> Iterator[str]:
    """Answers are nested as JSON is."""
    if isinstance(recorded, dict) and isinstance(found, dict) and found.keys() == recorded.keys():
        for key in recorded:
            yield from _unlike(found[key], recorded[key], about_zero)
    elif isinstance(recorded, list) and isinstance(found, list) and len(found) == len(recorded):
        for one, other in zip(found, recorded, strict=True):
            yield from _unlike(one, other, about_zero)
    elif isinstance(recorded, float) and isinstance(found, float):
        if not math.isclose(found, recorded, rel_tol=SAME, abs_tol=about_zero):
            yield f"{found!r}, not {recorded!r}"
    elif type(found) is not type(recorded) or found != recorded:
        yield f"{found!r}, not {recorded!r}"


def _step(problem: Problem, one: dict[str, Any], other: dict[str, Any]) -> float:
    """The largest difference in any parameter, in shares of its range; 1 between two options of a choice."""
    steps = []
    for name, parameter in problem.parameters.items():
        a, b = one[name], other[name]
        if isinstance(parameter, kg.Choice):
            steps.append(float(a != b))
        elif parameter.log:
            steps.append(abs(math.log(a / b)) / math.log(parameter.high / parameter.low))
        else:
            steps.append(abs(a - b) / (parameter.high - parameter.low))
    return max(steps)
