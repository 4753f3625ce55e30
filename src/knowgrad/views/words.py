"""What the numbers mean for the next decision, in words."""

from __future__ import annotations

from dataclasses import dataclass

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.trial import Front, Gain, Recommendation

MUCH, LITTLE = 0.05, 0.005  # of the spread of all results
LEAST = 0.001  # of what would be gained: a front that dominates less is hardly one


@dataclass(frozen=True, slots=True)
class Verdict:
    """Is another batch worth it? `answer` is yes, maybe or no; `why` a sentence with the figures, in user units."""

    answer: str
    why: str


def worth(snapshot: Snapshot, gain: Gain, given: object = None, threshold: float | None = None) -> Verdict:
    """Is another batch of this gain worth it, by what the study knows?"""
    goals = snapshot.settings.goals
    if len(goals.objectives) > 1:
        return wider_front(gain, snapshot.front(given=given), threshold)
    part = snapshot if goals.objective is None else snapshot.outcome(goals.objective)
    return another_batch(gain, snapshot.recommend(given), part.spread, threshold)


def wider_front(gain: Gain, front: Front, threshold: float | None = None) -> Verdict:
    """Held against the user's threshold or, without one, against what the front dominates now."""
    now = front.hypervolume or 0.0
    start = f"{_points(gain)} expected to enlarge the hypervolume of the front by {_size(gain)}; it is {now:.4g}."
    if threshold is not None:
        return _against(threshold, gain, start)
    if now <= LEAST * gain.value:
        return _judged(float(gain > 0), f"{start} Up to now there is hardly a front.")
    return _judged(gain / now, f"{start} That is {gain / now:.1%} more.")


def another_batch(gain: Gain, found: Recommendation, spread: float, threshold: float | None = None) -> Verdict:
    """Held against the user's threshold or, without one, against the standard deviation of all results."""
    price = "" if gain.cost is None else f", at a cost of {gain.cost:.3g} ({gain.per_cost:.2g} per unit of cost)"
    stands = f"it stands at {found.mean:.4g} ± {found.sd:.2g}."
    start = f"{_points(gain)} expected to improve the recommendation by {_size(gain)}{price}; {stands}"
    if threshold is not None:
        return _against(threshold, gain, start)
    share = gain / spread if spread > 0 else 0.0
    beside = f"That is {share:.1%} of the spread of all results ({spread:.2g})."
    return _judged(share, f"{start} {beside}")


def _points(gain: Gain) -> str:
    return "One more result is" if gain.q == 1 else f"{gain.q} more results are"


def _size(gain: Gain) -> str:
    return f"{gain.value:.2g} ± {gain.sem:.1g}"


def _against(threshold: float, gain: Gain, start: str) -> Verdict:
    side = "below" if gain < threshold else "above"
    return Verdict("no" if gain < threshold else "yes", f"{start} That is {side} the threshold of {threshold:g}.")


def _judged(share: float, said: str) -> Verdict:
    if share >= MUCH:
        return Verdict("yes", said)
    if share >= LITTLE:
        return Verdict("maybe", f"{said} Continue if that is worth the effort.")
    return Verdict("no", f"{said} By the model, there is little left to gain.")
