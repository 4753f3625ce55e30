"""Constraints in a space with conditions: a constraint says nothing about points where one of its parameters does not
exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from knowgrad.errors import EmptyDomainError, SpaceError
from knowgrad.space.conditions.activity import Activity
from knowgrad.space.constraints import Linear
from knowgrad.space.coordinates import FloatArray, Parameter
from knowgrad.space.equalities import Equalities
from knowgrad.space.halfspaces import BoolArray, HalfSpaces
from knowgrad.text import shown


def refuse_conditions(equalities: Equalities, parameters: Mapping[str, Parameter]) -> None:
    """SpaceError if a parameter of an equality or a mixture has a condition, or decides whether another exists."""
    held = {name: each.text for n, each in equalities.computed.items() for name in (n, *each.coefficients)}
    for name, parameter in parameters.items():
        tests = parameter.when.tests if parameter.when is not None else ()
        for other in (name, *(test.parent for test in tests)):
            if tests and other in held:
                raise SpaceError(
                    f"parameter {shown(name)}: expected conditions apart from equalities, got {shown(other)} in both "
                    f"when={parameter.when!r} and {held[other]!r}; drop one, or compute {shown(other)} yourself"
                )


class ScopedHalfSpaces(HalfSpaces):
    """Constraints that need the same parameters to exist have a scope in common; the first scope is everywhere.

    As a `HalfSpaces` it has the rows of all, and the polytope of those that hold everywhere.
    """

    def __init__(
        self,
        linears: Sequence[Linear],
        parameters: Mapping[str, Parameter],
        columns: Mapping[str, int],
        activity: Activity,
    ) -> None:
        self._made_of, self._activity = (parameters, columns, activity.dim), activity
        scopes: dict[frozenset[str], list[Linear]] = {frozenset(): []}
        for linear in linears:
            scopes.setdefault(frozenset(linear.coefficients) & set(activity.sometimes), []).append(linear)
        self._linears = list(scopes.values())
        self._needs = np.array([np.isin(activity.names, list(scope)) for scope in scopes], dtype=np.float64)
        self._scopes = [HalfSpaces(each, *self._made_of) for each in self._linears]
        self._joint: dict[bytes, HalfSpaces | None] = {}
        self.rows = [row for scope in self._scopes for row in scope.rows]
        self.polytope = self._scopes[0].polytope

    def shares(self, snapped: FloatArray) -> FloatArray:
        return self._scopes[0].shares(snapped)

    def _applies(self, U: FloatArray) -> BoolArray:
        """Which scopes (s) rows (n, dim) are in: (n, s)."""
        return np.asarray((~self._activity.existing(U)).astype(np.float64) @ self._needs.T == 0.0)

    def check(self, snapped: FloatArray) -> BoolArray:
        applies = self._applies(snapped)
        parts = [scope.check(snapped) | ~applies[:, i : i + 1] for i, scope in enumerate(self._scopes)]
        return np.concatenate(parts, axis=1)

    def project(self, U: FloatArray) -> FloatArray:
        """Rows (n, dim), settled, to the nearest points of the constraints that say something about them."""
        X = self._activity.settle(np.minimum(np.maximum(U, 0.0), 1.0))
        for _ in range(
            2 if self.rows else 0
        ):  # what is projected may begin or cease to exist, and other constraints count then
            applies = self._applies(X)
            for which in np.unique(applies, axis=0):
                rows = (applies == which).all(axis=1)
                joint = self._together(which)
                if joint is not None and joint.polytope is not None:
                    X[rows] = joint.polytope.project(X[rows])
            X = self._activity.settle(X)
        return X

    def _together(self, which: BoolArray) -> HalfSpaces | None:
        """The constraints of these scopes; None if no point satisfies them all: such rows are left to `contains`."""
        key = which.tobytes()
        if key not in self._joint:
            linears = [linear for each, wanted in zip(self._linears, which, strict=True) if wanted for linear in each]
            try:
                self._joint[key] = HalfSpaces(linears, *self._made_of)
            except EmptyDomainError:
                self._joint[key] = None
        return self._joint[key]
