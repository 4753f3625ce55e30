"""`knowgrad add`: a result obtained elsewhere."""

import json
from typing import Any

import click

from knowgrad.cli.common import answer, line, load, of_a_study, record
from knowgrad.space import Choice, Space


@click.command(context_settings={"ignore_unknown_options": True})  # a value may be negative
@click.argument("value", type=float)
@click.argument("params", nargs=-1, required=True, metavar="NAME=VALUE...")
@click.option("--sem", type=float, help="Its standard error, if known.")
@of_a_study
def add(
    value: float, params: tuple[str, ...], sem: float | None, storage: str, name: str | None, as_json: bool
) -> None:
    """Record VALUE as a result obtained elsewhere, at the point NAME=VALUE … of all parameters."""
    study = load(storage, name)
    added = study.add(_read(params, study.space), value, sem)
    answer(record(added), line(added), as_json=as_json)


def _read(words: tuple[str, ...], space: Space) -> dict[str, Any]:
    pairs = [word.partition("=") for word in words]
    if wrong := [word for word, (_, sign, _) in zip(words, pairs, strict=True) if not sign]:
        raise click.BadParameter(f"expected NAME=VALUE, got {wrong[0]!r}")
    return {name: _value(text, space, name) for name, _, text in pairs}


def _value(text: str, space: Space, name: str) -> Any:
    """Text if that is an option, else what it is as JSON: a number, true, false or null."""
    parameter = space.parameters.get(name)
    if isinstance(parameter, Choice) and text in parameter.options:
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
