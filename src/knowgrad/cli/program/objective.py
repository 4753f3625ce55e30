"""What is to be run for each trial, as words of the command line: a Python function or a program."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import click

from knowgrad.cli.program.command import Command
from knowgrad.cli.program.function import TARGET, Function
from knowgrad.cli.program.nested import is_safe
from knowgrad.space import Candidates, Choice, Space
from knowgrad.space.looks.fidelity import has_curves


def read_objective(
    words: Sequence[str], space: Space, *, shell: bool, result: str | None = None, outcomes: tuple[str, ...] = ()
) -> Function | Command:
    """`module:function` alone is a function, anything else a command line; checked before the first trial."""
    if len(words) == 1 and not shell and TARGET.fullmatch(words[0]):
        if result is not None:
            raise click.UsageError("--result: expected a program, got a function, whose result is what it returns")
        objective: Function | Command = Function(words[0])
    else:
        objective = Command(
            tuple(words), space.names, shell, frozenset(_risky(space)), result, _sometimes(space), outcomes
        )
        columns = frozenset(space.table) if isinstance(space, Candidates) else frozenset()
        objective = replace(objective, columns=columns, reports=result is None and not outcomes and has_curves(space))
    objective.check()
    return objective


def _sometimes(space: Space) -> dict[str, str]:
    """Parameters that do not exist in every trial, and when they do."""
    return {name: str(space.parameters[name].when) for name in space.names if name not in space.always}


def _risky(space: Space) -> Iterator[str]:
    """Parameters whose values could mean something as code."""
    for name, parameter in space.parameters.items():
        if isinstance(parameter, Choice) and not all(map(is_safe, parameter.options)):
            yield name
