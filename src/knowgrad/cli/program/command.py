"""Any program as an objective: a command line with `{placeholders}`, run once for each trial.

Without a shell every word of the command line stays one argument, whatever a value contains. With a shell the values
travel in environment variables, so that nothing in them is ever read as shell code. A word that the program itself
reads as code, such as the script of `sh -c`, may not hold values that could be code (`nested`).

A word with the placeholder of a parameter that does not exist in a trial is left out, and if it is the placeholder
alone, so is an option right before it: `--drop {drop}`, `--drop={drop}`. With a shell such a placeholder is empty text.

A program runs in a process group of its own. What it leaves running when it ends is ended as well, in whatever group
that is by then.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import IO, Any

import click

from knowgrad.cli.program.nested import code_words
from knowgrad.cli.program.output import read_result
from knowgrad.cli.program.pattern import compiled
from knowgrad.cli.program.placeholders import check_used
from knowgrad.cli.program.steps import Lines
from knowgrad.errors import ArgumentError
from knowgrad.runner.ending import HAS_GROUPS, Family, end
from knowgrad.runner.failure import Failure
from knowgrad.runner.kin import MARK, Kin, new_mark
from knowgrad.runner.serving import started
from knowgrad.text import one_line, plain

KEPT = 65_536  # bytes of output that are looked at
SHOWN = 500  # characters of stderr that become the reason of a failure
LINES = 40  # last lines of stderr that are kept with the trial
LOOK = 0.1  # seconds between two looks at what a program that reports has printed
VARIABLE = "KNOWGRAD_PARAM_{}"
NUMBER, CONTINUES = "KNOWGRAD_TRIAL", "KNOWGRAD_CONTINUES"  # its number, and that of the run it continues
MEASURE = "KNOWGRAD_MEASURE"  # tells a program which of the named outcomes are asked for
OPTION = re.compile(r"--?[^-={}\s][^={}]*")


@dataclass(frozen=True)
class Command:
    """A command line with a placeholder for each of the parameters `names`."""

    words: tuple[str, ...]
    names: tuple[str, ...]
    shell: bool = False
    risky: frozenset[str] = frozenset()
    """Parameters whose values could mean something as code."""
    result: str | None = None
    """Where the result is in the output; None: it is the last number."""
    sometimes: Mapping[str, str] = field(default_factory=dict)
    """Parameters that do not exist in every trial, and when they do."""
    outcomes: tuple[str, ...] = ()
    """The named outcomes of the study, of which the command prints JSON."""
    columns: frozenset[str] = frozenset()
    """Columns of a list of candidates, of which some are enough."""

    reports: bool = False
    """May it print steps, a line of JSON each?"""

    def check(self) -> None:
        """Refuse what would fail, or mean something else, in every trial."""
        if self.result is not None:
            compiled(self.result, self.outcomes)
        if not self.shell and shutil.which(self.words[0]) is None:
            raise click.BadParameter(f"expected a program, got {self.words[0]!r}, which is not found")
        used = {match[2] for word in self.words for match in self._pattern().finditer(word) if match[2]}
        check_used(used, self.names, self.columns)
        if self.shell:
            self._script()
        else:
            self._check_words()
        self._check_code()

    def check_params(self, params: Mapping[str, Any]) -> None:
        """Refuse points of a space that was changed since: the command would not be told all of it."""
        new = [name for name in params if name not in self.names]
        gone = [name for name in self.names if name not in params and name not in self.sometimes]
        if new or gone:
            what = f"it has {new[0]}, too" if new else f"{gone[0]} was dropped"
            raise ArgumentError(
                f"the space: expected the parameters {', '.join(self.names)}, got another one, {what}; start "
                f"again with a command that {'takes' if new else 'does without'} {{{(new or gone)[0]}}}"
            )

    def __call__(self, params: Mapping[str, Any], trial: Any = None) -> object:
        """The result that the command prints, or what went wrong; a generator of its steps where it may report."""
        if self.reports:
            return self._stepped(params, trial)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            return self._read(_run(*self._filled_in(params, trial), out, err), out, err)

    def _stepped(self, params: Mapping[str, Any], trial: Any) -> Generator[dict[str, Any], None, object]:
        """Steps as they are printed; it is ended if nobody wants more of them."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            lines, running, some = Lines(out), _running(*self._filled_in(params, trial), out, err), False
            with closing(running):
                while (code := next(running, None)) is None:
                    for step in lines.steps():
                        some = True
                        yield step
            for step in lines.steps():
                some = True
                yield step
            result = self._read(code, out, err)
            return result if isinstance(result, Failure) or not some else None

    def _filled_in(self, params: Mapping[str, Any], trial: Any) -> tuple[list[str], dict[str, str]]:
        """The words to run, and the environment to run them in."""
        values = {name: _text(value) for name, value in params.items()}
        env = {VARIABLE.format(i): values.get(name, "") for i, name in enumerate(self.names)} if self.shell else {}
        if self.outcomes:
            env[MEASURE] = ",".join(getattr(trial, "measure", None) or self.outcomes)
        if trial is not None:
            env[NUMBER] = str(trial.number)
            env[CONTINUES] = "" if trial.continues is None else str(trial.continues)
        words = ["/bin/sh", "-c", self._script()] if self.shell else self._words(values)
        return words, {**os.environ, **env}

    def _read(self, code: int, out: IO[bytes], err: IO[bytes]) -> object:
        """What a program that has ended with this code has said."""
        if code:
            said = _tail(err)
            reason = f"{_ending(code)}: {line}" if (line := one_line(said)[-SHOWN:]) else _ending(code)
            return Failure(reason, "\n".join(plain(said).splitlines()[-LINES:]) or None)
        return read_result(_tail(out), self.result, self.outcomes)

    def _check_code(self) -> None:
        """Refuse what would let a value be read as code by the program."""
        for program, word in code_words(" ".join(self.words) if self.shell else self.words):
            for match in self._pattern().finditer(word):
                if match[2] in self.risky:
                    raise click.BadParameter(
                        f"expected {match[0]} outside of what {program} reads as code, since values of {match[2]} "
                        "could be code there; pass it as an argument, "
                        f"""as in: sh -c 'echo "$1"' sh {match[0]}, or give the script to --shell, without {program}"""
                    )

    def _check_words(self) -> None:
        """Refuse a word of which it is not clear whether it is to be left out."""
        for word in self.words:
            held = [match[2] for match in self._pattern().finditer(word) if match[2]]
            if len({self.sometimes.get(name) for name in held}) > 1:
                name = next(name for name in held if name in self.sometimes)
                raise click.BadParameter(
                    f"expected {{{name}}} in a word of its own, got {word!r}: where {name} does not exist its word is "
                    "left out, and what else is in it would be, too; split it"
                )

    def _words(self, values: Mapping[str, str]) -> list[str]:
        found: list[str] = []
        for i, word in enumerate(self.words):
            held = [match for match in self._pattern().finditer(word) if match[2]]
            if all(match[2] in values for match in held):
                found.append(self._filled(word, lambda match: values[match[2]]))
            elif held[0][0] == word and i > 1 and OPTION.fullmatch(self.words[i - 1]):
                found.pop()  # the option whose value this would be
        return found

    def _script(self) -> str:
        script = " ".join(self.words)

        def reference(match: re.Match[str]) -> str:
            variable = f"${{{VARIABLE.format(self.names.index(match[2]))}}}"
            quote = _quote_at(script, match.start())
            if quote == "'":
                raise click.BadParameter(f"expected {match[0]} outside of single quotes; it is quoted by itself")
            return variable if quote else f'"{variable}"'

        return self._filled(script, reference)

    def _filled(self, text: str, value: Callable[[re.Match[str]], str]) -> str:
        return self._pattern().sub(lambda match: f"{{{match[1]}}}" if match[1] else value(match), text)

    def _pattern(self) -> re.Pattern[str]:
        """{{word}}, which stands for braces, or {word}."""
        word = "|".join([*map(re.escape, self.names), r"[^\W\d]\w*"])
        return re.compile(rf"\{{\{{({word})\}}\}}|\{{({word})\}}")


