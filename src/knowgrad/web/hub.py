"""The studies of one storage, opened once, and a desk for each: what has been computed since its last change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from knowgrad.advisor.asked import checked_given, checked_shared, picked
from knowgrad.errors import ArgumentError, SpaceError, StorageError, UnknownStudyError
from knowgrad.space import Space
from knowgrad.storage import StoredStudy, studies
from knowgrad.storage.naming import delete_study, rename_study
from knowgrad.study import Study
from knowgrad.text import shown
from knowgrad.trial import Trial
from knowgrad.views import Snapshot
from knowgrad.web.news import News

T = TypeVar("T")
KEPT = 64  # answers per study


class Desk:
    """One study. Its numerical questions are answered one at a time, each once for each state of the study."""

    def __init__(self, uid: str, study: Study, limited: str | None = None) -> None:
        self.uid, self.study, self.limited = uid, study, limited
        self.news = News(study)
        self._computing = threading.Lock()
        self._answers: dict[object, Any] = {}
        self._snapshot: Snapshot | None = None

    def answer(self, question: object, compute: Callable[[Snapshot], T]) -> T:
        """What `compute` makes of the study as it is now; kept until the study changes."""
        self.check_model()
        return self.shown(question, compute)

    def shown(self, question: object, compute: Callable[[Snapshot], T]) -> T:
        """The same where no model is needed."""
        with self._computing:
            snapshot = self.study.snapshot()
            if snapshot is not self._snapshot or len(self._answers) >= KEPT:
                self._snapshot, self._answers = snapshot, {}
            if question not in self._answers:
                self._answers[question] = compute(snapshot)
            found: T = self._answers[question]
            return found

    def check_model(self) -> None:
        """Refuse what cannot be answered without a part of the study that only its owner's process has."""
        if self.limited is not None:
            raise ArgumentError(self.limited)

    def suggest(
        self,
        count: int,
        client: str,
        *,
        lease: float | None = None,
        given: Any = None,
        shared: Any = None,
        measure: Any = None,
    ) -> list[Trial]:
        """The client's active trials first, then new ones; where settings are shared, not both: that would mix two
        batches."""
        self.check_model()
        context = checked_given(self.study.space, given)
        checked_shared(self.study.space, shared)
        mine = [trial for trial in self.study.pending if trial.worker == client]
        active = picked(mine, count, given=context, shared={})
        if len(active) == count or (active and shared):
            return active
        how: dict[str, Any] = {"lease": lease, "worker": client, "given": given, "shared": shared}
        new = self.study.ask(count - len(active), measure=measure, **how)
        return [*active, *new]


class Hub:
    """All studies of a storage."""

    def __init__(self, storage: str) -> None:
        self.storage = storage
        self._desks: dict[str, Desk] = {}
        self._lock = threading.Lock()
        self._opening: dict[str, threading.Lock] = {}

    def studies(self) -> list[StoredStudy]:
        return studies(self.storage)

    def desk(self, study: str) -> Desk:
        """By uid, or by name. A uid wins: no name can put one study in the place of another."""
        if study in self._desks:
            return self._desks[study]
        stored = self.studies()
        for found in sorted(stored, key=lambda each: each.uid != study):
            if study in (found.uid, found.name):
                return self._open(found)
        raise UnknownStudyError(
            f"study: expected the name or uid of a study that is there, got {shown(study)}; GET /api/studies lists them"
        )

    def still(self, work: Callable[[], T]) -> T:
        """What `work` makes of a study; once more, opened anew, if it was renamed meanwhile."""
        try:
            return work()
        except UnknownStudyError:
            names = {stored.uid: stored.name for stored in self.studies()}
            stale = [uid for uid, desk in list(self._desks.items()) if names.get(uid) != desk.study.name]
            if not stale:
                raise
            for uid in stale:
                self._desks.pop(uid, None)
            return work()

    def create(self, name: str, space: Mapping[str, Any], options: Mapping[str, Any]) -> Desk:
        """A new study, or one that is there if it is the same."""
        if name in self._uids():
            raise ArgumentError(f"name: expected one that is not the uid of a study, got {shown(name)}; pass another")
        earlier = [self.desk(each).study for each in options.get("learn_from", ())]
        Study(Space.from_dict(space), storage=self.storage, name=name, **{**options, "learn_from": earlier or None})
        return self._open(next(stored for stored in self.studies() if stored.name == name))

    def rename(self, desk: Desk, name: str) -> Desk:
        """The study under another name."""
        if name in self._uids():
            raise ArgumentError(f"name: expected one that is not the uid of a study, got {shown(name)}; pass another")
        rename_study(self.storage, desk.study.name or "", name)
        self._desks.pop(desk.uid, None)
        return self.desk(desk.uid)

    def delete(self, desk: Desk) -> None:
        """The study is gone for good."""
        delete_study(self.storage, desk.study.name or "")
        self._desks.pop(desk.uid, None)

    def _uids(self) -> set[str]:
        try:
            return {stored.uid for stored in self.studies()}
        except StorageError:  # nothing is there yet, or making a study will say what is wrong
            return set()

    def _open(self, stored: StoredStudy) -> Desk:
        """One at a time for each study; a large one that is being read keeps nobody from the others."""
        with self._lock:
            opening = self._opening.setdefault(stored.uid, threading.Lock())
        with opening:
            found = self._desks.get(stored.uid) or self._load(stored)
            self._desks[stored.uid] = found
            return found

    def _load(self, stored: StoredStudy) -> Desk:
        """A study with a function in it can be looked at; what depends on the function is refused."""
        try:
            return Desk(stored.uid, Study.load(self.storage, stored.name))
        except (SpaceError, ArgumentError) as error:
            anything = _anything if isinstance(error, SpaceError) else None
            study = Study.load(self.storage, stored.name, feasible=anything, noise="learned", method="qkg")
            return Desk(stored.uid, study, f"{error} where the study is open in Python; here only its trials are shown")


def _anything(params: dict[str, Any]) -> bool:
    return True
