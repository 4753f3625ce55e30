"""What scikit-learn's users write for `param_distributions`, as a knowgrad space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knowgrad.errors import SpaceError
from knowgrad.integrations.indexed import Indexed
from knowgrad.space import Float, Int, Parameter, Space
from knowgrad.space.parameters import as_parameter
from knowgrad.text import shown

RANGES = "a list of options, kg.Float, kg.Int, (low, high), or uniform, loguniform or randint of scipy.stats"


def as_indexed(distributions: Any) -> Indexed:
    """The space that `param_distributions` describe."""
    if isinstance(distributions, Space):
        return Indexed(distributions, {})
    if not isinstance(distributions, Mapping):
        raise SpaceError(
            f"param_distributions: expected one dict or a kg.Space, got {shown(distributions)}; "
            "search the dicts of a list one after the other"
        )
    return Indexed.of({name: _form(name, form) for name, form in distributions.items()})


def _form(name: str, form: Any) -> Parameter | Sequence[Any]:
    if isinstance(form, Parameter):
        return form
    if hasattr(form, "rvs"):
        return _from_scipy(name, form)
    if isinstance(form, tuple) and len(form) == 2:
        return as_parameter(form)
    if not hasattr(form, "__len__") or isinstance(form, str | bytes) or not len(form):
        raise SpaceError(f"parameter {name!r}: expected {RANGES}, got {shown(form)}")
    return list(form)


def _from_scipy(name: str, frozen: Any) -> Parameter:
    """The range of a frozen distribution that is uniform on some scale."""
    kind = getattr(getattr(frozen, "dist", None), "name", type(frozen).__name__)
    if kind in ("uniform", "loguniform", "reciprocal"):
        low, high = (float(end) for end in frozen.support())
        return Float(low, high, log=kind != "uniform")
    if kind == "randint":
        low, high = (int(end) for end in frozen.support())
        return Int(low, high)
    raise SpaceError(
        f"parameter {name!r}: expected {RANGES}, got the distribution {kind!r}; q-KG searches a range, so say which: "
        "kg.Float(low, high), or kg.Float(low, high, log=True)"
    )
