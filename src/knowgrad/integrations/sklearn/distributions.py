"""What scikit-learn's users write for `param_distributions`, as a knowgrad space.

A distribution that is uniform on some scale is a range. Any other is searched on the scale of its quantiles: what is
drawn often gets more room.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from knowgrad.checked import is_number
from knowgrad.errors import SpaceError
from knowgrad.integrations.indexed import Indexed
from knowgrad.integrations.sklearn.dicts import joined
from knowgrad.integrations.sklearn.forms import Form
from knowgrad.space import Float, Int, Parameter, Space
from knowgrad.space.parameters import as_parameter
from knowgrad.text import shown

FORMS = "a list of options, kg.Float, kg.Int, (low, high), or a distribution with rvs"
TAIL = 0.001  # of a distribution that is cut off at either end
DRAWS = 1000  # of a distribution that has no quantile function


def as_indexed(distributions: Any) -> Indexed:
    """The space that `param_distributions` describe."""
    if isinstance(distributions, Space):
        return Indexed(distributions, {})
    several = [distributions] if isinstance(distributions, Mapping) else distributions
    if not isinstance(several, list) or not several or not all(isinstance(each, Mapping) for each in several):
        raise SpaceError(f"param_distributions: expected a dict, a list of dicts or a kg.Space, got {shown(several)}")
    return joined([{name: _form(name, form) for name, form in each.items()} for each in several])


def _form(name: str, form: Any) -> Form:
    """A range or options, and what the numbers of a range stand for if not for themselves."""
    if isinstance(form, Parameter):
        return Form(form)
    if hasattr(form, "rvs"):
        return _distribution(form)
    if isinstance(form, tuple) and len(form) == 2 and all(map(is_number, form)):
        return Form(as_parameter(form))
    if not hasattr(form, "__len__") or isinstance(form, str | bytes) or not len(form):
        raise SpaceError(f"parameter {name!r}: expected {FORMS}, got {shown(form)}")
    return Form.of(list(form))


def _distribution(frozen: Any) -> Form:
    kind = getattr(getattr(frozen, "dist", None), "name", "")
    if kind in ("uniform", "loguniform", "reciprocal"):
        low, high = (float(end) for end in frozen.support())
        return Form(Float(low, high, log=kind != "uniform"))
    if not hasattr(frozen, "ppf"):
        return _drawn(frozen)
    if not hasattr(frozen.dist, "pmf"):
        law = (kind, frozen.args, sorted(frozen.kwds.items())) if kind else None
        return Form(Float(TAIL, 1 - TAIL), curve=lambda u: float(frozen.ppf(u)), law=law)
    low, high = frozen.support() if kind == "randint" else (frozen.ppf(TAIL), frozen.ppf(1 - TAIL))
    return Form(Int(int(low), int(high))) if low < high else Form.of([int(low)])


def _drawn(frozen: Any) -> Form:
    """By many draws: their quantiles if they are numbers, else their options."""
    rng = np.random.RandomState(0)
    draws = [frozen.rvs(random_state=rng) for _ in range(DRAWS)]
    different = list({repr(draw): draw for draw in draws}.values())
    if not all(map(is_number, draws)) or len(different) < DRAWS // 2:
        return Form.of(different)
    scale = np.sort(draws)
    whole = all(isinstance(draw, int | np.integer) for draw in draws)
    position = np.linspace(0.0, 1.0, DRAWS)

    def curve(u: float) -> Any:
        return round(np.interp(u, position, scale)) if whole else float(np.interp(u, position, scale))

    return Form(Float(0.0, 1.0), curve=curve)
