"""What a log says: the study it is of, its trials, and what is waiting. Only this and `effects` interpret events.

Folding a log in pieces gives the same as folding it at once. Events are valid when they are written: nothing is checked
here. A ledger only ever grows by what is folded into it; reading an event costs the same whatever came before.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from knowgrad.errors import UnknownTrialError
from knowgrad.log.effects import CHANGES, HAPPEN, after, handed_out, names_of
from knowgrad.space import carried
from knowgrad.text import shown
from knowgrad.trial import Event, Params, SpaceChange, Trial

WHOLE = (int, np.integer)
SLACK = 1.0  # seconds by which a clock may be set back without a lease being taken for one of the future


def holds(lease: float, deadline: float, now: float) -> bool:
    """Is a lease still good? One granted after `now` is not: the clock was set back, and it might never end."""
    return deadline - lease - SLACK <= now < deadline


class Ledger:
    """The trials of a study, each at the index that is its number, and a few views that would be slow to look for."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.length = 0
        """How many events it was made of."""
        self.created: Mapping[str, Any] = {}
        self.trials: list[Trial] = []
        self.format = 1
        """The newest that any event asks for."""
        self.spaces: list[Mapping[str, Any]] = []
        """The space as it was created, and after each change."""
        self.space_changes: list[SpaceChange] = []
        self.batches = 0
        self.changes = 0
        """How often something that was recorded was changed."""
        self.ticket: Mapping[str, Any] | None = None
        """Who is choosing points, if they said so."""
        self.waiting: dict[str, Mapping[str, Any]] = {}
        """Who waits for points, by ticket."""
        self.computed = 0
        """How often points were computed and handed out."""
        self.spent = 0.0
        """Seconds that the last choice in a crowd took."""
        self._ahead: dict[int, tuple[float, float]] = {}
        """The stock, with its lease and deadline: for how long such points are good."""
        self._dropped: set[int] = set()
        """Of the stock: nobody ever had these."""
        self._queued: dict[int, Trial] = {}
        self._pending: dict[int, Trial] = {}
        self._retries: dict[int, int] = {}
        self._lost: dict[int, int] = {}
        self._given_back: set[int] = set()
        self.fold(events)

    def fold(self, events: Iterable[Event]) -> None:
        """Take in the events that follow."""
        for event in events:
            self.length += 1
            if event.kind == "created":
                self.created, self.spaces = event.data, [event.data.get("space", {})]
                self.format = event.data.get("format", 1)
            elif event.kind == "turn":
                self.ticket = event.data
            elif event.kind == "waits":
                self.waiting[event.data["ticket"]] = event.data
            elif event.kind == "renewed":
                self.renew((number, event.data["lease"], event.data["deadline"]) for number in event.data["numbers"])
            elif event.kind in HAPPEN:
                self._happened(event)
            elif event.kind == "changed":
                self._change_space(event.data)
            else:
                self.format = max(self.format, event.data.get("format", 1))

    def renew(self, leases: Iterable[tuple[int, float, float]]) -> None:
        """Take in renewed leases: number, lease and deadline of each. A trial that is settled has none."""
        for number, lease, deadline in leases:
            if number in self._pending:
                self._keep(self.trials[number].but(lease=lease, deadline=deadline))
                (self._given_back.discard if lease else self._given_back.add)(number)

    def _change_space(self, data: Mapping[str, Any]) -> None:
        """Earlier trials show the values of new parameters; what was dropped they keep, but for those in the queue."""
        self.format = max(self.format, data["format"])
        self.spaces.append(data["space"])
        said = tuple(data["words"]), data["time"], data["by"], data["reason"], len(self.trials)
        self.space_changes.append(SpaceChange(*said, tuple(data["numbers"]), data["key"]))
        names = list(data["space"]["parameters"])
        for trial in list(self.trials):
            params: Mapping[str, Any] = carried(trial.params, names, data["earlier"])
            if trial.state == "queued":
                params = {name: params[name] for name in names if name in params}
            if list(params) != list(trial.params):
                self._keep(trial.but(params=Params(params)))
        for number in data["numbers"]:
            self._keep(self.trials[number].but(state="expired", ended=data["time"]))

    def _happened(self, event: Event) -> None:
        data = event.data
        number: int = data["number"]
        is_new = number == len(self.trials)
        if event.kind == "asked":
            self._served(data, is_new)
            self.batches = max(self.batches, -1 if data["batch"] is None else data["batch"] + 1)
        elif event.kind in CHANGES:
            self.changes += 1
        elif event.kind == "expired" and number in self._queued and number in self._ahead:
            self._dropped.add(number)
        else:
            self._dropped.discard(number)  # somebody has a result all the same
        self._keep(self._begun(event) if is_new else after(self.trials[number], event))

    def _served(self, data: Mapping[str, Any], is_new: bool) -> None:
        """Points were handed out: whoever had the turn is done, unless they came from the queue meanwhile."""
        ticket, whose = data.get("ticket"), self.ticket
        if is_new or (whose is not None and ticket == whose["ticket"]):
            self.ticket = None
        if is_new or "spent" in data:
            self.computed += 1
            self.spent = data.get("spent", self.spent)
        if ticket is not None:
            self.waiting.pop(ticket, None)

    def _begun(self, event: Event) -> Trial:
        """A new trial, and what its first event makes of it."""
        data, number = event.data, len(self.trials)
        retry_of = data.get("retry_of")
        about = {"source": data.get("source", "queue"), "retry_of": retry_of}
        if "measure" in data:
            about["measure"] = names_of(data["measure"])
        if "continues" in data:
            about["continues"] = data["continues"]
        about |= handed_out(data) if event.kind == "asked" else {"state": "queued"}
        trial = Trial(f"{self.uid}-{number}", number, data["params"], **about)
        self.trials.append(trial)
        if data.get("ahead"):
            self._ahead[number] = data.get("lease", 0.0), data.get("deadline", 0.0)
        if retry_of is not None:
            self._retries[retry_of] = number
            self._lost[number] = data.get("lost", self.lost(retry_of) + 1)
        return trial

    def _keep(self, trial: Trial) -> None:
        self.trials[trial.number] = trial
        for state, view in (("queued", self._queued), ("pending", self._pending)):
            if trial.state == state:
                view[trial.number] = trial
            else:
                view.pop(trial.number, None)

    @property
    def uid(self) -> str:
        return str(self.created.get("uid", ""))

    @property
    def queue(self) -> list[Trial]:
        """What is to be handed out first: points that were lost, then those the user put there."""
        return sorted(self._queued.values(), key=lambda trial: (trial.retry_of is None, trial.number))

    @property
    def stock(self) -> list[Trial]:
        """Points of the queue that a model chose for whoever comes next."""
        return [trial for trial in self._queued.values() if trial.number in self._ahead]

    def out_of_date(self, now: float) -> list[int]:
        """The stock that was chosen too long ago. The starting design never is."""
        return [
            each.number for each in self.stock if each.source != "start" and not holds(*self._ahead[each.number], now)
        ]

    @property
    def pending(self) -> list[Trial]:
        return sorted(self._pending.values(), key=lambda trial: trial.number)

    @property
    def running(self) -> int:
        return len(self._pending)

    @property
    def is_any_leased(self) -> bool:
        """Has anybody a point for a limited time?"""
        return any(trial.lease is not None for trial in self._pending.values())

    @property
    def known(self) -> list[Trial]:
        """Every trial that was handed out or added: what a suggestion is a function of."""
        idle = self._queued.keys() | self._dropped
        return [trial for trial in self.trials if trial.number not in idle] if idle else list(self.trials)

    @property
    def turn(self) -> tuple[int, int, int]:
        """Changes whenever a point is asked, added or queued, or the space is changed, and only then."""
        return len(self.trials), len(self._queued), len(self.spaces)

    def retry(self, trial: Trial) -> Trial | None:
        """The trial that tries the point of this lost one again."""
        number = self._retries.get(trial.number)
        return None if number is None else self.trials[number]

    def lost(self, number: int) -> int:
        """How many workers had been lost with its point when the trial was queued."""
        return self._lost.get(number, 0)

    def was_given_back(self, trial: Trial) -> bool:
        """Did its worker end the lease itself? That is no sign of trouble."""
        return trial.number in self._given_back

    def find(self, trial: object) -> Trial:
        """The trial meant by a `Trial`, its id, or its number."""
        key = trial.id if isinstance(trial, Trial) else trial
        if isinstance(key, str):
            head, _, tail = key.rpartition("-")
            if head == self.uid and tail.isdecimal() and int(tail) < len(self.trials):
                return self.trials[int(tail)]
        elif isinstance(key, WHOLE) and not isinstance(key, bool) and 0 <= key < len(self.trials):
            return self.trials[int(key)]
        raise UnknownTrialError(
            f"expected a trial of this study, its id or its number (there are {len(self.trials)}), got {shown(key)}; "
            "use a trial returned by ask() of this study, or add(params, value) for results from elsewhere"
        )
