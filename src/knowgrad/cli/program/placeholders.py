"""Which parameters a command takes: one placeholder for each, of a list of candidates some columns."""

from collections.abc import Sequence, Set

import click


def check_used(used: Set[str], names: Sequence[str], columns: Set[str]) -> None:
    """Refuse placeholders that mean nothing, and a command that is not told which point it is.

    `columns` are those of a list of candidates: each says something about the row, and one may be enough.
    """
    if unknown := used - set(names):
        name = min(unknown)
        raise click.BadParameter(
            f"expected placeholders for {', '.join(names)}, got {{{name}}}; write {{{{{name}}}}} for braces"
        )
    if missing := [name for name in names if name not in used | columns]:
        raise click.BadParameter(f"expected a placeholder {{{missing[0]}}} in the command, got none; add it")
    if columns and not columns & used:
        said = ", ".join(f"{{{name}}}" for name in names if name in columns)
        raise click.BadParameter(f"expected placeholders of the row, some of {said}, in the command, got none; add one")
