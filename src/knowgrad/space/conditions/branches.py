"""The kinds of points that a space with conditions has: which parameters exist, and how many such points there are.

Parameters that depend on each other, directly or not, are a *knot*; knots are independent of each other, so what is
listed is the branches of each knot, never of the whole space.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from knowgrad.errors import SpaceError
from knowgrad.space.conditions.intervals import Piece, intervals, pieces, within
from knowgrad.space.coordinates import FloatArray, Parameter
from knowgrad.text import shown

MOST = 20_000  # branches of a knot


@dataclass(frozen=True, eq=False)
class Rule:
    """A parameter exists where all these others exist and lie in these intervals of their coordinates."""

    child: int
    parts: tuple[tuple[int, FloatArray], ...]


@dataclass(frozen=True, eq=False)
class Branch:
    """One way for a knot to be: where its parents lie, which of its parameters exist, how many points that has."""

    parents: Mapping[int, Sequence[Piece]]
    exist: frozenset[int]
    points: float
    share: float
    """Of the points drawn at random, those that are in it."""


def read_rules(parameters: Mapping[str, Parameter]) -> list[Rule]:
    """The conditions of a space, parents before their children; SpaceError for what cannot be meant."""
    names = list(parameters)
    left = {name: p for name, p in parameters.items() if p.when is not None}
    found: dict[int, Rule] = {}
    for name, parameter in left.items():
        parts = []
        for test in parameter.when.tests if parameter.when else ():
            if test.parent not in parameters or test.parent == name:
                others = [other for other in names if other != name]
                raise SpaceError(
                    f"parameter {shown(name)}: when names {shown(test.parent)}, which is no other parameter of the "
                    f"space; name one of {shown(others)}"
                )
            try:
                where = intervals(test, parameters[test.parent])
            except SpaceError as error:
                raise SpaceError(f"parameter {shown(name)}: when: {error}") from None
            parts.append((names.index(test.parent), where))
        found[names.index(name)] = Rule(names.index(name), tuple(parts))
    return _in_order(found, names)


def _in_order(rules: Mapping[int, Rule], names: Sequence[str]) -> list[Rule]:
    ordered: dict[int, Rule] = {}
    while len(ordered) < len(rules):
        ready = [
            child
            for child, rule in rules.items()
            if child not in ordered and all(p not in rules or p in ordered for p, _ in rule.parts)
        ]
        if not ready:
            stuck = [names[child] for child in rules if child not in ordered]
            raise SpaceError(f"when: {shown(stuck)} depend on each other in a cycle; drop one of their conditions")
        ordered |= {child: rules[child] for child in ready}
    return list(ordered.values())


def knots(rules: Sequence[Rule]) -> list[list[Rule]]:
    """The rules, those that have a parameter in common together, in their order."""
    groups: list[tuple[set[int], list[Rule]]] = []
    for rule in rules:
        members = {rule.child, *(parent for parent, _ in rule.parts)}
        touching = [group for group in groups if group[0] & members]
        groups = [group for group in groups if not group[0] & members]
        joined = [each for group in touching for each in group[1]]
        groups.append((members.union(*(group[0] for group in touching)), [*joined, rule]))
    place = {id(rule): i for i, rule in enumerate(rules)}
    return [sorted(group, key=lambda rule: place[id(rule)]) for _, group in groups]


def branches(rules: Sequence[Rule], kinds: Sequence[Parameter]) -> list[Branch]:
    """All branches of one knot."""
    by_child = {rule.child: rule for rule in rules}
    tests: dict[int, list[FloatArray]] = {}
    for rule in rules:
        for parent, where in rule.parts:
            tests.setdefault(parent, []).append(where)
    ordered = [*(p for p in tests if p not in by_child), *(child for child in by_child if child in tests)]
    cut = {parent: pieces(kinds[parent], tests[parent]) for parent in ordered}
    children = [child for child in by_child if child not in tests]
    found: list[Branch] = []
    for chosen, share in _walk(ordered, cut, by_child, {}):
        exist = frozenset([*chosen, *(child for child in children if _holds(by_child[child], chosen))])
        counts = [
            sum(p.last - p.first + 1 for p in at) if kinds[j].cells < math.inf else math.inf for j, at in chosen.items()
        ]
        others = [kinds[j].levels for j in exist if j not in chosen]
        found.append(Branch(chosen, exist, math.prod([*counts, *others]), share))
        if len(found) > MOST:
            raise SpaceError(f"when: the conditions make more than {MOST} kinds of points; use fewer or simpler ones")
    return found


def _walk(
    parents: Sequence[int],
    cut: Mapping[int, list[list[Piece]]],
    rules: Mapping[int, Rule],
    chosen: dict[int, Sequence[Piece]],
) -> Iterator[tuple[dict[int, Sequence[Piece]], float]]:
    """Where the parents that exist may lie, and how likely that is."""
    if not parents:
        yield dict(chosen), 1.0
        return
    first, rest = parents[0], parents[1:]
    if first in rules and not _holds(rules[first], chosen):
        yield from _walk(rest, cut, rules, chosen)
        return
    for option in cut[first]:
        for found, share in _walk(rest, cut, rules, {**chosen, first: option}):
            yield found, share * sum(piece.share for piece in option)


def _holds(rule: Rule, chosen: Mapping[int, Sequence[Piece]]) -> bool:
    """All pieces of an option pass the same tests, so one of them speaks for all."""
    return all(p in chosen and bool(within(np.array(_inside(chosen[p][0])), where)) for p, where in rule.parts)


def _inside(piece: Piece) -> float:
    return (
        piece.first
        if piece.last - piece.first >= 1.0 or piece.first == piece.last
        else 0.5 * (piece.first + piece.last)
    )


def listed(together: Sequence[Sequence[Branch]], kinds: Sequence[Parameter]) -> Iterator[FloatArray]:
    """The coordinates (m, d) of all points, one combination of branches after the other; 0 where nothing exists."""
    knotted = {j for knot in together for branch in knot for j in (*branch.exist, *branch.parents)}
    for combination in itertools.product(*together):
        levels: list[FloatArray] = [np.zeros(1) for _ in kinds]
        for branch in combination:
            for j in branch.exist:
                at = branch.parents.get(j)
                ranges = [(p.first, p.last) for p in at] if at else [(0.0, kinds[j].levels - 1)]
                levels[j] = np.concatenate([np.arange(first, last + 1) for first, last in ranges])
        for j, kind in enumerate(kinds):
            if j not in knotted:
                levels[j] = np.arange(int(kind.levels), dtype=np.float64)
        mesh = np.meshgrid(*levels, indexing="ij")
        yield np.stack([axis.ravel() for axis in mesh], axis=1)
