"""What scikit-learn's users write for `param_distributions`, as knowgrad spaces.

A distribution that is uniform on some scale is a range. Any other is searched on the scale of its quantiles: what is
drawn often gets more room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from knowgrad.checked import is_number
from knowgrad.errors import SpaceError
from knowgrad.integrations.indexed import Indexed
from knowgrad.space import Float, Int, Parameter, Space
from knowgrad.space.parameters import as_parameter
from knowgrad.text import shown

FORMS = "a list of options, kg.Float, kg.Int, (low, high), or a distribution with rvs"
TAIL = 0.001  # of a distribution that is cut off at either end
DRAWS = 1000  # of a distribution that has no quantile function
Curve = Callable[[float], Any]


def as_spaces(distributions: Any) -> list[Indexed]:
    """The spaces that `param_distributions` describe: one, or one for each dict of a list."""
    if isinstance(distributions, Space):
        return [Indexed(distributions, {})]
    several = [distributions] if isinstance(distributions, Mapping) else distributions
    if not isinstance(several, list) or not several or not all(isinstance(each, Mapping) for each in several):
        raise SpaceError(f"param_distributions: expected a dict, a list of dicts or a kg.Space, got {shown(several)}")
    return [_as_indexed(each) for each in several]


def _as_indexed(distributions: Mapping[str, Any]) -> Indexed:
    found = {name: _form(name, form) for name, form in distributions.items()}
    indexed = Indexed.of({name: form for name, (form, _) in found.items()})
    curves = {name: curve for name, (_, curve) in found.items() if curve is not None}
    return Indexed(indexed.space, indexed.options, curves)


def _form(name: str, form: Any) -> tuple[Parameter | Sequence[Any], Curve | None]:
    """A range or options, and what the numbers of a range stand for if not for themselves."""
    if isinstance(form, Parameter):
        return form, None
    if hasattr(form, "rvs"):
        return _distribution(form)
    if isinstance(form, tuple) and len(form) == 2 and all(map(is_number, form)):
        return as_parameter(form), None
    if not hasattr(form, "__len__") or isinstance(form, str | bytes) or not len(form):
        raise SpaceError(f"parameter {name!r}: expected {FORMS}, got {shown(form)}")
    return list(form), None


def _distribution(frozen: Any) -> tuple[Parameter | Sequence[Any], Curve | None]:
    kind = getattr(getattr(frozen, "dist", None), "name", "")
    if kind in ("uniform", "loguniform", "reciprocal"):
        low, high = (float(end) for end in frozen.support())
        return Float(low, high, log=kind != "uniform"), None
    if not hasattr(frozen, "ppf"):
        return _drawn(frozen)
    if not hasattr(frozen.dist, "pmf"):
        return Float(TAIL, 1 - TAIL), lambda u: float(frozen.ppf(u))
    low, high = frozen.support() if kind == "randint" else (frozen.ppf(TAIL), frozen.ppf(1 - TAIL))
    return (Int(int(low), int(high)), None) if low < high else ([int(low)], None)


def _drawn(frozen: Any) -> tuple[Parameter | Sequence[Any], Curve | None]:
    """By many draws: their quantiles if they are numbers, else their options."""
    rng = np.random.RandomState(0)
    draws = [frozen.rvs(random_state=rng) for _ in range(DRAWS)]
    different = list({repr(draw): draw for draw in draws}.values())
    if not all(map(is_number, draws)) or len(different) < DRAWS // 2:
        return different, None
    scale = np.sort(draws)
    whole = all(isinstance(draw, int | np.integer) for draw in draws)
    position = np.linspace(0.0, 1.0, DRAWS)
    return Float(
        0.0, 1.0
    ), lambda u: round(np.interp(u, position, scale)) if whole else float(np.interp(u, position, scale))
