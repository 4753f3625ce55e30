"""What both kinds of numbers share: how fine their levels may be, their bounds, and how they are shown."""

from __future__ import annotations

import math
from typing import Any

from knowgrad.errors import SpaceError
from knowgrad.space.coordinates import Parameter, described
from knowgrad.text import shown

FINEST = 2**50  # cells per axis: u = k / FINEST is exact, and rint(u * cells) finds k again for any smaller count
NARROW = 1e-6  # log(high / low) below this: the log scale cannot be told from the linear one, and loses digits


def ordered(low: float, high: float, kind: str) -> None:
    """Refuse bounds between which there is nothing."""
    if low >= high:
        why = "equal bounds leave nothing to choose: leave the parameter out" if low == high else "swap them"
        raise SpaceError(f"{kind} needs low < high, got low={shown(low)}, high={shown(high)}; {why}")


def positive(low: float, kind: str) -> None:
    """Refuse a range that a log scale has no place for."""
    if low <= 0:
        raise SpaceError(f"{kind} with log=True needs low > 0, got low={shown(low)}; raise low or use log=False")


def inside(value: float, low: float, high: float) -> None:
    """Refuse a value out of bounds."""
    if not low <= value <= high:
        raise SpaceError(f"expected a value between {low} and {high}, got {shown(value)}")


def on_log(value: float) -> float:
    """The logarithm of a value, which may lie out of bounds."""
    if value <= 0:
        raise SpaceError(f"expected a value above 0, which a log scale has a place for, got {shown(value)}")
    return math.log(value)


def numeric_record(parameter: Any, kind: str) -> dict[str, Any]:
    """What is written down of a number of this kind."""
    what = {"type": kind, "low": parameter.low, "high": parameter.high, "log": parameter.log, "step": parameter.step}
    return described(what, parameter.when)


def range_shown(parameter: Parameter) -> str:
    """Bounds, scale and steps as the user would write them."""
    told = parameter.describe()
    log = ", log=True" if told["log"] else ""
    step = "" if told["step"] in (None, 1) and not isinstance(told["step"], float) else f", step={told['step']}"
    return f"{told['low']}, {told['high']}{log}{step}"


def numeric_repr(self: Parameter) -> str:
    """All of it as the user would write it."""
    when = "" if self.when is None else f", when={self.when!r}"
    return f"{type(self).__name__}({range_shown(self)}{when})"
