"""Limits on outcomes: from text such as "impurity <= 0.5" to a bound that must hold."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from knowgrad.checked import as_float
from knowgrad.errors import ArgumentError
from knowgrad.text import shown

Sense = Literal["<=", ">="]
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
ONE = re.compile(rf"\s*(?P<name>[^<>=]*?)\s*(?P<sense><=|>=|<|>)\s*(?P<bound>{NUMBER})\s*")
TURNED = re.compile(rf"\s*(?P<bound>{NUMBER})\s*(?P<sense><=|>=|<|>)\s*(?P<name>[^<>=]*?)\s*")
TWO = re.compile(rf"\s*(?P<low>{NUMBER})\s*<=?\s*(?P<name>[^<>=]*?)\s*<=?\s*(?P<high>{NUMBER})\s*")
FORM = "write 'impurity <= 0.5', 'purity >= 99' or '5 <= ph <= 7'"


@dataclass(frozen=True, slots=True)
class Limit:
    """`outcome <= bound`, or `>=`: what has to hold of the noise-free value of an outcome."""

    outcome: str
    sense: Sense
    """<= or >=."""
    bound: float

    @property
    def sign(self) -> float:
        """+1 if less is safer, else −1: it holds where sign * (value − bound) <= 0."""
        return 1.0 if self.sense == "<=" else -1.0

    def holds(self, value: float) -> bool:
        return self.sign * (value - self.bound) <= 0.0

    def __str__(self) -> str:
        return f"{self.outcome} {self.sense} {repr(self.bound).removesuffix('.0')}"


def read_limit(text: object, what: str = "limits") -> list[Limit]:
    """What one limit says: '5 <= ph <= 7' says two things."""
    if isinstance(text, Limit):
        return [text]
    if isinstance(text, str):
        if found := TWO.fullmatch(text):
            name = found["name"]
            return [Limit(name, ">=", float(found["low"])), Limit(name, "<=", float(found["high"]))]
        if found := ONE.fullmatch(text):
            return [Limit(found["name"], _sense(found["sense"]), float(found["bound"]))]
        if found := TURNED.fullmatch(text):
            return [Limit(found["name"], _turned(_sense(found["sense"])), float(found["bound"]))]
    raise ArgumentError(f"{what}: expected a bound of an outcome, got {shown(text)}; {FORM}")


def checked_limits(limits: object, what: str = "limits") -> tuple[Limit, ...]:
    """All limits, each side of an outcome once, none against another."""
    if isinstance(limits, str | Limit):
        limits = [limits]
    if isinstance(limits, Mapping) or not isinstance(limits, Iterable):
        raise ArgumentError(f"{what}: expected a list of texts, got {shown(limits)}; {FORM}")
    found: dict[tuple[str, str], Limit] = {}
    for limit in [each for text in limits for each in read_limit(text, what)]:
        _check(limit, what)
        if (limit.outcome, limit.sense) in found:
            before = found[limit.outcome, limit.sense]
            raise ArgumentError(
                f"{what}: expected one bound on each side of an outcome, got '{before}' and '{limit}'; keep one"
            )
        found[limit.outcome, limit.sense] = Limit(limit.outcome, limit.sense, float(limit.bound))
    for limit in found.values():
        other = found.get((limit.outcome, _turned(limit.sense)))
        if other is not None and (other.bound == limit.bound or not limit.holds(other.bound)):
            raise ArgumentError(
                f"{what}: expected limits with room between them, got '{limit}' and '{other}'; correct one of them"
            )
    return tuple(found.values())


def _check(limit: Limit, what: str) -> None:
    bound = as_float(limit.bound)
    if not isinstance(limit.outcome, str) or not limit.outcome or limit.sense not in ("<=", ">="):
        raise ArgumentError(f"{what}: expected the name of an outcome and a bound, got {shown(limit)}; {FORM}")
    if bound is None or not math.isfinite(bound):
        raise ArgumentError(f"{what}: {limit.outcome}: expected a finite bound, got {shown(limit.bound)}; {FORM}")


def _sense(sign: str) -> Sense:
    return "<=" if sign.startswith("<") else ">="


def _turned(sense: Sense) -> Sense:
    return ">=" if sense == "<=" else "<="
