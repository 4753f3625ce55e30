"""What words on the command line mean: numbers, and points as NAME=VALUE."""

from typing import Any

import click

from knowgrad import tables
from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.space import Space
from knowgrad.tables import meaning

Words = tuple[str, ...]


def number(text: str) -> float:
    """A number as tables have them: with a decimal point. For `type=` of an argument or option."""
    try:
        return float(tables.number(text))
    except ArgumentError as error:
        raise click.BadParameter(str(error)) from None


point_argument = click.argument("params", nargs=-1, required=True, metavar="NAME=VALUE...")


given_option = click.option("--given", multiple=True, metavar="NAME=VALUE", help="Only points that have this value.")
shared_option = click.option(
    "--shared",
    multiple=True,
    metavar="NAME[=COUNT]",
    help="At most COUNT values of NAME in a batch. Default: one.",
)


measure_option = click.option(
    "--measure",
    multiple=True,
    metavar="auto|OUTCOME",
    help="Which named outcomes to measure; auto: those worth most per cost. Default: all.",
)


def read_measure(words: Words) -> str | list[str] | None:
    """What `Study.ask` takes as `measure`."""
    return "auto" if words == ("auto",) else list(words) or None


def read_shared(words: Words) -> dict[str, int]:
    """How many different values of a parameter a batch may have, of NAME=COUNT words; NAME alone means one."""
    found = {}
    for word in words:
        name, sign, text = word.rpartition("=") if word.rpartition("=")[2].isdecimal() else (word, "", "1")
        if name in found:
            raise click.BadParameter(f"expected each name once, got {name!r} twice")
        found[name] = int(text) if sign else 1
    return found


def read_widths(words: Words) -> dict[str, float]:
    """The tolerances that NAME=NUMBER words give."""
    pairs = [word.rpartition("=") for word in words]
    if wrong := [word for word, (name, _, _) in zip(words, pairs, strict=True) if not name]:
        raise click.BadParameter(f"expected NAME=NUMBER, got {wrong[0]!r}")
    return {name: number(text) for name, _, text in pairs}


def read_point(words: Words, space: Space) -> dict[str, Any]:
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
