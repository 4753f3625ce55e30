"""What these commands share: who does it, and the options that say so."""

import getpass
from collections.abc import Callable
from typing import Any, TypeVar

import click

from knowgrad.cli.common import answer, line, of_a_study, record, trial_argument
from knowgrad.text import one_line
from knowgrad.trial import Trial

C = TypeVar("C", bound=Callable[..., Any])


def _somebody() -> str | None:
    """Who is logged in, if the system knows."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return None
    return one_line(name)[:200] or None


by_option = click.option("--by", default=_somebody, help="Who does it; your login name if left out.")


def of_a_trial(command: C) -> C:
    """TRIAL, then who, then which study."""
    return trial_argument(by_option(of_a_study(command)))


def show(trial: Trial, *, as_json: bool) -> None:
    """The trial as it stands now, and its latest change."""
    last = trial.history[-1] if trial.history else None
    who = "" if last is None or last.by is None else f" by {last.by}"
    change = "" if last is None else f" ({last.kind}{who})"
    answer(record(trial), line(trial) + change, as_json=as_json)
