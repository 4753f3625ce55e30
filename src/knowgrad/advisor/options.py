"""What a user may say about a study, checked before anything is made of it."""

import secrets
from pathlib import PurePath
from typing import TypeGuard

import numpy as np

from knowgrad.acquisition.methods import METHODS
from knowgrad.advisor.asked import Over, check_target
from knowgrad.checked import spread
from knowgrad.errors import ArgumentError
from knowgrad.text import shown
from knowgrad.trial import Noise, Settings

DIRECTIONS = ("minimize", "maximize")
FITS = ("map", "mle", "bayes")
UNNAMED = "study"
LONGEST = 200


def checked_settings(
    seed: object, direction: object, noise: object, method: object, fit: object, over: Over = ()
) -> Settings:
    """The settings these options make, or an ArgumentError that says what was expected."""
    check_target(_method(method), over)
    return Settings(_seed(seed), _direction(direction), _noise(noise), _method(method), _fit(fit), over)


def checked_name(name: object, storage: object = None) -> str | None:
    """The name of a study; one in a file or database has a name even if nobody gave it one."""
    if name is None:
        return UNNAMED if isinstance(storage, str | PurePath) else None
    if not _is_line(name):
        raise ArgumentError(
            f"name: expected a printable text of at most {LONGEST} characters or None, got {shown(name)}; "
            "leave it out for a nameless study"
        )
    return name


def checked_worker(worker: object) -> str | None:
    if worker is None or _is_line(worker):
        return worker
    raise ArgumentError(
        f"worker: expected a printable text of at most {LONGEST} characters or None, got {shown(worker)}; "
        "leave it out, or name the machine and process, say"
    )


def _is_line(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and 0 < len(text) <= LONGEST and text.isprintable()


def _direction(direction: object) -> str:
    if isinstance(direction, str) and direction in DIRECTIONS:
        return direction
    raise ArgumentError(f'direction: expected "minimize" or "maximize", got {shown(direction)}; pass one of the two')


def _seed(seed: object) -> int:
    if seed is None:
        return secrets.randbits(32)
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool) and seed >= 0:
        return int(seed)
    raise ArgumentError(f"seed: expected a whole number of at least 0 or None, got {shown(seed)}; pass seed=0, say")


def _noise(noise: object) -> Noise:
    if callable(noise) or (isinstance(noise, str) and noise == "learned"):
        return noise
    try:
        return spread(noise, "noise")
    except (ArgumentError, TypeError):
        raise ArgumentError(
            'noise: expected "learned", 0 (exact results), a standard deviation, or a function params -> standard '
            f"deviation, got {shown(noise)}; pass one of these"
        ) from None


def _method(method: object) -> str | object:
    if method in METHODS if isinstance(method, str) else hasattr(method, "propose"):
        return method
    names = ", ".join(repr(name) for name in METHODS)
    raise ArgumentError(f"method: expected one of {names}, or an object with propose(), got {shown(method)}; pass one")


def _fit(fit: object) -> str | None:
    if fit is None or (isinstance(fit, str) and fit in FITS):
        return fit
    names = ", ".join(repr(name) for name in FITS)
    raise ArgumentError(f"fit: expected one of {names} or None, got {shown(fit)}; leave it out if unsure")
