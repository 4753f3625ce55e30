"""`Study`: how one is created, opened and copied; the other modules of this package are its parts.

Every change is one append to the log, made only after everything about it has been checked, and only if the log is
still what it was checked against. So a call that raises has changed nothing, and no two writers contradict each other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from knowgrad.advisor.asked import check_earlier, check_graded, checked_over
from knowgrad.advisor.doubt import Usual
from knowgrad.advisor.options import checked_name, checked_settings, restated
from knowgrad.errors import UnknownStudyError
from knowgrad.log.copying import Convert, Copied, copy_log
from knowgrad.log.dispatch import Asker
from knowgrad.log.earlier import checked_earlier, told_earlier
from knowgrad.log.log import Log
from knowgrad.log.record import beginning, check_format, recalled, resumed
from knowgrad.outcomes import checked_goals
from knowgrad.runner import Runs
from knowgrad.space import Space, as_space
from knowgrad.storage import find_storage, open_storage
from knowgrad.study.asking import Asking
from knowgrad.study.doubting import Doubting
from knowgrad.tables.exchange import Exchange
from knowgrad.trial import Cost, Noise, Settings


class Study(Asking, Doubting, Exchange, Runs):
    """One optimization: a space, a direction, and the trials so far. Several threads may share it."""

    def __init__(
        self,
        space: Space | Mapping[str, Any],
        *,
        name: str | None = None,
        storage: object = None,
        direction: str = "minimize",
        seed: int | None = None,
        noise: Noise = "learned",
        method: str | object = "qkg",
        fit: str | None = None,
        over: Mapping[str, Any] | None = None,
        objectives: Mapping[str, str] | None = None,
        limits: Sequence[str] | None = None,
        costs: Mapping[str, float] | None = None,
        cost: Cost = None,
        learn_from: object = None,
    ) -> None:
        """
        Args:
            space: a `Space`, or a dict of parameters: `{"x": (0.0, 1.0), "layers": kg.Int(1, 8), "act": ["a", "b"]}`.
            name: the name of the study in its storage, which may hold many; by default "study".
            storage: None keeps the study in memory, a path or `sqlite:///path` in a file on a local disk,
                `postgresql://user@host/database` in a database. An existing study of that name is continued, if
                space and direction are the same.
            direction: "minimize" or "maximize".
            seed: the same seed and results give the same points; None draws one, or takes the recorded one.
            noise: "learned" (possibly none), 0 for exact results, a standard deviation, or a function params -> sd.
            method: how points are chosen, by name, or an object with `propose`.
            fit: how hyperparameters are chosen: "map", "mle", "bayes" (averaged over draws); None: the method decides.
            over: contexts to be good on average over, by their weights: `{"substrate": {"A": 2, "B": 1}}`.
            objectives: named outcomes and their directions, `{"yield": "maximize"}`; `noise` may then be a dict.
            limits: bounds that outcomes have to keep, `["impurity <= 0.5", "mass <= 3"]`.
            costs: what it costs to measure each outcome, relative to the others, for `ask(q, measure="auto")`.
            cost: of a measurement: a function params -> cost; "learned", also from seconds; None: from costs told.
            learn_from: earlier studies, whose results are copied; their spaces may overlap only in part.
        """
        place = as_space(space)
        check_graded(method, place, bool(objectives or limits))
        goals = checked_goals(objectives, limits, costs, place.names)
        settings = checked_settings(seed, direction, noise, method, fit, checked_over(place, over), goals, cost)
        check_earlier(learn_from, settings)
        asked = place, replace(settings, earlier=checked_earlier(learn_from, place, settings.direction))
        self._begin(checked_name(name, storage), storage, asked, seed)

    def _begin(self, name: str | None, storage: object, asked: tuple[Space, Settings], seed: int | None) -> None:
        """Create the study, or continue the one of that name if it is the same."""
        self._log = storage if isinstance(storage, Log) else Log(open_storage(storage, name))
        self._asker = Asker(self._log, self._refitting())
        self._last_gain = None
        self._snapshot = None
        self._usual = Usual()
        self.copied: Copied | None = None
        """If this study is a copy, made in this session: what was copied."""
        ledger = self._log.read()  # to look at a study takes no lock
        ledger = ledger if ledger.created else self._log.commit(beginning(name, *asked))
        found, self._settings = resumed(ledger, *asked, seed)
        self._spaces = {len(ledger.spaces) - 1: found}
        self._name = ledger.created["name"] if name is None else name

    @classmethod
    def load(
        cls,
        storage: object,
        name: str | None = None,
        *,
        feasible: Callable[[dict[str, Any]], bool] | None = None,
        noise: Noise | None = None,
        method: str | object | None = None,
        fit: str | None = None,
        cost: Cost = None,
    ) -> Self:
        """An existing study, with its recorded settings; nothing is created.

        Args:
            storage: as for `Study`.
            name: may be left out if the storage has only one study.
            feasible: the space's function, if it has one: a function cannot be stored.
            noise: instead of the recorded one; needed where that was a function.
            method: instead of the recorded one; needed where that was an object.
            fit: instead of the recorded one.
            cost: instead of the recorded one; where that was a function and none is given, costs are learned.
        """
        log = Log(find_storage(storage, name))
        ledger = log.read()
        if not ledger.created:
            raise UnknownStudyError("storage: expected a study, got an empty log; create it first")
        check_format(ledger)
        space = Space.from_dict(ledger.spaces[-1], feasible=feasible)
        options = recalled(ledger, {"noise": noise, "method": method, "fit": fit, "cost": cost})
        return cls(space, name=ledger.created["name"], storage=log, **options)

    def copy(
        self,
        storage: object = None,
        *,
        name: str | None = None,
        space: Space | Mapping[str, Any] | None = None,
        convert: Convert | None = None,
    ) -> Self:
        """A new study with the results, queue and audit trail of this one, which stays as it is.

        Trials that do not fit another space are left out, with a warning; `copied` of the new study lists them.

        Args:
            storage: where it is kept, as for `Study`.
            name: of the new study; if left out, that of this one.
            space: another one: a wider or narrower range, more options, other constraints.
            convert: a function of the params of a trial that returns those in the new space, or None to leave it out.
                Needed where parameters were renamed, added or removed.
        """
        to = None if space is None else as_space(space)
        name, settings = checked_name(self._name if name is None else name, storage), self._settings
        log = Log(open_storage(storage, name))
        report = copy_log(self._log, log, name, to, settings, convert)
        made = type(self)(
            self.space if to is None else to,
            name=name,
            storage=log,
            method=settings.method,
            fit=settings.fit,
            over=dict(settings.over),
            **restated(settings),
            cost=settings.cost,
            learn_from=told_earlier(settings.earlier),
        )
        made.copied = report
        return made

    def __repr__(self) -> str:
        trials = self.trials
        name = "" if self.name is None else f"{self.name!r}, "
        return f"Study({name}{self.goals or self.direction}, {len(trials)} trials, {len(self.pending)} pending)"
