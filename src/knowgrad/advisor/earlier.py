"""A study that learns from earlier ones: one more source beside its own parameters, of which only "this" is measured.

The space has one more parameter, a `Source` whose target is this study. Earlier results lie at its other values. All
questions are asked in the context "this": how much an earlier study has to do with this one is learned as for any
source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from knowgrad.advisor.moment import Moment
from knowgrad.space import Candidates, Params, Source, Space
from knowgrad.space.overlap import moved
from knowgrad.trial import Settings, Trial

M = TypeVar("M", bound=Moment)
KEY, THIS = "(study)", "this"
HERE = {KEY: THIS}


def extended(moment: M) -> M:
    """The study with the results of the earlier ones."""
    before = moment.once("before", lambda: _before(moment))
    trials = (*before, *(replace(trial, params={**trial.params, KEY: THIS}) for trial in moment.trials))
    first: M = moment.once("extended", lambda: type(moment)(_space(moment), trials, _settings(moment.settings)))
    return first.given(trials)


def stripped(params: Mapping[str, Any]) -> Params:
    """Params without where they are from."""
    return {name: value for name, value in params.items() if name != KEY}


def _before(moment: Moment) -> tuple[Trial, ...]:
    return tuple(
        Trial(f"earlier-{k}-{i}", 0, {**params, KEY: each.name}, "complete", row.value, row.sem, source="earlier")
        for k, each in enumerate(moment.settings.earlier)
        for i, row in enumerate(each.results)
        if (params := _here(row.params, moment.space)) is not None
    )


def _here(params: Mapping[str, Any], space: Space) -> Mapping[str, Any] | None:
    """Params as they were copied, or, in a space that was changed since, what they are there."""
    return moved(params, space) if space.reaches else params


def _space(moment: Moment) -> Space:
    space, names = moment.space, [each.name for each in moment.settings.earlier]
    source = Source((THIS, *names), target=THIS)
    if isinstance(space, Candidates):
        return space.with_beside({**space.beside, KEY: source})
    feasible = space.feasible
    allowed = None if feasible is None else _without(feasible)
    return Space({**space.parameters, KEY: source}, constraints=space.constraints, feasible=allowed)


def _settings(settings: Settings) -> Settings:
    noise, cost = settings.noise, settings.cost
    settings = replace(settings, earlier=(), noise=_without(noise) if callable(noise) else noise)
    return replace(settings, cost=_without(cost)) if callable(cost) else settings


def _without(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda params: function(stripped(params))
