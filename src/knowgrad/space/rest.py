"""The space of the parameters that a context leaves open: with its values in constraints and conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.space.conditions.decided import decided
from knowgrad.space.constraints import Linear, read_constraint
from knowgrad.space.lists.candidates import Candidates
from knowgrad.space.lists.sublists import rest_of_list
from knowgrad.space.rules import Constraint
from knowgrad.space.scalars import Scalar
from knowgrad.space.space import Params, Space
from knowgrad.text import shown

Context = Mapping[str, Scalar]


def rest_of(space: Space, contexts: Sequence[Context]) -> Space:
    """The space of the parameters that the contexts leave open: what the constraints leave of it in each of them.

    Several contexts are of parameters that no condition is about, so that the same others exist in all of them.
    """
    fixed = contexts[0].keys()
    if isinstance(space, Candidates):
        return rest_of_list(space, contexts[0])
    found = decided(space.parameters, contexts[0])
    left = {name: each for name, each in found.open_parameters(space.parameters).items() if name not in fixed}
    if not left:
        raise ArgumentError(
            f"expected at least one parameter that is left to choose, got values for all of {shown(list(fixed))}; "
            "leave one out, or use predict()"
        )
    texts = dict.fromkeys(text for context in contexts for text in _left_of(space, context, found.gone))
    feasible = space.feasible

    def allowed(params: Params) -> bool:
        assert feasible is not None
        wholes = ({**params, **context} for context in contexts)
        return all(feasible({name: whole[name] for name in space.names if name in whole}) for whole in wholes)

    rest = Space(left, constraints=list(texts), feasible=None if feasible is None else allowed)
    return rest.reaching() if space.reaches else rest


def _left_of(space: Space, context: Context, gone: frozenset[str]) -> list[Constraint]:
    """The constraints with the values of a context in them; those that mention none of its names as they are, and
    those about what does not exist there not at all."""
    texts: list[Constraint] = []
    for text in space.constraints:
        linears = read_constraint(text, space.parameters) if isinstance(text, str) else []
        names = {name for linear in linears for name in linear.coefficients}
        if names & gone:
            continue
        if not names & context.keys():
            texts.append(text)
            continue
        for linear in linears:
            texts += _substituted(linear, context)
    return texts


def _substituted(linear: Linear, context: Context) -> list[str]:
    bound = linear.bound
    for name in linear.coefficients.keys() & context.keys():
        bound -= linear.coefficients[name] * Fraction(str(context[name]))
    terms = [f"({factor})*{name}" for name, factor in linear.coefficients.items() if name not in context]
    if terms:
        return [f"{' + '.join(terms)} <= {bound}"]
    if bound < 0:
        raise SpaceError(f"{shown(dict(context))} violates the constraint {linear.text!r}; change the values or it")
    return []
