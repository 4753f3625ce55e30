"""What a user may say about a study, checked before anything is made of it."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np

from knowgrad.acquisition.methods import METHODS
from knowgrad.advisor.asked import Over, can, check_target
from knowgrad.checked import LONGEST, is_line, spread
from knowgrad.errors import ArgumentError
from knowgrad.outcomes import PLAIN, Goals
from knowgrad.text import shown
from knowgrad.trial import Cost, Noise, Settings

DIRECTIONS = ("minimize", "maximize")
FITS = ("map", "mle", "bayes")
UNNAMED = "study"
MOST = 3  # objectives that pull apart


def checked_settings(
    seed: object,
    direction: object,
    noise: object,
    method: object,
    fit: object,
    over: Over = (),
    goals: Goals = PLAIN,
    cost: object = None,
) -> Settings:
    """The settings these options make, or an ArgumentError that says what was expected."""
    check_target(_method(method), over)
    how = _method(method), _fit(fit), over, _cost(cost, method)
    if not goals:
        return Settings(_seed(seed), _direction(direction), _noise(noise), *how)
    _check_several(goals, method, over)
    first = goals.objectives[0][1]
    if _direction(direction) != "minimize" and any(each != direction for _, each in goals.objectives):
        raise ArgumentError(
            f"direction: expected it with each of the objectives, got {direction!r} beside them; leave it out"
        )
    shared, noises = _noises(noise, goals.names)
    plain = Settings(_seed(seed), first, shared, *how)
    return replace(plain, objectives=goals.objectives, limits=goals.limits, costs=goals.costs, noises=noises)


def _check_several(goals: Goals, method: object, over: Over) -> None:
    """What goes together with limits and several objectives."""
    if len(goals.objectives) == 1 and not goals.limits:
        return
    if len(goals.objectives) > MOST:
        raise ArgumentError(
            f"objectives: expected at most {MOST}, got {len(goals.objectives)}; turn some into limits, or combine some"
        )
    if method != "qkg":
        raise ArgumentError(
            f'method: expected "qkg", which alone chooses for limits and several objectives, got {shown(method)}; '
            "leave it out"
        )
    if over:
        raise ArgumentError("over: expected one objective without limits beside it, got more; leave it out")


def restated(settings: Settings) -> dict[str, Any]:
    """The options of `Study` that make these goals, with their directions, and this noise."""
    goals: dict[str, Any] = {"objectives": dict(settings.objectives) or None, "limits": settings.limits or None}
    if not settings.objectives:
        goals["direction"] = settings.direction
    noise: Any = dict(settings.noises) or settings.noise
    return {**goals, "costs": dict(settings.costs) or None, "noise": noise}


def _noises(noise: object, names: tuple[str, ...]) -> tuple[Noise, tuple[tuple[str, Noise], ...]]:
    """The noise of all outcomes, and of those for which it was said."""
    if not isinstance(noise, Mapping):
        found = _noise(noise)
        if found in ("learned", 0.0) or len(names) == 1:
            return found, ()
        raise ArgumentError(
            f'noise: expected "learned", 0, or a dict with the noise of outcomes, got {shown(noise)} for all of '
            f"{shown(list(names))}, whose units differ; pass noise={{{names[0]!r}: …}}"
        )
    if unknown := [name for name in noise if name not in names]:
        raise ArgumentError(f"noise: expected outcomes {shown(list(names))}, got {shown(unknown)}; correct the name")
    return "learned", tuple((name, _noise(noise[name])) for name in names if name in noise)


def checked_name(name: object, storage: object = None) -> str | None:
    """The name of a study; one in a file or database has a name even if nobody gave it one."""
    if name is None:
        return UNNAMED if isinstance(storage, str | PurePath) else None
    if not is_line(name):
        raise ArgumentError(
            f"name: expected a printable text of at most {LONGEST} characters or None, got {shown(name)}; "
            "leave it out for a nameless study"
        )
    return name


def checked_worker(worker: object) -> str | None:
    if worker is None or is_line(worker):
        return worker
    raise ArgumentError(
        f"worker: expected a printable text of at most {LONGEST} characters or None, got {shown(worker)}; "
        "leave it out, or name the machine and process, say"
    )


def _direction(direction: object) -> str:
    if isinstance(direction, str) and direction in DIRECTIONS:
        return direction
    raise ArgumentError(f'direction: expected "minimize" or "maximize", got {shown(direction)}; pass one of the two')


def _seed(seed: object) -> int:
    if seed is None:
        return secrets.randbits(32)
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool) and seed >= 0:
        return int(seed)
    raise ArgumentError(f"seed: expected a whole number of at least 0 or None, got {shown(seed)}; pass seed=0, say")


def _noise(noise: object) -> Noise:
    if callable(noise) or (isinstance(noise, str) and noise == "learned"):
        return noise
    try:
        return spread(noise, "noise")
    except (ArgumentError, TypeError):
        raise ArgumentError(
            'noise: expected "learned", 0 (exact results), a standard deviation, or a function params -> standard '
            f"deviation, got {shown(noise)}; pass one of these"
        ) from None


def _cost(cost: object, method: object) -> Cost:
    if cost is None:
        return None
    if not callable(cost) and not (isinstance(cost, str) and cost == "learned"):
        raise ArgumentError(
            'cost: expected a function params -> number, "learned" or None, got '
            f'{shown(cost)}; pass cost=lambda params: params["epochs"], say, or tell(trial, value, cost=…)'
        )
    if not can(_method(method), "takes_costs"):
        raise ArgumentError(
            f"cost: expected a method that chooses by value per cost, got {shown(method)}; make the study with "
            'method="qkg"'
        )
    return cost


def _method(method: object) -> str | object:
    if method in METHODS if isinstance(method, str) else hasattr(method, "propose"):
        return method
    names = ", ".join(repr(name) for name in METHODS)
    raise ArgumentError(f"method: expected one of {names}, or an object with propose(), got {shown(method)}; pass one")


def _fit(fit: object) -> str | None:
    if fit is None or (isinstance(fit, str) and fit in FITS):
        return fit
    names = ", ".join(repr(name) for name in FITS)
    raise ArgumentError(f"fit: expected one of {names} or None, got {shown(fit)}; leave it out if unsure")
