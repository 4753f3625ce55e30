"""`KnowledgeGradientSampler`: Optuna's trials at the points that q-KG chooses.

The study is the only store: what a suggestion depends on is read from its trials each time, and what other workers have
to know (points of running trials, parked batches) is written to their system attributes. So any number of threads and
processes may share a study, each with a sampler of its own.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from knowgrad.advisor.asked import takes_targets
from knowgrad.advisor.options import checked_settings
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.checked import count
from knowgrad.integrations.optuna.attributes import publish, publish_constraints
from knowgrad.integrations.optuna.batches import Packed, finished, park, parked
from knowgrad.integrations.optuna.goals import MOST, goals_of, known_of, with_goals
from knowgrad.integrations.optuna.groups import Groups, find_groups
from knowgrad.integrations.optuna.spaces import SearchSpace, unpack
from knowgrad.integrations.optuna.steps import Reports, reports_of
from knowgrad.integrations.optuna.trials import direction_of
from knowgrad.integrations.optuna.turns import turn, waiting
from knowgrad.space import Space, as_space
from knowgrad.trial import Noise, Settings

logger = logging.getLogger(__name__)


class KnowledgeGradientSampler(BaseSampler):
    """Samples parameters by the parallel knowledge gradient.

    Parameters that all completed trials have in common are chosen jointly, with those that exist only sometimes and
    whose existence they explain. Parameters that appear together without such an explanation are chosen jointly, too,
    given the others. Those of the first trials, and those that are new or change their range, are drawn at random, or
    by `independent_sampler`. Studies with two or three objectives, and with constraints, are searched for their front
    and within their limits; those with more objectives are sampled at random altogether.
    """

    def __init__(
        self,
        *,
        seed: int | None = None,
        space: Space | Mapping[str, Any] | None = None,
        batch_size: int | None = None,
        noise: Noise = "learned",
        method: str | object = "qkg",
        fit: str | None = None,
        independent_sampler: BaseSampler | None = None,
        warn_independent_sampling: bool = True,
        constraints_func: Callable[[FrozenTrial], Sequence[float]] | None = None,
    ) -> None:
        """
        Args:
            seed: the same seed and results give the same points, with `n_jobs` too.
            space: the search space, if it can be told in advance: the first trials are then a Latin hypercube, and
                constraints between parameters hold. None: what completed trials show of it.
            batch_size: how many points to choose jointly; those left over wait for the next trials until a new result
                makes them stale. None: as many as there are trials waiting for a point.
            noise: "learned", 0 for exact values, their standard deviation, or a function params -> standard deviation.
                A trial's own standard error goes before it: `trial.set_user_attr("sem", 0.1)`.
            method: how points are chosen; see `knowgrad.Study`, as for `fit`.
            independent_sampler: draws the parameters that q-KG cannot choose. None: uniformly.
            warn_independent_sampling: say so in the log, once for each parameter.
            constraints_func: of a trial that has ended, values that are at most zero where constraints hold, as for
                Optuna's own samplers. Each is modelled and searched within as a limit.
        """
        self._search = None if space is None else SearchSpace.declared(as_space(space))
        self._batch_size = None if batch_size is None else count(batch_size, "batch_size")
        self._settings = checked_settings(seed, "minimize", noise, method, fit)
        self._independent = independent_sampler
        self._warn, self._constraints_func = warn_independent_sampling, constraints_func
        self._warned: set[str] = set()
        self._given_up: set[int] = set()

    @property
    def declared(self) -> SearchSpace | None:
        """The search space, if it was told in advance."""
        return self._search

    def settings(self, study: Study, search: SearchSpace) -> Settings:
        """What an answer about this study depends on besides its trials."""
        given = self._settings
        noise = given.noise
        if callable(noise):
            sd = noise  # the user's function expects the user's values

            def noise(params: dict[str, Any]) -> float:
                return sd(search.decode(params))

        plain = Settings(given.seed, direction_of(study), noise, given.method, given.fit)
        return with_goals(plain, goals_of(study, study.get_trials(deepcopy=False)))

    def snapshot(
        self, study: Study, search: SearchSpace, trials: Sequence[FrozenTrial]
    ) -> tuple[Snapshot, Reports | None]:
        """These trials as the model sees them, with what they have reported as they went."""
        settings = self.settings(study, search)
        able = takes_targets(settings.method) and not settings.objectives
        reports = reports_of(study, search.space, trials) if able else None
        space = search.space if reports is None else reports.steps.space
        return Snapshot(space, known_of(search, trials, settings, reports), settings), reports

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        if len(study.directions) > MOST:
            said = f"q-KG chooses for up to {MOST} objectives, this study has {len(study.directions)}"
            self._tell("objectives", f"{said}; parameters are drawn at random")
            return {}
        if self._search is not None:
            return dict(self._search.distributions)
        found = find_groups(study.get_trials(deepcopy=False))
        for name, reason in found.refused.items():
            self._tell(name, f"parameter {name!r} is drawn at random: {reason}")
        return found.every

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        if not search_space:
            return {}
        with turn(study, trial, self._given_up):
            trials = study.get_trials(deepcopy=False)
            groups = self._groups(trials, search_space)
            point = self._jointly(study, trial, trials, groups) if groups.joint else {}
            for group in groups.apart:
                plain = takes_targets(self._settings.method) and not goals_of(study, trials)
                beside = groups.always if plain else {}
                given = {name: point[name] for name in beside}
                point |= self._within(study, trial, trials, SearchSpace.of({**beside, **group}), given)
            publish(study, trial, "point", point)
        return unpack(search_space, point)

    def _groups(self, trials: Sequence[FrozenTrial], search_space: dict[str, BaseDistribution]) -> Groups:
        """What is chosen together, and what is chosen given that."""
        return find_groups(trials, search_space) if self._search is None else Groups(search_space)

    def _jointly(self, study: Study, trial: FrozenTrial, trials: Sequence[FrozenTrial], groups: Groups) -> Packed:
        search = self._search
        if search is None or search.distributions != groups.joint:  # another sampler may leave some parameters to us
            search = SearchSpace.of(groups.joint, groups.conditions)
        return parked(trials, trial.number, search) or self._choose(study, trial, trials, search)

    def _choose(self, study: Study, trial: FrozenTrial, trials: Sequence[FrozenTrial], search: SearchSpace) -> Packed:
        """The point for this trial; the rest of its batch is parked."""
        others = [other for other in trials if other.number != trial.number]
        needy = [other.number for other in waiting(others, self._given_up)]
        numbers = [trial.number, *needy]
        coming = 1 + max(one.number for one in trials)
        numbers += range(coming, coming + (self._batch_size or 0) - len(numbers))
        snapshot, reports = self.snapshot(study, search, others)
        found = snapshot.suggest(len(numbers), given=(reports.steps.whole if reports else None) or None)
        points = [search.pack(search.decode(params)) for params in found.params]
        batch = dict(zip(numbers, points, strict=True))
        own = batch.pop(trial.number)
        park(study, trial, finished(trials), search, batch)
        return own

    def _within(
        self, study: Study, trial: FrozenTrial, trials: Sequence[FrozenTrial], group: SearchSpace, given: Packed
    ) -> Packed:
        """Values for a group, given some of its search space; learned from the trials that have all of that."""
        others = [other for other in trials if other.number != trial.number]
        settings = self.settings(study, group)
        snapshot = Snapshot(group.space, known_of(group, others, settings), settings)
        found = snapshot.suggest(1, given=group.some(given) or None)
        return group.pack(group.decode(found.params[0]))

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        if self._is_as_declared(param_name, param_distribution) and _is_searched(study, trial):
            self._tell(
                param_name,
                f"parameter {param_name!r} is drawn at random: q-KG chooses only parameters that completed trials "
                "have, with the same range in all of them; warn_independent_sampling=False hides this message",
            )
        sampler = self._independent
        if sampler is None:  # a function of seed, trial and name, so that no order of calls matters
            entropy = [self._settings.seed, trial.number, zlib.crc32(param_name.encode())]
            sampler = RandomSampler(seed=int(np.random.SeedSequence(entropy).generate_state(1)[0]))
        return sampler.sample_independent(study, trial, param_name, param_distribution)

    def before_trial(self, study: Study, trial: FrozenTrial) -> None:
        if self._independent is not None:
            self._independent.before_trial(study, trial)

    def after_trial(self, study: Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None) -> None:
        for name, distribution in trial.distributions.items():
            self._is_as_declared(name, distribution)
        if self._constraints_func is not None:
            publish_constraints(self._constraints_func, study, trial, state)
        if self._independent is not None:
            self._independent.after_trial(study, trial, state, values)

    def reseed_rng(self) -> None:
        """Only the independent sampler has a state: other draws are a function of the seed and the trials."""
        if self._independent is not None:
            self._independent.reseed_rng()

    def _is_as_declared(self, name: str, distribution: BaseDistribution) -> bool:
        """Does the objective suggest what `space=` says of a parameter? If not, the log says so."""
        declared = None if self._search is None else self._search.distributions.get(name)
        if declared is None or declared == distribution:
            return True
        self._say(
            name,
            f"parameter {name!r}: expected {declared}, as declared in space=, got {distribution} in a trial; values "
            "outside the suggested range are drawn again at random, and trials outside the declared one do not count; "
            "make both the same",
        )
        return False

    def _tell(self, about: str, message: str) -> None:
        if self._warn:
            self._say(about, message)

    def _say(self, about: str, message: str) -> None:
        if about not in self._warned:
            self._warned.add(about)
            logger.warning(message)


def _is_searched(study: Study, trial: FrozenTrial) -> bool:
    """Can q-KG choose in this study, and was there a completed trial when this one began, to know the space from?"""
    if len(study.directions) > MOST:
        return False
    done = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    began = trial.datetime_start
    return any(began is None or (one.datetime_complete or began) <= began for one in done)
