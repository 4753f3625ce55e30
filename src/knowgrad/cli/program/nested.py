"""Words of a command line that a program reads as code: the script of `sh -c`, of `python -c`, of `awk`.

A value inside such a word would be read as code with it. Programs are known by their names, wherever they stand in the
line, so that `env`, `nice`, `timeout`, `xargs` or `srun` before them make no difference. A program that is not in the
table, or a script of the user's own that evaluates its arguments, cannot be known.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

SAFE = re.compile(r"[A-Za-z0-9_@%+=:,./-]*")  # means itself in every shell, quoted or not


@dataclass(frozen=True)
class Reader:
    """How a program is given code."""

    letters: str = ""
    """Options, of one letter, whose value is code."""
    names: tuple[str, ...] = ()
    """The same with a longer name."""
    valued: str = ""
    """Other options whose value may be the next word."""
    file: str = ""
    """Options after which no code is to come: it is in a file."""
    operand: bool = False
    """The first word that is no option is code, too."""
    late: bool = False
    """Options may follow words that are none."""
    rest: bool = False
    """All that follows is code."""


def _named(names: str, reader: Reader) -> dict[str, Reader]:
    return dict.fromkeys(names.split(), reader)


READERS = {
    **_named("sh bash dash ash zsh ksh mksh rbash csh tcsh fish", Reader("cC", ("--command", "--init-command"), "oO")),
    **_named("su runuser script flock", Reader("c", ("--command", "--session-command"), "sgGwEo", late=True)),
    **_named("sbatch", Reader(names=("--wrap",), late=True)),
    **_named("python pypy", Reader("c", valued="WX", file="m")),
    **_named("perl", Reader("eE", valued="I")),
    **_named("ruby", Reader("e", valued="rIC")),
    **_named("lua luajit", Reader("e", valued="l")),
    **_named("julia", Reader("eE", ("--eval", "--print"), "LJptHC")),
    **_named("r rscript gnuplot osascript groovy", Reader("e", valued="fgdl")),
    **_named("node nodejs bun deno", Reader("ep", ("--eval", "--print", "eval"), "rC")),
    **_named("php", Reader("rBRE", ("--run",), "dcz", file="f")),
    **_named("octave matlab", Reader(names=("--eval", "-batch", "-r"))),
    **_named("expect", Reader("c")),
    **_named("awk gawk mawk nawk", Reader("e", ("--source",), "vFi", file="f", operand=True)),
    **_named("sed gsed", Reader("e", ("--expression",), "l", file="f", operand=True)),
    **_named("env", Reader("S", ("--split-string",), "uC")),
    **_named("ssh rsh watch parallel eval make gmake cmd powershell pwsh", Reader(rest=True)),
}


def is_safe(value: object) -> bool:
    """Does it mean nothing but itself, whoever reads it? Numbers do, and names."""
    return not isinstance(value, str) or SAFE.fullmatch(value) is not None


def code_words(line: Sequence[str] | str) -> Iterator[tuple[str, str]]:
    """Programs and the words that they read as code; of a text that a shell is to read, its words."""
    words = _split(line) if isinstance(line, str) else list(line)
    for i, word in enumerate(words):
        name = PurePath(word).name.lower().removesuffix(".exe")
        reader = READERS.get(name) or READERS.get(name.rstrip("0123456789."))
        if reader is not None:
            yield from ((name, code) for code in _read_by(reader, words[i + 1 :]))


def _split(script: str) -> list[str]:
    lexer = shlex.shlex(script, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        return list(lexer)
    except ValueError:  # quotes that do not match, of which the shell has more to say
        return script.split()


def _read_by(reader: Reader, words: Sequence[str]) -> Iterator[str]:
    """What a program with these arguments reads as code; rather too much than too little."""
    if reader.rest:
        yield from words
        return
    comes = reader.operand  # is the next word that is no option code?
    more = True
    i = 0
    while i < len(words) and more:
        word = words[i]
        name, sign, _ = word.partition("=")
        if name in reader.names:
            comes = not sign
            yield word
        elif word[:1] in ("-", "+") and word[:2] != "--" and len(word) > 1:
            kind = _kind(reader, word)
            i += kind == "valued"
            more = kind != "file"
            if kind == "code":
                comes = True
                yield word  # perl -e'print 1' is one word
        elif word[:1] != "-":
            if comes:
                yield word
            more = reader.late or (comes and not reader.operand)
            comes = False
        i += 1


def _kind(reader: Reader, word: str) -> str:
    """What the letters after a dash announce."""
    for at, letter in enumerate(word[1:], 2):
        if letter in reader.file:
            return "file"
        if letter in reader.letters:
            return "code"
        if letter in reader.valued:
            return "valued" if at == len(word) else ""  # else its value is the rest
    return ""
