"""The warnings of a search, each once: scikit-learn gives them for every batch, a user wants them for all."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from sklearn.exceptions import FitFailedWarning

FAILED = re.compile(r"(\d+) fits failed out of a total of (\d+)")
NOT_FINITE = re.compile(r"One or more of the (\w+) scores are non-finite")


class Warned:
    """What was said about fits that failed and scores that are not finite; all other warnings pass."""

    def __init__(self) -> None:
        self._fits: list[str] = []
        self._scores: dict[str, warnings.WarningMessage] = {}

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Keep the warnings of one batch."""
        caught: list[warnings.WarningMessage] = []
        try:
            with warnings.catch_warnings(record=True) as caught:
                yield
        finally:
            self._sort(caught)

    def _sort(self, caught: list[warnings.WarningMessage]) -> None:
        for each in caught:
            if issubclass(each.category, FitFailedWarning):
                self.fits_failed(str(each.message))
            elif found := NOT_FINITE.match(str(each.message)):
                self._scores[found[1]] = each  # the latest is about all batches so far
            else:
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno, source=each.source)

    def fits_failed(self, message: str) -> None:
        self._fits.append(message)

    def say(self) -> None:
        """At the end, or when an error ends the search."""
        if self._fits:
            warnings.warn(_together(self._fits), FitFailedWarning, stacklevel=2)
        for each in self._scores.values():
            warnings.warn(str(each.message), each.category, stacklevel=2)


def _together(messages: list[str]) -> str:
    """One message: the fits of all batches in the first line, then what was said about each."""
    counts = [(int(found[1]), int(found[2])) for found in map(FAILED.search, messages) if found]
    if len(messages) == 1 or not counts:
        return messages[0]
    failed, total = (sum(column) for column in zip(*counts, strict=True))
    bodies = dict.fromkeys(FAILED.sub("Some fits failed", message).strip("\n") for message in messages)
    return f"\n{failed} fits failed out of a total of {total}.\n" + "\n".join(bodies)
