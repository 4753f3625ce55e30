"""Optuna's distributions as a knowgrad space, and back."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
    distribution_to_json,
)

from knowgrad.errors import SpaceError
from knowgrad.space import Choice, Float, Int, Parameter, Params, Space
from knowgrad.space.conditions.when import Test, When

Conditions = Mapping[str, Test]  # where a parameter exists; choices by index


@dataclass(frozen=True)
class SearchSpace:
    """Distributions by name, and the space that stands for them.

    `by_index` names the choices that the space knows by their index: an option of Optuna's may be any object.
    """

    distributions: dict[str, BaseDistribution]
    space: Space
    by_index: frozenset[str] = frozenset()

    @classmethod
    def of(cls, distributions: Mapping[str, BaseDistribution], conditions: Conditions | None = None) -> SearchSpace:
        parameters = {name: as_parameter(distribution) for name, distribution in distributions.items()}
        chosen = {name for name, one in distributions.items() if isinstance(one, CategoricalDistribution)}
        forms = {name: _existing(one, (conditions or {}).get(name)) for name, one in parameters.items()}
        return cls(dict(distributions), Space(forms), frozenset(chosen))

    @classmethod
    def plain(cls, distributions: Mapping[str, BaseDistribution], conditions: Conditions) -> SearchSpace:
        """With choices as they are, which must then be plain values."""

        def test_of(name: str) -> Test | None:
            test = conditions.get(name)
            parent = distributions[test.parent] if test else None
            if test is None or not isinstance(parent, CategoricalDistribution):
                return test
            return replace(test, values=tuple(parent.choices[k] for k in test.values if isinstance(k, int)))

        forms = {
            name: Choice(one.choices) if isinstance(one, CategoricalDistribution) else as_parameter(one)
            for name, one in distributions.items()
        }
        return cls(dict(distributions), Space({name: _existing(form, test_of(name)) for name, form in forms.items()}))

    @classmethod
    def declared(cls, space: Space) -> SearchSpace:
        """Of a space that a user has written down, constraints included."""
        return cls({name: as_distribution(one) for name, one in space.parameters.items()}, space)

    @property
    def signature(self) -> int:
        """A number that two processes with the same distributions agree on."""
        texts = [f"{name}={distribution_to_json(self.distributions[name])}" for name in sorted(self.distributions)]
        texts += [f"{name} when {one.when}" for name, one in sorted(self.space.parameters.items()) if one.when]
        return zlib.crc32("\n".join(texts).encode())

    def encode(self, params: Mapping[str, Any]) -> Params | None:
        """Optuna's params as the space's; None if a value is missing or outside, as a fixed parameter's may be.

        What does not exist there is left out: a trial may have been given it when less was known about the space.
        """
        if not set(self.space.always) <= params.keys():
            return None
        given: Params = {}
        try:
            for name in self.space.order:
                if name in params and self.space.lacks(name, given) is None:
                    given[name] = self.space.parameters[name].check(self._inward(name, params[name]))
            return self.space.validate(given)
        except ValueError:  # ours, or Optuna's about a choice it does not know
            return None

    def decode(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The space's params as Optuna's, without those that it does not know."""
        return {name: self._outward(name, value) for name, value in params.items() if name in self.distributions}

    def pack(self, params: Mapping[str, Any]) -> dict[str, float]:
        """Optuna's params as numbers that survive JSON: choices by their index."""
        known = [(name, one) for name, one in self.distributions.items() if name in params]
        return {name: float(one.to_internal_repr(params[name])) for name, one in known}

    def unpack(self, packed: Mapping[str, float]) -> dict[str, Any]:
        """The params that were packed; names of another search space are left out."""
        return unpack(self.distributions, packed)

    def some(self, packed: Mapping[str, float]) -> Params:
        """The space's values of some parameters that were packed."""
        return {name: self._inward(name, value) for name, value in self.unpack(packed).items()}

    def _inward(self, name: str, value: Any) -> Any:
        return int(self.distributions[name].to_internal_repr(value)) if name in self.by_index else value

    def _outward(self, name: str, value: Any) -> Any:
        return self.distributions[name].to_external_repr(value) if name in self.by_index else value


def unpack(distributions: Mapping[str, BaseDistribution], packed: Mapping[str, float]) -> dict[str, Any]:
    """Optuna's params of packed numbers; names without a distribution are left out."""
    return {name: distributions[name].to_external_repr(v) for name, v in packed.items() if name in distributions}


def as_parameter(distribution: BaseDistribution) -> Float | Int | Choice:
    """The parameter that ranges over the same values; a choice by the index of its options."""
    match distribution:
        case FloatDistribution(low=low, high=high, log=log, step=step):
            return Float(low, high, log=log, step=step)
        case IntDistribution(low=low, high=high, log=log, step=step):
            return Int(low, high, log=log, step=step)
        case CategoricalDistribution(choices=choices):
            return Choice(tuple(range(len(choices))))
    raise SpaceError(f"expected a float, int or categorical distribution of Optuna's, got {distribution!r}; change it")


def _existing(parameter: Float | Int | Choice, test: Test | None) -> Parameter:
    return parameter if test is None else replace(parameter, when=When((test,)))


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
