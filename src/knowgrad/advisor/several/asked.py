"""What a question about several outcomes may say, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from knowgrad.checked import as_float
from knowgrad.errors import ArgumentError
from knowgrad.outcomes import Goals, Limit
from knowgrad.outcomes.limits import checked_limits
from knowgrad.text import shown

CHANCE = 0.95
REMEDIES = {  # what to do instead
    "shared": 'leave it out, or measure everything: without measure="auto"',
    "plan": "use gain(q) for what q more points are worth",
}


@dataclass(frozen=True)
class Wish:
    """Which of the good points is recommended."""

    chance: float = CHANCE
    """With which all limits are to hold."""
    weights: tuple[tuple[str, float], ...] = ()
    """What a unit of each objective is worth; none: the objectives are balanced."""
    at: tuple[Limit, ...] = ()
    """Further limits, on objectives: the best of the others under these."""


def checked_wish(goals: Goals, chance: object, weights: object, at: object) -> Wish:
    """What was asked for, or an ArgumentError that says what was expected."""
    names = [name for name, _ in goals.objectives]
    if (weights is not None or at is not None) and len(names) < 2:
        what = "at" if weights is None else "weights"
        raise ArgumentError(
            f"{what}: expected a study with several objectives, got one; leave it out, or make the study with "
            'objectives={"yield": "maximize", "price": "minimize"}'
        )
    if weights is not None and at is not None:
        raise ArgumentError("weights, at: expected one of the two, got both; leave one out")
    return Wish(checked_chance(goals, chance), _weights(names, weights), _at(names, at))


def checked_front(goals: Goals, chance: object) -> Wish:
    """A front needs several objectives."""
    if len(goals.objectives) < 2:
        got = "one" if goals else "a plain one"
        raise ArgumentError(f"front: expected a study with several objectives, got {got}; use recommend()")
    return Wish(checked_chance(goals, chance))


def checked_chance(goals: Goals, chance: object) -> float:
    """A probability; the usual one if none is given."""
    if chance is None:
        return CHANCE
    if not goals:
        raise ArgumentError('chance: expected a study with limits, got a plain one; make it with limits=["mass <= 3"]')
    number = as_float(chance)
    if number is None or not 0.0 < number < 1.0:
        raise ArgumentError(f"chance: expected a number between 0 and 1, got {shown(chance)}; pass 0.95, say")
    return number


def checked_outcome(goals: Goals, name: object) -> str:
    """The name of an outcome, or an ArgumentError."""
    if not goals:
        raise ArgumentError(f"outcome: expected a study with named outcomes, got a plain one; leave out {shown(name)}")
    if not isinstance(name, str) or name not in goals.names:
        raise ArgumentError(
            f"outcome: expected one of {shown(list(goals.names))}, got {shown(name)}; pass one of these"
        )
    return name


def refuse_beside_outcomes(**said: object) -> None:
    """What is not to be had together with limits or several objectives."""
    if named := [name for name, value in said.items() if value]:
        raise ArgumentError(
            f"{', '.join(named)}: expected a study of one objective without limits, got one with several outcomes; "
            + REMEDIES.get(named[0], "leave it out")
        )


def _weights(names: list[str], weights: object) -> tuple[tuple[str, float], ...]:
    if weights is None:
        return ()
    if not isinstance(weights, Mapping) or not weights or not set(weights) <= set(names):
        raise ArgumentError(
            f"weights: expected a number for each of the objectives {shown(names)}, got {shown(weights)}; pass "
            f"{{{names[0]!r}: 1, {names[1]!r}: 2}}, say"
        )
    found = {}
    for name in names:
        number = as_float(weights.get(name, 0.0))
        if number is None or not 0.0 <= number < inf:
            raise ArgumentError(
                f"weights: {name}: expected a finite number of at least 0, got {shown(weights[name])}; it says what a "
                f"unit of {name} is worth"
            )
        found[name] = number
    if not any(found.values()):
        raise ArgumentError(f"weights: expected one above 0, got {shown(weights)}; give an objective a weight")
    return tuple(found.items())


def _at(names: list[str], at: object) -> tuple[Limit, ...]:
    """From {"price": "<= 3"}, or texts such as "price <= 3"."""
    if at is None:
        return ()
    texts = [f"{name} {bound}" for name, bound in at.items()] if isinstance(at, Mapping) else at
    found = checked_limits(texts, "at")
    if not found or not {limit.outcome for limit in found} <= set(names):
        raise ArgumentError(
            f'at: expected bounds of the objectives {shown(names)}, got {shown(at)}; pass {{{names[0]!r}: "<= 3"}}, say'
        )
    return found
