"""`Snapshot`: a study at one moment, and the answers to what may be asked of it, each computed once."""

from __future__ import annotations

from knowgrad.advisor.asked import checked_given, checked_shared, checked_tolerance
from knowgrad.advisor.diagnose import diagnose
from knowgrad.advisor.diagnostics import Diagnostics
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.recommend import recommend
from knowgrad.advisor.suggest import gain, suggest
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.linalg import Array
from knowgrad.space import Params
from knowgrad.trial import Gain, Recommendation, Suggestion, sign_of

Z95 = 1.959963984540054  # of a normal distribution, 95 % lie within so many standard deviations


class Snapshot(Moment):
    """The space, the trials that were handed out or added, by number, and the settings."""

    @property
    def sign(self) -> float:
        """+1 if less is better, else −1."""
        return sign_of(self.settings.direction)

    @property
    def spread(self) -> float:
        """The standard deviation of all results; 1 if they are all the same."""
        return self.model.units.difference(1.0)

    def suggest(self, q: int, *, last: bool = False, given: object = None, shared: object = None) -> Suggestion:
        """q points to try next; `last`: the search ends with them; `given` and `shared`: see `Study.ask`."""
        context, limits = checked_given(self.space, given), checked_shared(self.space, shared)
        return suggest(self, q, last=last, given=context, shared=limits)

    @property
    def recommendation(self) -> Recommendation:
        """What to use now."""
        return self.recommend()

    def recommend(self, given: object = None, tolerance: object = None) -> Recommendation:
        """What to use now, in a context or with settings that are not held exactly; see `Study.recommend`."""
        context, widths = checked_given(self.space, given), checked_tolerance(self.space, tolerance)
        key = ("recommendation", *context.items(), *widths.items())
        return self._kept.get(key, lambda: recommend(self, context, widths))

    @property
    def place(self) -> Params:
        """The recommendation with a value for every parameter: where it is over several contexts, in the weightiest."""
        weightiest = {name: max(pairs, key=lambda each: each[1])[0] for name, pairs in self.settings.over}
        params = {**weightiest, **self.recommendation.params}
        return {name: params[name] for name in self.space.names if name in params}

    def gain(self, q: int, given: object = None) -> Gain:
        """How much better, on average, the recommendation would be after q more points, besides those running."""
        context = checked_given(self.space, given)
        return self._kept.get(("gain", q, *context.items()), lambda: gain(self, q, context))

    @property
    def diagnostics(self) -> Diagnostics:
        """Whether the model is to be trusted."""
        return self._kept.get("diagnostics", lambda: diagnose(self))

    @one_thread
    def predict(self, U: Array) -> tuple[Array, Array]:
        """Posterior mean and standard deviation at points of the unit cube (n, D), in user units."""
        return self.model.predict(U)
