"""What commands share: which study is meant, how an answer is printed, how a trial is named."""

import json
import shlex
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from knowgrad.errors import KnowgradError
from knowgrad.storage import studies
from knowgrad.storage.address import shown_address
from knowgrad.study import Study
from knowgrad.tables import record
from knowgrad.text import brief, measured, note, one_line, plain
from knowgrad.trial import Trial

__all__ = [
    "answer",
    "json_option",
    "line",
    "load",
    "name_option",
    "of_a_study",
    "point",
    "point_out",
    "record",
    "storage_option",
    "trial_argument",
]

C = TypeVar("C", bound=Callable[..., Any])

storage_option = click.option(
    "--storage",
    metavar="FILE|URL",
    envvar="KNOWGRAD_STORAGE",
    default="knowgrad.db",
    show_default=True,
    show_envvar=True,
    help="Where studies are kept: a file, sqlite:///file, or postgresql://user@host/database.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")


def _names(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """For the shell's completion, where an error would only be in the way."""
    try:
        names = [study.name for study in studies(ctx.params.get("storage") or "knowgrad.db")]
    except (KnowgradError, OSError):
        return []
    return [name for name in names if name.startswith(incomplete) and plain(name) == name]


name_option = click.option(
    "--name", shell_complete=_names, help="The study; may be left out if the storage has only one."
)


def of_a_study(command: C) -> C:
    """The options of a command that is about one stored study."""
    return storage_option(name_option(json_option(command)))


def load(storage: str, name: str | None) -> Study:
    return Study.load(storage, name)


def _key(_: click.Context, __: click.Parameter, text: str) -> int | str:
    return int(text) if text.isdecimal() else text


trial_argument = click.argument("trial", callback=_key)  # its number or its id


def answer(data: object, text: str, *, as_json: bool) -> None:
    """The one thing a command prints on stdout."""
    click.echo(json.dumps(data, allow_nan=False) if as_json else plain(text))


def point_out(why: str | None, trial: Trial, storage: str, name: str | None) -> None:
    """A result that looks like a mistake, on standard error, with the command that puts it right."""
    if why is not None:
        study = f"--storage {shlex.quote(shown_address(storage))} --name {shlex.quote(name or '')}"
        note(f"trial {trial.number}: {why}; if it is a mistake: knowgrad correct {trial.number} VALUE {study}")


def point(params: Mapping[str, Any]) -> str:
    """Params for people; JSON has every digit."""
    return ", ".join(f"{one_line(name)} = {brief(value)}" for name, value in params.items())


def outcomes(trial: Trial) -> str:
    """Named outcomes that are in, and which were asked for, if not all."""
    told = ", ".join(f"{one_line(name)} {measured(*each)}" for name, each in trial.outcomes.items())
    asked = "" if trial.measure is None else f" (measure {', '.join(map(one_line, trial.measure))})"
    return (f": {told}" if told else "") + asked


def line(trial: Trial) -> str:
    """A trial in one line."""
    said = f"trial {trial.number} ({trial.state}): {point(trial.params)}"
    if trial.outcomes or trial.measure is not None:
        said += outcomes(trial)
    elif trial.value is not None:
        said += f": {brief(trial.value)}" + ("" if trial.sem is None else f" ± {brief(trial.sem)}")
    said += "" if trial.cost is None else f", cost {brief(trial.cost)}"
    return said if trial.reason is None else f"{said}: {one_line(trial.reason)}"
