"""A time limit for each evaluation on an executor, which can be given up there but perhaps not ended.

The evaluations of worker processes are ended by `processes`.
"""

import threading
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from typing import Any

from knowgrad.runner.failure import Failure

AGAIN = 0.2  # seconds until the next look at whether an evaluation that was waiting has begun


def overrun(limit: float | None) -> str:
    """Why a trial failed that took too long."""
    return f"took longer than {limit:g} s (trial_timeout)"


class Limited:
    """An answer that comes in time: what the future says, or that it took longer than `limit` seconds.

    `says_when`: the future tells when it begins to run; otherwise the time counts from now.
    """

    def __init__(self, source: "Future[Any]", limit: float, *, says_when: bool) -> None:
        self.answer: Future[Any] = Future()
        self._source, self._limit, self._says_when = source, limit, says_when
        self._timer: threading.Timer | None = None
        self._look()
        self.answer.add_done_callback(lambda done: source.cancel() if done.cancelled() else None)
        source.add_done_callback(self._relay)

    def _look(self) -> None:
        """Wait until it has begun, then for as long as it may take."""
        has_begun = not self._says_when or self._source.running() or self._source.done()
        self._wait(self._limit if has_begun else AGAIN, self._give_up if has_begun else self._look)

    def _wait(self, seconds: float, then: Any) -> None:
        if not self.answer.done():
            self._timer = threading.Timer(seconds, then)
            self._timer.daemon = True
            self._timer.start()

    def _give_up(self) -> None:
        with suppress(InvalidStateError):  # it has ended meanwhile
            self.answer.set_result(Failure(overrun(self._limit)))
            self._source.cancel()

    def _relay(self, source: "Future[Any]") -> None:
        if self._timer is not None:
            self._timer.cancel()
        with suppress(InvalidStateError):  # given up meanwhile
            if source.cancelled():
                self.answer.set_exception(CancelledError("cancelled"))
            elif error := source.exception():
                self.answer.set_exception(error)
            else:
                self.answer.set_result(source.result())
