"""`Basis`: what several parts of a study rest on, and the study provides."""

from knowgrad.log.log import Log
from knowgrad.outcomes import Goals


class Basis:
    """A log, and which way is better."""

    _log: Log

    @property
    def direction(self) -> str:
        raise NotImplementedError

    @property
    def goals(self) -> Goals:
        raise NotImplementedError
