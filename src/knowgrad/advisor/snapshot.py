"""`Snapshot`: a study at one moment, and the answers to what may be asked of it, each computed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from knowgrad.advisor.about import About, about
from knowgrad.advisor.asked import checked_given, checked_shared, checked_tolerance
from knowgrad.advisor.continuing import Continuing, continuing
from knowgrad.advisor.diagnose import diagnose
from knowgrad.advisor.diagnostics import Diagnostics
from knowgrad.advisor.earlier import HERE, extended
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.plan import checked_plan, plan
from knowgrad.advisor.planned import Plan
from knowgrad.advisor.prices import LEAST, price_of
from knowgrad.advisor.recommend import recommend
from knowgrad.advisor.several.about import expected, held, judged
from knowgrad.advisor.several.asked import Wish, checked_front, checked_outcome, checked_wish, refuse_beside_outcomes
from knowgrad.advisor.several.front import front_of
from knowgrad.advisor.several.parts import Parts, parts_of
from knowgrad.advisor.several.recommend import named, recommend_several
from knowgrad.advisor.several.suggest import AUTO, gain_several, suggest_several
from knowgrad.advisor.suggest import gain, suggest
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.linalg import Array
from knowgrad.space import Contexts, Params
from knowgrad.trial import Front, Gain, Limit, Prediction, Recommendation, Suggestion, Trial, sign_of

Z95 = 1.959963984540054  # of a normal distribution, 95 % lie within so many standard deviations


class Snapshot(Moment):
    """The space, the trials that were handed out or added, by number, and the settings."""

    @property
    def sign(self) -> float:
        """+1 if less is better, else −1."""
        return sign_of(self.settings.direction)

    @property
    def spread(self) -> float:
        """What one is in the units of the model: the standard deviation of all results; of warped ones, near the best.

        1 if they are all the same.
        """
        return self.model.units.difference(1.0)

    @property
    def parts(self) -> Parts:
        """Where outcomes have names: the study of each."""
        return self._kept.get("parts", lambda: parts_of(self, self._parts))

    def outcome(self, name: str) -> Snapshot:
        """The study of one named outcome alone: its model, its predictions, its diagnostics."""
        part = self.parts.each[checked_outcome(self.settings.goals, name)]
        assert isinstance(part, Snapshot)
        return part

    @property
    def _plain(self) -> Snapshot | None:
        """The study itself if its outcomes have no names; that of the objective if it has one and no limits."""
        goals = self.settings.goals
        if not goals:
            return self
        return self.outcome(goals.objective) if goals.objective is not None and not goals.limits else None

    def suggest(
        self,
        q: int,
        *,
        last: bool = False,
        given: object = None,
        shared: object = None,
        measure: str | tuple[str, ...] | None = None,
        hurried: bool = False,
    ) -> Suggestion:
        """q points to try next; `last`: the search ends with them; `given`, `shared`, `measure`: see `Study.ask`.

        `hurried`: many wait for points, and these are found with less effort.
        """
        context, limits = checked_given(self.space, given), checked_shared(self.space, shared)
        if (plain := self._plain) is None:
            if measure == AUTO:
                refuse_beside_outcomes(shared=limits)
            subject, inner = self._inside(context)
            limits = {name: limit for name, limit in limits.items() if name not in subject.fixed}
            if inner is None:
                parts = self.parts
                return suggest_several(self, parts, q, last=last, given=context, shared=limits, measure=measure)
            found = inner.suggest(q, last=last, shared=limits, measure=measure)
            return replace(found, params=tuple(map(subject.whole, found.params)))
        return suggest(plain, q, last=last, given=context, shared=limits, hurried=hurried)

    @property
    def recommendation(self) -> Recommendation:
        """What to use now."""
        return self.recommend()

    def recommend(
        self,
        given: object = None,
        tolerance: object = None,
        *,
        chance: object = None,
        weights: object = None,
        at: object = None,
    ) -> Recommendation:
        """What to use now, in a context or with settings that are not held exactly; see `Study.recommend`."""
        context, widths = checked_given(self.space, given), checked_tolerance(self.space, tolerance)
        wish = checked_wish(self.settings.goals, chance, weights, at)
        key = ("recommendation", *context.items(), *widths.items(), wish)
        if (plain := self._plain) is None:
            refuse_beside_outcomes(tolerance=widths)
            return self._kept.get(key, lambda: self._of_several(wish, context))
        if plain is not self:
            return self._kept.get(key, lambda: named(self, plain.recommend(context, widths)))
        return self._kept.get(key, lambda: recommend(self, context, widths))

    def _inside(self, context: Params) -> tuple[About, Snapshot | None]:
        """What a question in a context is about; and the study of the other parameters, if all trials lie in it."""
        subject = about(self, context)
        return subject, subject.inside(self) if context else None

    def _of_several(self, wish: Wish, context: Params) -> Recommendation:
        subject, inner = self._inside(context)
        if inner is None:
            return recommend_several(self, self.parts, wish, context)
        found, known = recommend_several(inner, inner.parts, wish), {trial.id: trial for trial in self.trials}
        best = None if found.best is None else known[found.best.id]
        return replace(found, params=subject.whole(found.params), best=best)

    def front(self, chance: object = None, given: object = None) -> Front:
        """The Pareto front of several objectives, in a context; see `Study.front`."""
        wish, context = checked_front(self.settings.goals, chance), checked_given(self.space, given)
        return self._kept.get(("front", wish.chance, *context.items()), lambda: self._front(wish, context))

    def _front(self, wish: Wish, context: Params) -> Front:
        subject, inner = self._inside(context)
        if inner is None:
            return front_of(self, self.parts, wish.chance, context)
        found = front_of(inner, inner.parts, wish.chance)
        return replace(found, points=tuple(replace(each, params=subject.whole(each.params)) for each in found))

    @property
    def place(self) -> Params:
        """The recommendation with a value for every parameter: where it is over several contexts, in the weightiest."""
        weightiest = {name: max(pairs, key=lambda each: each[1])[0] for name, pairs in self.settings.over}
        params = {**weightiest, **self.recommendation.params}
        return {name: params[name] for name in self.space.names if name in params}

    def gain(self, q: int, given: object = None) -> Gain:
        """How much better, on average, the recommendation would be after q more points, besides those running."""
        context = checked_given(self.space, given)
        key = ("gain", q, *context.items())
        if (plain := self._plain) is None:
            _, inner = self._inside(context)
            if inner is not None:
                return self._kept.get(key, lambda: inner.gain(q))
            return self._kept.get(key, lambda: gain_several(self, self.parts, q, context))
        return self._kept.get(key, lambda: gain(plain, q, context))

    def plan(
        self, budget: object, *, setup: object = 0.0, each: object = 1.0, sizes: object = None, given: object = None
    ) -> Plan:
        """How a budget is best spent; see `Study.plan`."""
        context, asked = checked_given(self.space, given), checked_plan(budget, setup, each, sizes)
        if (plain := self._plain) is None:
            refuse_beside_outcomes(plan=asked)
        key = ("plan", *asked[:3], *asked[3], *context.items())
        return self._kept.get(key, lambda: plan(plain or self, *asked, context))

    @property
    def diagnostics(self) -> Diagnostics:
        """Whether the model can be trusted; of named outcomes, each model."""
        if not self.settings.goals:
            return self._kept.get("diagnostics", lambda: diagnose(self))
        self.parts.check_results("diagnostics")
        return self._kept.get("diagnostics", lambda: judged({n: self.outcome(n).diagnostics for n in self.parts.each}))

    def chance(self, U: Array, *limits: Limit) -> Array:
        """That these limits, or all of the study, hold together at points of the unit cube (n, D)."""
        self.parts.check_results("chance")
        return held(self.parts, U, limits or self.settings.limits)

    def expect(self, U: Array) -> Prediction:
        """What the model expects at points of the unit cube (n, D); of named outcomes, what each model does."""
        if not self.settings.goals:
            return Prediction(*self.predict(U))
        self.parts.check_results("predict")
        return expected(self.parts, U)

    def continuing(self, trial: Trial, given: Params | None = None) -> Continuing | None:
        """What the rest of a running trial is worth, per cost; see `Study.worth_continuing`."""
        key = ("continuing", trial.number, trial.source, trial.curve, *(given or {}).items())
        return self._kept.get(key, lambda: continuing(self, trial, given))

    @one_thread
    def price(self, params: Mapping[str, Any], after: Mapping[str, Any] | None = None) -> float | None:
        """What a measurement at params is expected to cost; None where nothing is known about that.

        `after`: of a run that stands there already, the rest.
        """
        cost = price_of(self)
        if cost is None:
            return None
        whole = float(cost.value(self.space.encode_many([params]))[0])
        start = 0.0 if after is None else float(cost.value(self.space.encode_many([after]))[0])
        return max(whole - start, LEAST * whole)

    @one_thread
    def predict(self, U: Array) -> tuple[Array, Array]:
        """Posterior mean and standard deviation at points of the unit cube (n, D), in user units.

        Of named outcomes, those of the one objective; `expect` has all outcomes, `outcome(name).predict` any of them.
        """
        if (objective := self.settings.goals.objective) is not None:
            return self.outcome(objective).predict(U)
        if self.settings.earlier:
            whole = extended(self)
            return whole.model.predict(Contexts(whole.space, [HERE]).lift(U))
        return self.model.predict(U)
