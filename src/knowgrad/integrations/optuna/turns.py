"""One worker at a time chooses points, whether workers are threads or processes on several machines.

A storage of Optuna's has no lock, but every process sees the attributes of every trial. A trial that needs a point says
"waiting"; it goes ahead once nobody is choosing and no trial with a lower number is waiting, says "choosing", and looks
again: if two went ahead at the same moment, both see it, and both step back; then the lower number goes first. A trial
has had its turn when it has a point.

A worker that dies would hold up all others. So whoever waits or chooses for long shows signs of life: every few seconds
it says the same again with another number. A rival that has said nothing new for `QUIET` seconds, by the watch of
whoever waits for it, is passed over; one that is slow is waited for.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from knowgrad.integrations.optuna.attributes import publish, published

BEAT = 2.0  # seconds from one sign of life to the next
QUIET = 10.0
POLL = 0.01

logger = logging.getLogger(__name__)


@contextmanager
def turn(study: Study, trial: FrozenTrial, given_up: set[int]) -> Iterator[None]:
    """Begins when this trial may choose. `given_up`: numbers of trials not worth waiting for; grows."""
    signs = itertools.count(1)
    _take(study, trial, given_up, signs)
    ended = threading.Event()
    beating = threading.Thread(target=_beat, args=(study, trial, signs, ended), daemon=True)
    beating.start()
    try:
        yield
    finally:
        ended.set()
        beating.join()


def _take(study: Study, trial: FrozenTrial, given_up: set[int], signs: Iterator[int]) -> None:
    publish(study, trial, "turn", "waiting")
    heard: dict[int, tuple[str, float]] = {}  # what each rival said, and when it was new
    said = time.monotonic()
    while True:
        now = time.monotonic()
        rivals = _rivals(study, trial, given_up)
        if not rivals:
            publish(study, trial, "turn", "choosing")
            if not _rivals(study, trial, given_up):
                return
            publish(study, trial, "turn", "waiting")
        elif now - said > BEAT:
            said = now
            publish(study, trial, "turn", f"waiting {next(signs)}")
        before, heard = heard, {}
        for number, words in rivals.items():
            known = before.get(number, ("", now))
            heard[number] = known if known[0] == words else (words, now)
        given_up |= {number for number, (_, since) in heard.items() if now - since > QUIET}
        time.sleep(POLL)


def _beat(study: Study, trial: FrozenTrial, signs: Iterator[int], ended: threading.Event) -> None:
    """Show signs of life while this trial chooses; most choices end before the first."""
    while not ended.wait(BEAT):
        try:
            publish(study, trial, "turn", f"choosing {next(signs)}")
        except Exception as error:  # the storage of a thread may be out of order where that of the trial is not
            logger.debug("the heartbeat of trial %d failed: %r", trial.number, error)


def waiting(trials: Iterable[FrozenTrial], given_up: set[int]) -> list[FrozenTrial]:
    """The trials that need a point now."""
    return [trial for trial in trials if trial.number not in given_up and _turn(trial) is not None]


def _rivals(study: Study, trial: FrozenTrial, given_up: set[int]) -> dict[int, str]:
    """Those that go before this trial, and what they say."""
    running = study.get_trials(deepcopy=False, states=(TrialState.RUNNING,))
    return {
        other.number: words
        for other in waiting(running, given_up)
        if (words := _turn(other) or "")
        and (other.number < trial.number or (other.number > trial.number and words.startswith("choosing")))
    }


def _turn(trial: FrozenTrial) -> str | None:
    if trial.state != TrialState.RUNNING or published(trial.system_attrs, "point") is not None:
        return None
    turn: str | None = published(trial.system_attrs, "turn")
    return turn
