"""Optuna's distributions as a knowgrad space, and back."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import optuna
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
    distribution_to_json,
)

from knowgrad.errors import SpaceError
from knowgrad.space import Choice, Float, Int, Parameter, Params, Space


@dataclass(frozen=True)
class SearchSpace:
    """Distributions by name, and the space that stands for them.

    `by_index` names the choices that the space knows by their index: an option of Optuna's may be any object.
    """

    distributions: dict[str, BaseDistribution]
    space: Space
    by_index: frozenset[str] = frozenset()

    @classmethod
    def of(cls, distributions: Mapping[str, BaseDistribution]) -> SearchSpace:
        parameters = {name: as_parameter(distribution) for name, distribution in distributions.items()}
        chosen = {name for name, one in distributions.items() if isinstance(one, CategoricalDistribution)}
        return cls(dict(distributions), Space(parameters), frozenset(chosen))

    @classmethod
    def plain(cls, distributions: Mapping[str, BaseDistribution]) -> SearchSpace:
        """With choices as they are, which must then be plain values."""
        forms = {
            name: Choice(one.choices) if isinstance(one, CategoricalDistribution) else as_parameter(one)
            for name, one in distributions.items()
        }
        return cls(dict(distributions), Space(forms))

    @classmethod
    def declared(cls, space: Space) -> SearchSpace:
        """Of a space that a user has written down, constraints included."""
        return cls({name: as_distribution(one) for name, one in space.parameters.items()}, space)

    @property
    def signature(self) -> int:
        """A number that two processes with the same distributions agree on."""
        texts = [f"{name}={distribution_to_json(self.distributions[name])}" for name in sorted(self.distributions)]
        return zlib.crc32("\n".join(texts).encode())

    def encode(self, params: Mapping[str, Any]) -> Params | None:
        """Optuna's params as the space's; None if a value is missing or outside, as a fixed parameter's may be."""
        if not set(self.space.always) <= params.keys():
            return None
        given = [name for name in self.distributions if name in params]
        try:
            return self.space.validate({name: self._inward(name, params[name]) for name in given})
        except ValueError:  # ours, or Optuna's about a choice it does not know
            return None

    def decode(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The space's params as Optuna's."""
        return {name: self._outward(name, value) for name, value in params.items()}

    def pack(self, params: Mapping[str, Any]) -> dict[str, float]:
        """Optuna's params as numbers that survive JSON: choices by their index."""
        known = [(name, one) for name, one in self.distributions.items() if name in params]
        return {name: float(one.to_internal_repr(params[name])) for name, one in known}

    def unpack(self, packed: Mapping[str, float]) -> dict[str, Any]:
        """The params that were packed; names of another search space are left out."""
        known = {name: value for name, value in packed.items() if name in self.distributions}
        return {name: self.distributions[name].to_external_repr(value) for name, value in known.items()}

    def _inward(self, name: str, value: Any) -> Any:
        return int(self.distributions[name].to_internal_repr(value)) if name in self.by_index else value

    def _outward(self, name: str, value: Any) -> Any:
        return self.distributions[name].to_external_repr(value) if name in self.by_index else value


def as_parameter(distribution: BaseDistribution) -> Parameter:
    """The parameter that ranges over the same values; a choice by the index of its options."""
    match distribution:
        case FloatDistribution(low=low, high=high, log=log, step=step):
            return Float(low, high, log=log, step=step)
        case IntDistribution(low=low, high=high, log=log, step=step):
            return Int(low, high, log=log, step=step)
        case CategoricalDistribution(choices=choices):
            return Choice(tuple(range(len(choices))))
    raise SpaceError(f"expected a float, int or categorical distribution of Optuna's, got {distribution!r}; change it")


def as_distribution(parameter: Parameter) -> BaseDistribution:
    """The distribution of Optuna's that ranges over the same values."""
    match parameter:
        case Float(low=low, high=high, log=log, step=step):
            return FloatDistribution(low, high if step is None else float(parameter.ends[1]), log=log, step=step)
        case Int(low=low, log=log, step=step):
            return IntDistribution(low, int(parameter.ends[1]), log=log, step=step)
        case Choice(options=options):
            return CategoricalDistribution(options)
    raise SpaceError(f"expected Float, Int or Choice, got {parameter!r}; Optuna has no such distribution")


def common_space(trials: list[optuna.trial.FrozenTrial]) -> tuple[dict[str, BaseDistribution], dict[str, str]]:
    """What all completed trials have in common and q-KG can search, and why the rest of it cannot be searched."""
    usable: dict[str, BaseDistribution] = {}
    refused: dict[str, str] = {}
    for name, distribution in optuna.search_space.intersection_search_space(trials).items():
        if distribution.single():
            continue
        try:
            as_parameter(distribution)
        except SpaceError as error:
            refused[name] = str(error)
        else:
            usable[name] = distribution
    return usable, refused
