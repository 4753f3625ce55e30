"""A list of dicts as one space: which dict a candidate is from decides which parameters it has.

A parameter that several dicts have in the same form is one parameter of the space, which exists in these dicts: what is
learned about it in one counts in the others. Where the forms differ there is one parameter for each. What has one value
alone in a dict is no parameter: the dict decides it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowgrad.integrations.indexed import Indexed, by_index, where
from knowgrad.integrations.sklearn.forms import Form
from knowgrad.space import Choice, Params, Space
from knowgrad.space.conditions.when import Test

Kinds = dict[str, tuple[Form, list[int]]]  # the space's parameters, and the dicts that have each


@dataclass(frozen=True)
class Joined(Indexed):
    """The space of several dicts. `which` is the parameter that says from which dict a candidate is."""

    which: str = ""
    names: Sequence[Mapping[str, str]] = ()
    """Of each dict, the space's name of each of its parameters, in their order."""
    fixed: Sequence[Mapping[str, Any]] = ()
    """Of each dict, what has one value alone."""

    def decode(self, params: Mapping[str, Any]) -> dict[str, Any]:
        part, known = params[self.which], super().decode(params)
        own = {name: known[inside] for name, inside in self.names[part].items() if inside in known}
        return {**self.fixed[part], **own}

    def every(self, limit: int) -> list[Params]:
        """Dict by dict, each in the order of its lists."""
        return sorted(super().every(limit), key=self._rank)

    def _rank(self, params: Mapping[str, Any]) -> tuple[float, ...]:
        part, kinds = params[self.which], self.space.parameters
        own = [inside for inside in self.names[part].values() if inside in params]
        return (part, *(kinds[inside].position(params[inside]) for inside in own))


def joined(dicts: Sequence[Mapping[str, Form]]) -> Indexed:
    """The space of these dicts; of one alone, that of its parameters."""
    if len(dicts) == 1:
        return _indexed({name: (form, [0]) for name, form in dicts[0].items()}, {})
    parents = {test.parent for each in dicts for form in each.values() for test in form.tests}
    fixed = [{n: f.options[0] for n, f in each.items() if f.is_fixed and n not in parents} for each in dicts]
    kinds: Kinds = {}
    names: list[dict[str, str]] = [{} for _ in dicts]
    for part, each in enumerate(dicts):
        for name, form in each.items():
            if name not in fixed[part]:
                inside = names[part][name] = _inside(name, form, kinds)
                kinds.setdefault(inside, (form, []))[1].append(part)
    which = _unused("dict", kinds)
    renamed = {
        inside: (form.renamed(names[parts[0]]) if form.tests else form, parts)
        for inside, (form, parts) in kinds.items()
    }
    outer = {inside: Test(which, tuple(parts)) for inside, (_, parts) in kinds.items() if len(parts) < len(dicts)}
    found = _indexed({which: (Form(Choice(tuple(range(len(dicts))))), []), **renamed}, outer)
    return Joined(found.space, found.options, found.curves, which, names, fixed)


def _indexed(kinds: Kinds, outer: Mapping[str, Test]) -> Indexed:
    """The space of these parameters; `outer` are tests besides those that users wrote."""
    options = {name: form.options for name, (form, _) in kinds.items() if form.options}
    curves = {name: form.curve for name, (form, _) in kinds.items() if form.curve is not None}
    made = {
        name: where(form.parameter, [*([outer[name]] if name in outer else []), *form.tests])
        for name, (form, _) in kinds.items()
    }
    return Indexed(Space({name: by_index(each, options) for name, each in made.items()}), options, curves)


def _inside(name: str, form: Form, kinds: Kinds) -> str:
    """The name in the space: that of the same parameter of another dict, or a new one."""
    number, inside = 1, name
    while inside in kinds and not form.is_same(kinds[inside][0]):
        number += 1
        inside = f"{name} ({number})"
    return inside


def _unused(name: str, taken: Mapping[str, Any]) -> str:
    return name if name not in taken else _unused(f"{name}_", taken)
