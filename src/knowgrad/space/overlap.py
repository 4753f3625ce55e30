"""Params of one space in another that overlaps with it only in part."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from knowgrad.errors import SpaceError
from knowgrad.space.coordinates import Parameter
from knowgrad.space.lists.candidates import Candidates
from knowgrad.space.looks.graded import graded
from knowgrad.space.parameters import Choice
from knowgrad.space.space import Space


def moved(params: Mapping[str, Any], space: Space, old: Space | None = None) -> dict[str, Any] | None:
    """The params of an `old` space in another one; None where they lie outside of it.

    A parameter that they do not have stands in the middle of its range, or at the first option; a fidelity of the old
    space at its target, because only results there count.
    """
    before = {} if old is None else graded(old.parameters)
    here, computed = graded(space.parameters), space.rules.equalities.computed
    found: dict[str, Any] = {}
    try:
        for name in space.order:
            if name in here and (name not in params or name in before):
                found[name] = here[name].target
            elif name in params and space.lacks(name, found) is None:
                found[name] = space.parameters[name].check(params[name])
            elif not space.can_omit(name, found):
                found[name] = _middle(space.parameters[name])
        if isinstance(space, Candidates):
            return dict(space.validate(found))
        for name in [name for name in computed if name not in params]:
            found[name] = space.rules.equalities.value(name, found)
        space.rules.equalities.settle(found)
    except SpaceError:
        return None
    return {name: found[name] for name in space.names if name in found}


def _middle(parameter: Parameter) -> Any:
    if isinstance(parameter, Choice):
        return parameter.options[0]
    return parameter.value(0.5 if parameter.cells == math.inf else float(parameter.locate(np.array([0.5]))))
