"""A study that learns from earlier ones: one more source beside its own parameters, of which only "this" is measured.

The space has one more parameter, a `Source` whose target is this study. Earlier results lie at its other values. All
questions are asked in the context "this": how much an earlier study has to do with this one is learned as for any
source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from knowgrad.advisor.moment import Moment
from knowgrad.advisor.relating import relation, rescaled
from knowgrad.space import Candidates, Params, Source, Space, graded
from knowgrad.space.overlap import moved
from knowgrad.trial import Settings, Trial, value_of

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
    """Earlier results, on the scale of this study."""
    at = {name: each.target for name, each in graded(moment.space.parameters).items()}
    own = [i for i, t in enumerate(moment.trials) if t.state == "complete" and at.items() <= t.params.items()]
    X, y = moment.data.points[own], np.array([value_of(moment.trials[i]) for i in own])
    found: list[Trial] = []
    for trials in moment.always("earlier", lambda: _copied(moment)):
        if trials:
            name = trials[0].params[KEY]
            model = moment.always(name, partial(_alone, moment, trials)).model
            if (scale := relation(model, X, y)) is not None:
                found += rescaled(trials, *scale)
    return tuple(found)


def _copied(moment: Moment) -> list[list[Trial]]:
    """The results of each earlier study, as trials."""
    return [
        [
            Trial(f"earlier-{k}-{i}", 0, {**params, KEY: each.name}, "complete", row.value, row.sem, source="earlier")
            for i, row in enumerate(each.results)
            if (params := _here(row.params, moment.space)) is not None
        ]
        for k, each in enumerate(moment.settings.earlier)
    ]


def _alone(moment: Moment, trials: list[Trial]) -> Moment:
    """An earlier study by itself."""
    settings = replace(moment.settings, earlier=(), over=())
    return Moment(moment.space, [replace(trial, params=stripped(trial.params)) for trial in trials], settings)


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
