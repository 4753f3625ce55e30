"""What was measured of a trial: a value and its standard error for each outcome that is in."""

from typing import Any, NamedTuple

from knowgrad.outcomes.frozen import Frozen


class Measured(NamedTuple):
    """A value, and its standard error if that was told."""

    value: float
    sem: float | None = None


class Outcomes(Frozen[Measured]):
    """A dict of outcomes that cannot be changed; it equals, pickles and becomes JSON as a plain dict does."""

    what = "outcomes"

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    @classmethod
    def of(cls, stored: Any) -> "Outcomes":
        """From the form they have in a log: pairs of a value and a standard error."""
        return cls({name: Measured(*pair) for name, pair in stored.items()})


NOTHING = Outcomes()
