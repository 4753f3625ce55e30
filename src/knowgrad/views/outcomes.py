"""Named outcomes: results against each other, the front, where the limits hold, and which of them bind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from knowgrad.acquisition.criteria.hypervolume import nondominated
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.errors import ArgumentError
from knowgrad.trial import FrontPoint, Settings, Trial, sign_of
from knowgrad.views.axis import Axis, axis_of, number
from knowgrad.views.slices import gaps, known, line

SHOWN = 1_000  # results that are drawn: the latest


@dataclass(frozen=True, slots=True)
class Results:
    """Completed trials that have all outcomes that are shown: one row each."""

    names: tuple[str, ...]
    directions: tuple[str, ...]
    """minimize, maximize, or nothing for an outcome that only has limits."""
    trial: tuple[int, ...]
    values: tuple[tuple[float, ...], ...]
    holds: tuple[bool | None, ...]
    """Do its measured outcomes hold all limits? None if some were not measured."""
    bounds: Mapping[str, tuple[float, ...]]
    """Of each outcome the bounds of its limits."""


@dataclass(frozen=True, slots=True)
class Fronts:
    """Results of two objectives, the front of what is expected, and the recommendation."""

    results: Results
    points: tuple[FrontPoint, ...]
    recommended: Mapping[str, tuple[float, float]]
    hypervolume: float | None
    given: Mapping[str, Any]
    """Values that all points of the front have."""


@dataclass(frozen=True, slots=True)
class Chances:
    """The chance that the limits hold along a parameter, the others as recommended; None where there is no point."""

    axis: Axis
    x: tuple[float, ...]
    joint: tuple[float | None, ...]
    each: Mapping[str, tuple[float | None, ...]]
    """Of each limit alone, by its text."""
    at: float
    """Where the recommendation lies."""


@dataclass(frozen=True, slots=True)
class Room:
    """How much room a limit has at the recommendation: it binds if there is little."""

    limit: str
    mean: float
    sd: float
    bound: float
    share: float
    """From the mean to the bound, in spreads (standard deviations) of all results; negative if it is beyond."""
    chance: float
    broken: float
    """Share of the results that break it."""


def results(snapshot: Snapshot, *names: str) -> Results:
    """Of all outcomes, or of these."""
    settings = named(snapshot, *names)
    shown = names or settings.outcomes
    done = [trial for trial in snapshot.trials if all(name in trial.outcomes for name in shown)][-SHOWN:]
    bounds = {name: tuple(each.bound for each in settings.limits if each.outcome == name) for name in shown}
    return Results(
        shown,
        tuple(dict(settings.objectives).get(name, "") for name in shown),
        tuple(trial.number for trial in done),
        tuple(tuple(trial.outcomes[name].value for name in shown) for trial in done),
        tuple(_holds(trial, snapshot) for trial in done),
        bounds,
    )


def front(snapshot: Snapshot, chance: float | None = None, given: Mapping[str, Any] | None = None) -> Fronts:
    """The front of the objectives, in a context if one is given; see `Study.front`. The results are those of all.

    Exact results that are expected to be beaten are among the results, not on the front: it is drawn as a line.
    """
    found = snapshot.front(chance, given)
    objectives = [name for name, _ in found.objectives]
    best = snapshot.recommend(given, chance=chance)
    turned = [[sign_of(way) * point.means[name] for name, way in found.objectives] for point in found]
    expected = tuple(point for point, kept in zip(found, nondominated(np.array(turned)), strict=True) if kept)
    return Fronts(results(snapshot, *objectives), expected, best.outcomes, found.hypervolume, dict(given or {}))


def chances(snapshot: Snapshot, name: str) -> Chances:
    """Along one parameter, through the recommendation."""
    settings = named(snapshot)
    known(snapshot, name)
    if not settings.limits:
        raise ArgumentError('chance: expected a study with limits, got one without; make it with limits=["mass <= 3"]')
    place = snapshot.place
    part = snapshot.outcome(settings.outcomes[0])
    x, U, inside = line(part, name, at=place)
    found = snapshot.expect(U)
    each = {str(limit): gaps(snapshot.chance(U, limit), inside) for limit in settings.limits}
    joint = found.chance if found.chance is not None else np.ones(len(U))
    space = snapshot.space
    at = number(space, name, place[name]) if name in place else float("nan")
    return Chances(axis_of(space, name), tuple(x.tolist()), gaps(joint, inside), each, at)


def rooms(snapshot: Snapshot) -> tuple[Room, ...]:
    """Of every limit, the one with the least room first."""
    settings, found = named(snapshot), snapshot.recommendation
    made = []
    for limit in settings.limits:
        mean, sd = found.outcomes[limit.outcome]
        told = [trial.outcomes[limit.outcome].value for trial in snapshot.trials if limit.outcome in trial.outcomes]
        broken = float(np.mean([not limit.holds(value) for value in told])) if told else 0.0
        share = limit.sign * (limit.bound - mean) / snapshot.outcome(limit.outcome).spread
        made.append(Room(str(limit), mean, sd, limit.bound, share, found.chances[str(limit)], broken))
    return tuple(sorted(made, key=lambda each: each.share))


def named(snapshot: Snapshot, *names: str) -> Settings:
    """The settings of a study with named outcomes that has these; ArgumentError for others."""
    have = snapshot.settings.outcomes
    if not have or not set(names) <= set(have):
        what = ", ".join(map(repr, have)) if have else "a study with named outcomes (objectives=, limits=)"
        raise ArgumentError(
            f"outcomes: expected {what}, got {', '.join(map(repr, names)) or 'a plain one'}; pass one of these"
        )
    return snapshot.settings


def _holds(trial: Trial, snapshot: Snapshot) -> bool | None:
    limits = snapshot.settings.limits
    if any(limit.outcome not in trial.outcomes for limit in limits):
        return None
    return all(limit.holds(trial.outcomes[limit.outcome].value) for limit in limits)
