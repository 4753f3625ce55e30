"""Which parameters a question may name: those that nothing else decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knowgrad.errors import ArgumentError
from knowgrad.space import Candidates, Space
from knowgrad.space.conditions.decided import taking_part
from knowgrad.text import shown


def named(space: Space, given: object, what: str, example: str) -> dict[str, Any]:
    """A mapping from names of parameters; None is an empty one. `given` alone may name what conditions are about."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ArgumentError(f"{what}: expected parameters by name, got {shown(given)}; pass {what}={example}, say")
    if unknown := [name for name in given if not isinstance(name, str) or name not in space.parameters]:
        raise ArgumentError(
            f"{what}: expected names of parameters, {shown(list(space.names))}, got {shown(unknown)}; correct them"
        )
    if isinstance(space, Candidates) and (unseen := [name for name in given if name not in space.seen]):
        raise ArgumentError(
            f"{what}: expected columns that the model sees, {shown(list(space.seen))}, got the labels {shown(unseen)}; "
            "make them features of the list"
        )
    computed = space.rules.equalities.computed
    bound = {each for name, rule in computed.items() for each in (name, *rule.coefficients)}
    if decided := [name for name in given if name in bound]:
        raise ArgumentError(
            f"{what}: expected parameters that no equality or mixture decides, got {shown(decided)}; leave them out"
        )
    if what != "given" and (conditional := [name for name in given if name in _taking_part(space)]):
        raise ArgumentError(
            f"{what}: expected parameters that no condition is about, got {shown(conditional)}; leave them out"
        )
    return dict(given)


def _taking_part(space: Space) -> frozenset[str]:
    return frozenset() if space.activity is None else taking_part(space.parameters)


def check_existence(space: Space, context: Mapping[str, Any]) -> None:
    """Do the parameters of a context, whose values are canonical, exist there?"""
    for name in context:
        if (why := space.lacks(name, context)) is not None:
            parents = [test.parent for test in space.parameters[name].when.tests]
            reason = why if set(parents) <= context.keys() else "it does not exist everywhere"
            raise ArgumentError(
                f"given: {name}: expected a parameter that exists in the context, but {reason}; give values of "
                f"{shown(parents)} with which it does, or leave it out"
            )
