"""A Python function named on the command line: `module:function`."""

import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from pkgutil import resolve_name
from typing import Any

import click

from knowgrad.runner.objective import takes_trial
from knowgrad.text import describe

TARGET = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


@dataclass(frozen=True)
class Function:
    """Sent to workers as a name and imported there, the working directory first, as `python -m` does."""

    target: str

    def __call__(self, params: dict[str, Any], trial: Any = None) -> Any:
        found = _load(self.target)
        return found(params, trial) if takes_trial(found) else found(params)

    def check(self) -> None:
        """Say now, not in every trial, that it cannot be imported."""
        try:
            found = _load(self.target)
        except (ImportError, AttributeError) as error:
            raise click.BadParameter(f"expected module:function, got {self.target!r}: {describe(error)}") from error
        if not callable(found):
            raise click.BadParameter(f"expected a function, got {self.target!r}, which is a {type(found).__name__}")


@lru_cache(maxsize=1)
def _load(target: str) -> Any:
    if "" not in sys.path:
        sys.path.insert(0, "")
    return resolve_name(target)
