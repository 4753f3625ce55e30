"""What a context, values of some parameters, leaves of the conditions of the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from knowgrad.space.conditions.branches import read_rules
from knowgrad.space.conditions.intervals import within
from knowgrad.space.conditions.when import Test, When
from knowgrad.space.coordinates import Parameter


@dataclass(frozen=True)
class Decided:
    """`gone` cannot exist there. `left` has, of each parameter that has a condition and can, what is still open of it;
    None if it exists everywhere in the context."""

    gone: frozenset[str]
    left: Mapping[str, When | None]

    def open_parameters(self, parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
        """Those that can exist, with what is left of their conditions."""
        kept = {name: each for name, each in parameters.items() if name not in self.gone}
        return {name: self._with(each, self.left.get(name)) for name, each in kept.items()}

    def _with(self, parameter: Any, when: When | None) -> Parameter:
        changed: Parameter = parameter if parameter.when == when else replace(parameter, when=when)
        return changed


def decided(parameters: Mapping[str, Parameter], context: Mapping[str, Any]) -> Decided:
    """With values of parameters that exist wherever these are."""
    names, gone = list(parameters), set()
    left: dict[str, When | None] = {}
    for rule in read_rules(parameters):
        name = names[rule.child]
        still: list[Test] = []
        for (parent, where), test in zip(rule.parts, parameters[names[rule.child]].when.tests, strict=True):
            value = context.get(names[parent], still)
            if names[parent] in gone:
                gone.add(name)
            elif value is still:
                still.append(test)
            elif not within(np.array(float(parameters[names[parent]].position(value))), where):
                gone.add(name)
        if name not in gone:
            left[name] = When(tuple(still)) if still else None
    return Decided(frozenset(gone), left)


def taking_part(parameters: Mapping[str, Parameter]) -> frozenset[str]:
    """The names of all parameters that have a condition or that one is about."""
    found = {name for name, each in parameters.items() if each.when is not None}
    return frozenset(found | {test.parent for name in found for test in parameters[name].when.tests})
