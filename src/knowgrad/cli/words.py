"""What words on the command line mean: numbers, and points as NAME=VALUE."""

from typing import Any

import click

from knowgrad import tables
from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.space import Space
from knowgrad.tables import meaning


def number(text: str) -> float:
    """A number as tables have them: with a decimal point. For `type=` of an argument or option."""
    try:
        return float(tables.number(text))
    except ArgumentError as error:
        raise click.BadParameter(str(error)) from None


point_argument = click.argument("params", nargs=-1, required=True, metavar="NAME=VALUE...")


def read_point(words: tuple[str, ...], space: Space) -> dict[str, Any]:
    """The params that NAME=VALUE words give; whether they are all there, and in range, is for the study to say."""
    pairs = [word.partition("=") for word in words]
    if wrong := [word for word, (_, sign, _) in zip(words, pairs, strict=True) if not sign]:
        raise click.BadParameter(f"expected NAME=VALUE, got {wrong[0]!r}")
    return {name: _value(name, text, space) for name, _, text in pairs}


def _value(name: str, text: str, space: Space) -> Any:
    if name not in space.parameters:
        return text
    try:
        return meaning(text, space.parameters[name])
    except (ArgumentError, SpaceError) as error:
        raise SpaceError(f"parameter {name!r}: {error}") from None
