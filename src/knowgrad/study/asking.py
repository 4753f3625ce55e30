"""`Asking`: the part of a study that hands points out, and takes back those whose worker was lost."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from knowgrad.advisor.asked import check_target, check_ties, checked_given, checked_shared, picked
from knowgrad.advisor.options import checked_worker
from knowgrad.checked import batch, seconds
from knowgrad.log.crowd import Known
from knowgrad.log.dispatch import Asker
from knowgrad.log.draft import first
from knowgrad.log.leases import renewed
from knowgrad.log.ledger import Ledger
from knowgrad.outcomes import checked_measure
from knowgrad.storage import Clock
from knowgrad.study.questions import Questions
from knowgrad.trial import Event, Gain, Suggestion, Trial


class Asking(Questions):
    """Points to try, each of them pending for as long as its worker keeps it."""

    _asker: Asker
    _last_gain: Gain | None

    def ask(
        self,
        q: int = 1,
        *,
        last: bool = False,
        lease: float | None = None,
        worker: str | None = None,
        given: Mapping[str, Any] | None = None,
        shared: Mapping[str, int] | Sequence[str] | None = None,
        measure: str | Sequence[str] | None = None,
    ) -> list[Trial]:
        """The next `q` points to try, chosen jointly, given those still running; pending from now on.

        Args:
            q: how many.
            last: these are the last points of the search: they should improve the recommendation, not the model.
            lease: seconds after which a point that was neither told nor renewed is offered to others, as a new
                trial; a late `tell` still counts. None: there is no time limit.
            worker: a name for who takes the points, shown in tables and on the page.
            given: values of some parameters, `{"reactor": "B"}`: the points have them, and are chosen to find what is
                best there, with the results from everywhere. Queued points with other values stay in the queue.
            shared: how many different values of a parameter the points may have, `{"temperature": 3}`; a list of names
                means one of each. The batch is chosen jointly under this limit.
            measure: which of the named outcomes to measure, `["yield"]`; "auto" chooses them for each point by value
                per cost. None: all. `Trial.measure` lists them.
        """
        q, worker = batch(q), checked_worker(worker)
        lease = None if lease is None else seconds(lease, "lease")
        context, limits = self._asked(checked_given, given), self._asked(checked_shared, shared)
        check_target(self._settings.method, context)
        check_ties(self._settings.method, limits)
        how: dict[str, Any] = {"last": last, "given": context, "shared": limits}
        if (names := measure if measure is None else checked_measure(measure, self.outcomes)) is not None:
            how["measure"] = names
        suggested = partial(self._suggest, **how) if any(how.values()) else self._suggest
        pick = partial(picked, given=context, shared=limits) if context or limits else first
        forced = names if isinstance(names, tuple) else None
        trials, self._last_gain = self._asker.ask(q, suggested, lease, worker, pick, forced)
        return trials

    def renew(self, *trials: Trial | str | int, lease: float) -> list[Trial]:
        """Keep these trials for `lease` more seconds; 0 gives them back at once. Those with an outcome stay as they
        are."""
        lease = seconds(lease, "lease")

        def decide(ledger: Ledger, now: Clock) -> list[Event]:
            return renewed([ledger.find(trial) for trial in trials], lease, now())

        with self._log.lock:
            ledger = self._log.commit(decide)
            return [ledger.find(trial) for trial in trials]

    def reclaim(self, *, is_over: bool = False) -> None:
        """Take back points whose lease has ended; the next `ask`, which does this too, hands them out first.

        `is_over`: a run has ended. If nobody else is at work, points that were chosen ahead are dropped.
        """
        self._asker.reclaim(is_over=is_over)

    @property
    def last_gain(self) -> Gain | None:
        """The expected gain of the last points handed out, at the time they were chosen, if a model chose them."""
        return self._last_gain

    def _suggest(self, known: Known, q: int, **how: Any) -> Suggestion:
        with self._log.lock:
            place = self._space_of(self._log.peek(), known.space)
        return self._given(known, place).suggest(q, **how)
