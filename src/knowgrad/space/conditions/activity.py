"""Which parameters exist at a point of the unit cube, and what stands where one does not.

The cube keeps one set of columns. A parameter that does not exist rests in the middle of its range, so that all points
that differ only in it are one. Each different condition adds a column at the end, 1 where it holds and else 0, with a
length scale of its own: how unlike points with and without these parameters are is learned, apart from what their
values do. `docs/conditions.md` has the comparison with other embeddings.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from knowgrad.errors import SpaceError
from knowgrad.space.conditions.branches import Branch, Rule, branches, knots, listed, read_rules
from knowgrad.space.conditions.intervals import Piece, pieces, within
from knowgrad.space.coordinates import FloatArray, Parameter
from knowgrad.space.halfspaces import BoolArray
from knowgrad.space.parameters import Choice
from knowgrad.text import shown

TRIED = 4  # values of what begins to exist by a move: the middle, and others spread over the range
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)


class Activity:
    """Of a space with conditions that do not always hold; `of` makes none for any other."""

    def __init__(self, parameters: Mapping[str, Parameter], rules: list[Rule], knotted: list[list[Branch]]) -> None:
        self.names, self.kinds = tuple(parameters), tuple(parameters.values())
        self.rules, self._knotted = rules, knotted
        self.sometimes = tuple(self.names[rule.child] for rule in rules)
        ends = np.cumsum([p.width for p in self.kinds])
        self.where = [slice(int(end) - p.width, int(end)) for p, end in zip(self.kinds, ends, strict=True)]
        self.conditional = np.isin(np.arange(len(self.kinds)), [rule.child for rule in rules])
        self._parents = sorted({parent for rule in rules for parent, _ in rule.parts})
        owners = np.repeat(np.arange(len(self.kinds)), [p.width for p in self.kinds])
        self._columns = np.flatnonzero(self.conditional[owners])
        self._owners = owners[self._columns]
        self._rest = np.concatenate([_middle(p) for p in self.kinds])
        self._marks = self._different()
        self.width, self.dim = len(owners), len(owners) + len(self._marks)

    @classmethod
    def of(cls, parameters: Mapping[str, Parameter]) -> Activity | None:
        """None where every parameter exists at every point."""
        rules = read_rules(parameters)
        if not rules:
            return None
        kinds, names = list(parameters.values()), list(parameters)
        knotted = [branches(knot, kinds) for knot in knots(rules)]
        exist = [[branch.exist for branch in knot] for knot in knotted]
        if never := [r.child for r in rules if not any(r.child in each for knot in exist for each in knot)]:
            name, when = names[never[0]], kinds[never[0]].when
            raise SpaceError(
                f"parameter {shown(name)}: it would never exist, because {when} holds at no point; "
                "change the condition or leave the parameter out"
            )
        sometimes = [r for r in rules if not any(all(r.child in each for each in knot) for knot in exist)]
        return cls(parameters, sometimes, knotted) if sometimes else None

    def _different(self) -> list[int]:
        """One parameter for each condition, of those that hold at different points."""
        found: dict[tuple[bool, ...], int] = {}
        every = [branch for knot in self._knotted for branch in knot]
        for rule in self.rules:
            found.setdefault(tuple(rule.child in branch.exist for branch in every), rule.child)
        return list(found.values())

    @property
    def marked(self) -> dict[str, int]:
        """The columns of the marks, by one of the parameters whose condition it is."""
        return {self.names[j]: self.width + k for k, j in enumerate(self._marks)}

    @property
    def at_rest(self) -> FloatArray:
        """The columns (dim,) of what does not exist."""
        return np.append(self._rest, np.zeros(self.dim - self.width))

    # At rows of the cube.

    def existing(self, U: FloatArray) -> BoolArray:
        """Which parameters exist at rows (…, dim): (…, n_params)."""
        at = {j: self.kinds[j].locate(U[..., self.where[j]]) for j in self._parents}
        exist = np.ones((*U.shape[:-1], len(self.kinds)), dtype=bool)
        for rule in self.rules:
            for parent, where in rule.parts:
                exist[..., rule.child] &= exist[..., parent] & within(at[parent], where)
        return exist

    def settle(self, U: FloatArray) -> FloatArray:
        """The rows, in place: what does not exist at rest, and the marks of the conditions."""
        exist = self.existing(U)
        U[..., self._columns] = np.where(exist[..., self._owners], U[..., self._columns], self._rest[self._columns])
        U[..., self.width :] = exist[..., self._marks]
        return U

    def movable(self, U: FloatArray) -> BoolArray:
        """The columns (…, dim) of what exists."""
        free = np.ones(U.shape, dtype=bool)
        free[..., self._columns] = self.existing(U)[..., self._owners]
        return free

    def padded(self, blocks: Sequence[FloatArray]) -> FloatArray:
        """The columns of all parameters, with the marks."""
        return self.settle(np.concatenate([*blocks, np.zeros((len(blocks[0]), self.dim - self.width))], axis=1))

    def encode(self, params: Mapping[str, Any], *, reaches: bool = False) -> FloatArray:
        """The row of canonical params; where it `reaches` beyond the bounds, of any that have a place."""
        row = self.at_rest
        for name, p, where in zip(self.names, self.kinds, self.where, strict=True):
            if name in params:
                row[where] = p.spot(params[name]) if reaches else p.place(p.position(params[name]))
        row[self.width :] = [self.names[j] in params for j in self._marks]
        return row

    def without(self, params: Sequence[Mapping[str, Any]], U: FloatArray) -> list[dict[str, Any]]:
        """The params of rows (n, dim) without those that do not exist there."""
        gone = ~self.existing(U)
        absent = [{name for name, off in zip(self.names, row, strict=True) if off} for row in gone]
        return [{n: v for n, v in each.items() if n not in off} for each, off in zip(params, absent, strict=True)]

    def fails(self, name: str, params: Mapping[str, Any]) -> str | None:
        """Why a parameter does not exist where its parents have these canonical values; None if it does."""
        child = self.names.index(name)
        rule = next((rule for rule in self.rules if rule.child == child), None)
        when = self.kinds[child].when
        if rule is None or when is None:
            return None
        for (parent, where), test in zip(rule.parts, when.tests, strict=True):
            value = params.get(self.names[parent], self)
            if value is self:
                return f"it exists only where {when}, and {self.names[parent]} does not exist here"
            if not within(np.array(float(self.kinds[parent].position(value))), where):
                return f"it exists only where {test}, and {self.names[parent]} is {shown(value)}"
        return None

    # All of them.

    @property
    def size(self) -> float:
        """The number of distinct points."""
        knotted = {j for knot in self._knotted for branch in knot for j in branch.exist}
        alone = [p.levels for j, p in enumerate(self.kinds) if j not in knotted]
        points = math.prod([*alone, *(sum(branch.points for branch in knot) for knot in self._knotted)])
        return points if points == math.inf else int(points)

    @property
    def usual(self) -> float:
        """How many parameters a point drawn at random has on average."""
        chance = [sum(b.share for knot in self._knotted for b in knot if r.child in b.exist) for r in self.rules]
        return float(len(self.kinds) - len(self.rules) + sum(chance))

    def meet(self, one: int, other: int) -> bool:
        """Is there a branch with both?"""
        exist = [[branch.exist for branch in knot] for knot in self._knotted]
        joint = [knot for knot in exist if all(any(j in each for each in knot) for j in (one, other))]
        return not joint or any(one in each and other in each for each in joint[0])

    def enumerate(self) -> FloatArray:
        """Every point (size, dim)."""
        found = [
            self.padded([p.place(row) for p, row in zip(self.kinds, rows.T, strict=True)])
            for rows in listed(self._knotted, self.kinds)
        ]
        return np.concatenate(found)

    # For searches.

    def neighbours(self, u: FloatArray, moved: FloatArray) -> FloatArray:
        """These neighbours (m, dim) of u and more: where something begins to exist, with several values of that."""
        moved = np.concatenate([moved, self._crossings(u)])
        new = self.existing(moved) & ~self.existing(u)
        some = new.any(axis=1)
        variants = [moved]
        for k in range(1, TRIED):
            again, fresh = moved[some].copy(), new[some]
            for rule in self.rules:
                j = rule.child
                block = self.kinds[j].draw(np.array([(0.5 + k * GOLDEN * (1 + 0.618 * j)) % 1.0]))
                again[fresh[:, j], self.where[j]] = block
            variants.append(again)
        return np.concatenate(variants)

    def _crossings(self, u: FloatArray) -> FloatArray:
        """Points (m, dim) that differ from u in a continuous parent, on the other sides of what depends on it."""
        found = [u[None][:0]]
        for j in self._parents:
            if self.kinds[j].cells < math.inf:
                continue
            at = float(self.kinds[j].locate(u[self.where[j]]))
            tests = [where for rule in self.rules for parent, where in rule.parts if parent == j]
            for same in pieces(self.kinds[j], tests):
                if not any(piece.first <= at <= piece.last for piece in same):
                    points = np.tile(u, (len(same), 1))
                    points[:, self.where[j]] = self.kinds[j].place([_centre(piece) for piece in same])
                    found.append(points)
        return np.concatenate(found)

    def stratified(self, V: FloatArray) -> FloatArray:
        """Uniform numbers (n, d) of a Latin hypercube, each column even over the points that have its parameter."""
        V, n = V.copy(), len(V)
        for rule in self.rules:
            j = rule.child
            U = self.padded([p.draw(V[:, i]) for i, p in enumerate(self.kinds)])
            has = np.flatnonzero(self.existing(U)[:, j])
            ranks = np.argsort(np.argsort(V[has, j], kind="stable"), kind="stable")
            V[has, j] = (ranks + (V[has, j] * n) % 1.0) / max(len(has), 1)
        return V


def _middle(parameter: Parameter) -> FloatArray:
    if isinstance(parameter, Choice):
        return np.asarray(parameter.place(np.arange(len(parameter.options))).mean(axis=0))
    return np.full(1, 0.5)


def _centre(piece: Piece) -> float:
    return 0.5 * (piece.first + piece.last)
