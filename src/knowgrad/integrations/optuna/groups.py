"""Which parameters of a define-by-run study exist where, found from its completed trials.

Parameters that appear in the same trials are a group. A group that only some trials have is explained by a parameter
that more of them have, if that one tells the trials with the group from those without: a choice by its options, a
number with levels by a threshold. What is explained is searched together, as a space with conditions. An option or a
level that no trial has tried yet counts as one where the group exists: what is chosen in vain does no harm, while what
is missing would be drawn at random. A condition that turns out to be wrong is found anew after the next trial.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution
from optuna.trial import FrozenTrial, TrialState

from knowgrad.errors import SpaceError
from knowgrad.integrations.optuna.spaces import as_parameter
from knowgrad.space.conditions.when import Test

Distributions = dict[str, BaseDistribution]
Where = frozenset[int]  # the completed trials that have a parameter


@dataclass(frozen=True)
class Groups:
    """What q-KG can choose in a study.

    `joint` are chosen together; each of `conditions` says where one of them exists, choices by index. Each of `apart`
    is a group that nothing explains. `refused` are parameters that q-KG cannot choose, and why.
    """

    joint: Distributions
    conditions: Mapping[str, Test] = field(default_factory=dict)
    apart: Sequence[Distributions] = ()
    refused: Mapping[str, str] = field(default_factory=dict)

    @property
    def always(self) -> Distributions:
        """The parameters that every completed trial has."""
        return {name: one for name, one in self.joint.items() if name not in self.conditions}

    @property
    def every(self) -> Distributions:
        """All parameters that q-KG chooses."""
        return {**self.joint, **{name: one for group in self.apart for name, one in group.items()}}


def find_groups(trials: Iterable[FrozenTrial], among: Distributions | None = None) -> Groups:
    """The groups of a study's parameters, or of those in `among` alone."""
    done = [trial for trial in trials if trial.state == TrialState.COMPLETE]
    known, refused = _usable(done) if among is None else (among, {})
    where = {
        name: frozenset(i for i, t in enumerate(done) if t.distributions.get(name) == known[name]) for name in known
    }
    joint = [name for name in known if len(where[name]) == len(done)]
    patterns: dict[Where, list[str]] = {}
    for name in known:
        if name not in joint:
            patterns.setdefault(where[name], []).append(name)
    conditions: dict[str, Test] = {}
    apart: list[list[str]] = []
    for having, group in sorted(patterns.items(), key=lambda each: -len(each[0])):
        parents = {name: known[name] for name in _by_rank(known, joint, where) if having < where[name]}
        if test := next((test for name in parents if (test := _tells(name, parents[name], having, where, done))), None):
            joint += group
            conditions |= dict.fromkeys(group, test)
        elif having:
            apart.append(group)
    ordered = [sorted(names) for names in (joint, *apart)]  # as Optuna's own intersection is
    first, *others = ({name: known[name] for name in names} for names in ordered)
    return Groups(first, conditions, others, refused)


def _usable(done: Sequence[FrozenTrial]) -> tuple[Distributions, dict[str, str]]:
    """The parameters that always have the same range and can be searched; why those that cannot be searched cannot."""
    found: Distributions = {}
    changing: set[str] = set()
    for trial in done:
        for name, distribution in trial.distributions.items():
            if found.setdefault(name, distribution) != distribution:
                changing.add(name)
    usable, refused = dict[str, BaseDistribution](), dict[str, str]()
    for name, distribution in found.items():
        if name in changing or distribution.single():
            continue
        try:
            as_parameter(distribution)
        except SpaceError as error:
            refused[name] = str(error)
        else:
            usable[name] = distribution
    return usable, refused


def _by_rank(known: Distributions, joint: Sequence[str], where: Mapping[str, Where]) -> list[str]:
    """Choices first, then what most trials have, then what objectives ask for first."""
    order = list(known)
    kinds = {name: not isinstance(known[name], CategoricalDistribution) for name in joint}
    return sorted(joint, key=lambda name: (kinds[name], -len(where[name]), order.index(name)))


def _tells(
    name: str, parent: BaseDistribution, having: Where, where: Mapping[str, Where], done: Sequence[FrozenTrial]
) -> Test | None:
    """The test of a parent that holds in the trials with a group, and in no other that has the parent."""
    if isinstance(parent, FloatDistribution) and parent.step is None:
        return None
    present = {parent.to_internal_repr(done[i].params[name]) for i in having}
    absent = {parent.to_internal_repr(done[i].params[name]) for i in where[name] - having}
    if isinstance(parent, CategoricalDistribution):
        left = tuple(k for k in range(len(parent.choices)) if k not in absent)
        return None if present & absent else Test(name, left)
    if min(present) > max(absent):
        return Test(name, sign=">", bound=max(absent))
    return Test(name, sign="<", bound=min(absent)) if max(present) < min(absent) else None
