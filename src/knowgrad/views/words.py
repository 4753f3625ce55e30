"""What the numbers mean for the next decision, in words."""

from __future__ import annotations

from dataclasses import dataclass

from knowgrad.trial import Gain, Recommendation

MUCH, LITTLE = 0.05, 0.005  # of the spread of all results


@dataclass(frozen=True, slots=True)
class Verdict:
    """Is another batch worth it? `answer` is yes, maybe or no; `why` a sentence with the figures, in user units."""

    answer: str
    why: str


def another_batch(gain: Gain, found: Recommendation, spread: float, threshold: float | None = None) -> Verdict:
    """Held against the user's threshold or, without one, against the standard deviation of all results."""
    points = "One more result is" if gain.q == 1 else f"{gain.q} more results are"
    size = f"{gain.value:.2g} ± {gain.sem:.1g}"
    start = (
        f"{points} expected to improve the recommendation by {size}; it stands at {found.mean:.4g} ± {found.sd:.2g}."
    )
    if threshold is not None:
        side = "below" if gain < threshold else "above"
        return Verdict("no" if gain < threshold else "yes", f"{start} That is {side} the threshold of {threshold:g}.")
    share = gain / spread if spread > 0 else 0.0
    beside = f"That is {share:.1%} of the spread of all results ({spread:.2g})."
    if share >= MUCH:
        return Verdict("yes", f"{start} {beside}")
    if share >= LITTLE:
        return Verdict("maybe", f"{start} {beside} Go on if that pays for the effort.")
    return Verdict("no", f"{start} {beside} There is little left to gain, as far as the model knows.")