def _run(words: list[str], env: dict[str, str], out: IO[bytes], err: IO[bytes]) -> int:
    """The exit code of a program that has ended, with all that it has started."""
    return next(code for code in _running(words, env, out, err, pause=None) if code is not None)


def _running(
    words: list[str], env: dict[str, str], out: IO[bytes], err: IO[bytes], pause: float | None = LOOK
) -> Generator[int | None, None, None]:
    """The exit code, once it has ended, with all that it has started; before that None after every pause."""
    leads: dict[str, Any] = {"process_group": 0} if HAS_GROUPS else {}
    mark = new_mark()
    env = {**env, MARK: mark}
    process = subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err, **leads)
    family = Family(process.pid, lambda: (process.pid,), lambda: process.poll() is not None, Kin(process.pid, mark))
    with started(process.pid):
        try:
            while pause is not None and process.poll() is None:
                yield None
                with suppress(subprocess.TimeoutExpired):
                    process.wait(pause)
            yield process.wait()
        finally:
            end([family])
            process.wait()


def _quote_at(script: str, position: int) -> str:
    """The quote that is open there, or nothing. A misjudgement would split a value into words, and never run it."""
    quote, i = "", 0
    while i < position:
        if script[i] == "\\" and quote != "'":
            i += 1
        elif script[i] == quote:
            quote = ""
        elif not quote and script[i] in "'\"":
            quote = script[i]
        i += 1
    return quote


def _text(value: object) -> str:
    """A value as an argument: text as it is, the rest as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def _tail(stream: IO[bytes]) -> str:
    stream.seek(max(0, stream.seek(0, os.SEEK_END) - KEPT))
    return stream.read().decode(errors="replace")


def _ending(code: int) -> str:
    return f"exit code {code}" if code > 0 else f"killed by {signal.Signals(-code).name}"
