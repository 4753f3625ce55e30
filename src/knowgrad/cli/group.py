"""The group of commands: errors become one line on stderr and an exit code that scripts can rely on.

| code | meaning |
|---|---|
| 0 | done |
| 1 | refused or failed: the message says why |
| 2 | the command line cannot be understood |
| 3 | not found, or nothing known yet: no such study or trial, no result |
| 4 | in conflict with what is recorded: another outcome, another space |
| 5 | the storage cannot be used: damaged, full, or out of reach |
| 130 | interrupted |
"""

import warnings
from typing import Any

import click

from knowgrad import errors
from knowgrad.text import note, plain

EXIT_CODES: dict[int, tuple[type[errors.KnowgradError], ...]] = {
    3: (errors.NoDataError, errors.UnknownStudyError, errors.UnknownTrialError),
    4: (errors.ConflictError, errors.MismatchError),
    5: (errors.StorageError,),
}


class Refusal(click.ClickException):
    """An error of the package, with its exit code."""

    def __init__(self, error: errors.KnowgradError) -> None:
        super().__init__(plain(error))
        self.exit_code = next((code for code, kinds in EXIT_CODES.items() if isinstance(error, kinds)), 1)  # type: ignore[misc]


class Commands(click.Group):
    """A group whose commands may let every error of the package pass."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_: note(message)  # one line, and not where in the source
                return super().invoke(ctx)
        except errors.KnowgradError as error:
            raise Refusal(error) from error
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None
        except OSError as error:
            raise click.ClickException(plain(error)) from error
