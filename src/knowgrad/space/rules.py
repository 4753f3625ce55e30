"""What the values of parameters have to do with each other: constraints, equalities and mixtures together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from knowgrad.errors import SpaceError
from knowgrad.space.conditions.activity import Activity
from knowgrad.space.conditions.scoped import ScopedHalfSpaces, refuse_conditions
from knowgrad.space.constraints import read_constraint
from knowgrad.space.coordinates import FloatArray, Parameter
from knowgrad.space.equalities import Equalities
from knowgrad.space.halfspaces import BoolArray, HalfSpaces
from knowgrad.space.looks.graded import graded
from knowgrad.space.mixtures import Mixture, as_blend, check_components, read_mixture, unfolded
from knowgrad.space.parameters import read_parameters
from knowgrad.text import shown

Constraint = str | Mixture


class Rules:
    """The parameters of a space, those of them that have columns (`kept`), and what holds between them."""

    def __init__(self, params: Any, constraints: Any) -> None:
        given = read_constraints(constraints)
        mixtures = [each for each in given if isinstance(each, Mixture)]
        written = len(mixtures)
        self.parameters: dict[str, Parameter] = read_parameters(unfolded(params, mixtures))
        self.constraints: tuple[Constraint, ...] = (*given, *mixtures[written:])
        for mixture in mixtures:
            check_components(mixture, self.parameters)
        texts = [each for each in given if isinstance(each, str)]
        linears = [linear for text in texts for linear in read_constraint(text, self.parameters)]
        self.equalities = Equalities([*(mixture.equality for mixture in mixtures), *linears], self.parameters)
        self.kept = self.equalities.kept
        ends = np.cumsum([p.width for p in self.kept.values()]).tolist()
        self.columns = {name: slice(end - p.width, end) for (name, p), end in zip(self.kept.items(), ends, strict=True)}
        first = {name: where.start for name, where in self.columns.items()}
        self._first = first
        refuse_conditions(self.equalities, self.parameters)
        _refuse_fidelities(self.equalities, self.parameters)
        self.activity = Activity.of(self.kept)
        self.dim = ends[-1] if self.activity is None else self.activity.dim
        linears = self.equalities.inequalities
        self.half_spaces = (
            HalfSpaces(linears, self.kept, first, self.dim)
            if self.activity is None
            else ScopedHalfSpaces(linears, self.kept, first, self.activity)
        )
        found = ((mixture, as_blend(mixture, self.equalities, first)) for mixture in mixtures)
        self.blends = [(mixture, blend) for mixture, blend in found if blend is not None]
        self.are_none = not (self.half_spaces.rows or self.blends or self.equalities.leveled)

    def project(self, U: FloatArray) -> FloatArray:
        """The nearest points (n, dim) of the box and of what is flat in the cube; of mixtures, near ones."""
        U = self.half_spaces.project(U)
        for _, blend in self.blends:
            U = blend.project(U) if blend.most < len(blend.caps) else U
        return U

    def snap(self, given: FloatArray, snapped: FloatArray) -> FloatArray:
        """Points (…, dim) whose parameters were snapped one by one, with mixtures snapped as a whole."""
        for _, blend in self.blends:
            rows = blend.snap(np.clip(given, 0.0, 1.0).reshape(-1, given.shape[-1]))
            snapped[..., blend.columns] = rows[:, blend.columns].reshape(*given.shape[:-1], -1)
        return snapped if self.activity is None else self.activity.settle(snapped)

    def spaced(self, U: FloatArray) -> FloatArray:
        """Points (n, dim) of uniform columns with the amounts of mixtures spread as evenly."""
        for _, blend in self.blends:
            U = blend.spaced(U)
        return U

    def contain(self, snapped: FloatArray) -> BoolArray:
        """Which snapped points (n, dim) keep to them."""
        inside = np.asarray(self.half_spaces.check(snapped).all(axis=1))
        if self.equalities.leveled:
            inside &= self.equalities.on_level(self.half_spaces.shares(snapped), self._first)
        for _, blend in self.blends:
            inside &= blend.contains(snapped)
        return inside

    def refuse(self, point: FloatArray, params: Mapping[str, Any]) -> None:
        """SpaceError if the params at a point (dim,) break a rule."""
        for row, fine in zip(self.half_spaces.rows, self.half_spaces.check(point[None])[0], strict=True):
            if not fine:
                raise SpaceError(f"params {shown(params)} violate the constraint {row.text!r}; change them or it")
        for mixture, blend in self.blends:
            if not blend.contains(point[None])[0]:
                raise SpaceError(f"params {shown(params)} break the mixture {str(mixture)!r}; change them")

    def complete(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Params of the parameters with columns, with those that are computed from them."""
        computed = {name: self.equalities.value(name, params) for name in self.equalities.computed}
        return {name: computed[name] if name in computed else params[name] for name in self.parameters}

    def draw(self, U: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Points inside, near uniform, with what U (n, dim) has where nothing rules it."""
        polytope = self.half_spaces.polytope
        if polytope is not None and not self.blends:  # a flat set has no room to walk in
            return polytope.walk(U, rng) if polytope.depth > 1e-9 else polytope.project(U)
        for _, blend in self.blends:
            U = blend.draw(U, rng)
        return U

    @property
    def can_be_drawn(self) -> bool:
        """Is there more to `draw` from than the box?"""
        return bool(self.blends) or self.half_spaces.polytope is not None

    def describe(self) -> list[Any]:
        """The constraints as JSON."""
        return [each if isinstance(each, str) else each.describe() for each in self.constraints]


def _refuse_fidelities(equalities: Equalities, parameters: Mapping[str, Parameter]) -> None:
    """SpaceError if an equality has a part of fidelities: recommendations are at their targets."""
    for name, computed in equalities.computed.items():
        if held := graded({each: parameters[each] for each in (name, *computed.coefficients)}):
            raise SpaceError(
                f"constraint {shown(computed.text)}: expected no fidelity in an equality, got {shown(list(held))}; "
                "leave it out, or make it a Float or an Int"
            )


def read_constraints(constraints: Any) -> tuple[Constraint, ...]:
    """A list of texts and mixtures, of which one may come alone; a mixture may be as `Mixture.describe` writes it."""
    if isinstance(constraints, (str, Mixture)):
        constraints = (constraints,)
    if isinstance(constraints, Mapping) or not isinstance(constraints, Iterable):
        raise SpaceError(f"constraints must be a list of strings and mixtures, got {shown(constraints)}")
    try:
        return tuple(_read(each) for each in constraints)
    except TypeError:
        raise SpaceError(f"constraints must be a list of strings and mixtures, got {shown(constraints)}") from None


def _read(constraint: Any) -> Constraint:
    if isinstance(constraint, str):
        return str.__str__(constraint)
    if isinstance(constraint, Mixture):
        return constraint
    if isinstance(constraint, Mapping):
        return read_mixture(constraint)
    raise SpaceError(f"a constraint must be a string such as 'x + 2*y <= 1' or a Mixture, got {shown(constraint)}")
