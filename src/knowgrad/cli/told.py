"""Named outcomes on the command line: NAME=VALUE or NAME=VALUE±SEM words, or one word of JSON."""

import json
import re
from collections.abc import Sequence
from typing import Any

import click

from knowgrad.cli.words import Words, number
from knowgrad.study import Study

APART = re.compile(r"±|\+-|\+/-")


def read_result(words: Words, study: Study) -> Any:
    """What `Study.tell` takes: a number, or the outcomes that the words name."""
    if not study.goals or (len(words) == 1 and "=" not in words[0] and not words[0].lstrip().startswith("{")):
        return _alone(words)
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        return _json(words[0])
    return read_outcomes(words)


def read_outcomes(words: Sequence[str]) -> dict[str, Any]:
    """The outcomes that NAME=VALUE or NAME=VALUE±SEM words give; which there are is for the study to say."""
    found: dict[str, Any] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not sign or name in found:
            raise click.BadParameter(f"expected NAME=VALUE or NAME=VALUE±SEM, each name once, got {word!r}")
        value, *sem = APART.split(text, maxsplit=1)
        found[name] = (number(value), number(sem[0])) if sem else number(value)
    return found


def _alone(words: Words) -> float:
    if len(words) != 1:
        raise click.BadParameter(f"expected one number, got {' '.join(words)!r}")
    return number(words[0])


def _json(word: str) -> dict[str, Any]:
    try:
        found = json.loads(word)
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f'expected JSON such as {{"yield": 91.2}}, got {word!r} ({error})') from None
    if not isinstance(found, dict):
        raise click.BadParameter(f'expected JSON such as {{"yield": 91.2}}, got {word!r}')
    return found
