"""`Frozen`: a dict that belongs to a trial, and cannot be changed."""

from typing import Any, ClassVar, NoReturn, TypeVar

V = TypeVar("V")


class Frozen(dict[str, V]):
    """It equals, pickles and becomes JSON as a plain dict does. `what` is its name in a trial."""

    what: ClassVar[str]

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError(f"the {self.what} of a trial cannot be changed; change a copy: dict(trial.{self.what})")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[Any], tuple[dict[str, V]]]:
        return type(self), (dict(self),)
