"""Objectives that report as they go: a generator of pairs, `yield epoch, value`.

Each step is told where the run is, and there it is decided whether to go on. An objective that is not to go on is
closed: its `finally` runs. What it yielded last is its result, at the fidelity of that step; what it returns may be a
failure.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from inspect import isgenerator
from typing import Any

from knowgrad.runner.failure import Failure

# A step as it was yielded -> is the run to go on?
Hear = Callable[[Any], bool]


@dataclass(frozen=True)
class Step:
    """Not an answer yet: something that an objective has yielded."""

    said: Any


@dataclass(frozen=True)
class Ended:
    """The end of an objective that has reported, with nothing else to say."""


def followed(result: Any, hear: Hear) -> Any:
    """What an objective returned; of a generator, every step is heard first."""
    if not isgenerator(result):
        return result
    generator: Generator[Any, Any, Any] = result
    steps = 0
    try:
        while hear(next(generator)):
            steps += 1
    except StopIteration as last:
        if last.value is None:
            return Ended() if steps else Failure("the objective yielded no step and returned nothing")
        return last.value
    finally:
        generator.close()
    return Ended()


def pair(said: Any) -> tuple[Any, Any]:
    """A fidelity and a value, as an objective may yield them; a TypeError that says what was expected."""
    if isinstance(said, dict) and {"at", "value"} <= said.keys():
        return said["at"], said["value"]
    if isinstance(said, tuple | list) and len(said) == 2:
        return said[0], said[1]
    raise TypeError(f'expected a step (epoch, value) or {{"at": …, "value": …}}, got {type(said).__name__}')
