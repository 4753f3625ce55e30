"""`knowgrad change`: another space for a study that is there."""

import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from knowgrad.cli.common import answer, load, of_a_study
from knowgrad.cli.edit.saying import by_option
from knowgrad.cli.spacefile import parameter_record, read_file
from knowgrad.errors import ArgumentError
from knowgrad.space import Space
from knowgrad.tables import number

Forms = dict[str, Any]


@click.command(context_settings={"ignore_unknown_options": True})  # a value may be negative
@click.argument("forms", nargs=-1, metavar="[NAME=FORM]...")
@click.option("--drop", multiple=True, metavar="NAME", help="Drop a parameter; earlier trials still show it.")
@click.option("--earlier", multiple=True, metavar="NAME=VALUE", help="Of a new parameter: what it was until now.")
@click.option(
    "--space",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="All of it as this TOML file has it, constraints included.",
)
@click.option("--reason", help="Why.")
@by_option
@of_a_study
def change(
    forms: tuple[str, ...],
    drop: tuple[str, ...],
    earlier: tuple[str, ...],
    space: Path | None,
    reason: str | None,
    by: str | None,
    storage: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Change the space of a study. Results so far stay, and the model still learns from them.

    \b
    knowgrad change temperature=20:120                        # other bounds
    knowgrad change 'catalyst=["A", "B", "C"]'                # a new option
    knowgrad change pressure=1.0:5.0 --earlier pressure=1.0   # a new parameter
    knowgrad change --drop pressure
    knowgrad change --space study.toml                        # all that the file changed
    """
    study = load(storage, name)
    asked: Forms = {}
    constraints = None
    if space is not None:
        wanted = read_file(space)[0]
        asked, constraints = _whole(wanted, study.space), list(wanted.constraints)
        constraints = None if constraints == list(study.space.constraints) else constraints
    asked |= {key: _form(text, key, study.space) for key, text in _pairs(forms)} | dict.fromkeys(drop)
    if not asked and space is None:
        raise click.UsageError("expected NAME=FORM, --drop or --space, got none of them")
    had = {key: _value(text) for key, text in _pairs(earlier)}
    done = study.change(asked, earlier=had, constraints=constraints, reason=reason, by=by)
    answer({"name": study.name, **asdict(done)}, f"{study.name}: {done}", as_json=as_json)


def _whole(wanted: Space, now: Space) -> Forms:
    """What makes one space of the other."""
    had = now.parameters
    new = {name: each for name, each in wanted.parameters.items() if name not in had or each != had[name]}
    return new | {name: None for name in now.names if name not in wanted.parameters}


def _pairs(words: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs = [word.partition("=") for word in words]
    if wrong := [word for word, (key, sign, _) in zip(words, pairs, strict=True) if not (key and sign)]:
        raise click.BadParameter(f"expected NAME=…, got {wrong[0]!r}")
    return [(key.strip(), text.strip()) for key, _, text in pairs]


def _form(text: str, name: str, space: Space) -> Any:
    """LOW:HIGH, or what a file of a space has on the right of `name = `."""
    low, sign, high = text.partition(":")
    if sign and not text.startswith(("{", "[")):
        return number(low), number(high)
    try:
        form = tomllib.loads(f"form = {text}")["form"]
    except tomllib.TOMLDecodeError:
        raise click.BadParameter(
            f'{name}: expected LOW:HIGH, options ["A", "B"] or a table {{low = 1.0, high = 5.0}}, got {text!r}'
        ) from None
    if name in space.parameters and isinstance(form, dict | list):
        return form
    return parameter_record(form, name, Path())


def _value(text: str) -> Any:
    """A number if it is one, true or false, else text."""
    try:
        return number(text)
    except ArgumentError:
        return {"true": True, "false": False}.get(text, text)
