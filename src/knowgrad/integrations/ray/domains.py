"""Ray Tune's search spaces as knowgrad's: nested dicts of domains, flattened to names such as "model/width"."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ray.tune.search.sample import Categorical, Domain, Integer, LogUniform, Quantized, Uniform
from ray.tune.search.sample import Float as Real
from ray.tune.search.variant_generator import parse_spec_vars
from ray.tune.utils import flatten_dict

from knowgrad.errors import SpaceError
from knowgrad.integrations.indexed import Indexed
from knowgrad.space import Float, Int, Parameter, Params, Space

KNOWN = "tune.uniform, loguniform, randint, lograndint, their quantized forms, or choice"


@dataclass(frozen=True)
class TuneSpace:
    """A space, the options behind it, and how values on a log scale are rounded, which the space cannot express.

    `places` are the parameters within lists, and the keys that lead to each; `template` is the config they are from.
    """

    indexed: Indexed
    rounding: Mapping[str, Callable[[float], float]]
    places: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    template: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> TuneSpace | None:
        """Of a Tune config; None if nothing is to be searched. Constants are Tune's business."""
        _, domains, grids = parse_spec_vars(config)
        if grids:
            raise SpaceError("expected no tune.grid_search beside a search algorithm; use tune.choice instead")
        if not domains:
            return None
        named = {"/".join(map(str, path)): domain for path, domain in domains}
        rounding = {name: round_to for name, domain in named.items() if (round_to := _rounding(domain))}
        places = {"/".join(map(str, path)): path for path, _ in domains if any(isinstance(key, int) for key in path)}
        indexed = Indexed.of({name: _form(name, domain) for name, domain in named.items()})
        return cls(indexed, rounding, places, config if places else {})

    @classmethod
    def declared(cls, space: Space) -> TuneSpace:
        return cls(Indexed(space, {}), {})

    def rounded(self, params: Params) -> Params:
        """The params that are really tried."""
        return {name: self.rounding[name](v) if name in self.rounding else v for name, v in params.items()}  # type: ignore[arg-type]

    def config(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Nested, as Tune hands it to the trainable."""
        nested: dict[str, Any] = {}
        for name, value in self.indexed.decode(params).items():
            path: tuple[Any, ...] = self.places.get(name, tuple(name.split("/")))
            inner: Any = nested
            whole: Any = self.template
            for key in path[:-1]:
                whole = whole[key] if isinstance(whole, list) else whole.get(key, {})
                if isinstance(inner, dict) and key not in inner:
                    inner[key] = copy.deepcopy(whole) if isinstance(whole, list) else {}  # Tune replaces whole lists
                inner = inner[key]
            inner[path[-1]] = value
        return nested

    def params(self, config: Mapping[str, Any]) -> Params:
        """The space's params in a config; constants beside them are left out."""
        flat = {**flatten_dict(dict(config)), **{name: _within(config, path) for name, path in self.places.items()}}
        return self.indexed.encode({name: flat[name] for name in self.indexed.space.names if name in flat})


def _within(config: Any, path: tuple[Any, ...]) -> Any:
    """What stands in a config at the end of a path of keys and indices."""
    for key in path:
        config = config[key]
    return config


def _form(name: str, domain: Domain) -> Parameter | list[Any]:
    q, sampler = _quantum(domain)
    log = isinstance(sampler, LogUniform)
    if log or isinstance(sampler, Uniform):
        match domain:
            case Categorical():
                return list(domain.categories)
            case Real():
                return Float(domain.lower, domain.upper, log=log, step=None if log else q)
            case Integer():
                low, high = _ends(domain, q)
                return Int(low, high, log=log, step=1 if log or q is None else int(q))
    raise SpaceError(f"parameter {name!r}: expected {KNOWN}, got {domain!r}; give it a range or options")


def _quantum(domain: Domain) -> tuple[float | None, Any]:
    """The width of the steps, if there are any, and the sampler."""
    sampler = domain.get_sampler()
    return (sampler.q, sampler.sampler) if isinstance(sampler, Quantized) else (None, sampler)


def _ends(domain: Integer, q: float | None) -> tuple[int, int]:
    """The lowest and the highest value: Tune leaves the upper bound out, unless there are steps wider than one."""
    if q is None or q == 1:
        return int(domain.lower), int(domain.upper) - 1
    return math.ceil(domain.lower / q) * int(q), math.floor(domain.upper / q) * int(q)


def _rounding(domain: Domain) -> Callable[[float], float] | None:
    q, sampler = _quantum(domain)
    if q is None or not isinstance(sampler, LogUniform):
        return None
    if isinstance(domain, Integer):
        low, high = _ends(domain, q)
        return lambda value: min(max(round(value / q) * int(q), low), high)
    return lambda value: min(max(round(value / q) * q, domain.lower), domain.upper)
