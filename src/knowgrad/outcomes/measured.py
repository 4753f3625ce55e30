"""What was measured of a trial: a value and its standard error for each outcome that is in."""

from typing import Any, NamedTuple, NoReturn


class Measured(NamedTuple):
    """A value, and its standard error if that was told."""

    value: float
    sem: float | None = None


class Outcomes(dict[str, Measured]):
    """A dict of outcomes that cannot be changed; it equals, pickles and becomes JSON as a plain dict does."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("the outcomes of a trial cannot be changed; change a copy: dict(trial.outcomes)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type["Outcomes"], tuple[dict[str, Measured]]]:
        return Outcomes, (dict(self),)

    @classmethod
    def of(cls, stored: Any) -> "Outcomes":
        """From the form they have in a log: pairs of a value and a standard error."""
        return cls({name: Measured(*pair) for name, pair in stored.items()})


NOTHING = Outcomes()
