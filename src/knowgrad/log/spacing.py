"""`Spacing`: the part of a study that knows its space, and that changes it.

The space is what the log says. Whoever looks at the log sees it as it is now; what was computed or checked for the one
before is computed or checked again, under the lock, before anything is written.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from knowgrad.errors import ArgumentError, ConflictError, SpaceError
from knowgrad.log.basis import Basis
from knowgrad.log.changes import Said
from knowgrad.log.leases import Refit
from knowgrad.log.ledger import Ledger
from knowgrad.log.record import CHANGED, check_format
from knowgrad.space import Changing, Params, Space, changing
from knowgrad.storage import Clock
from knowgrad.text import shown
from knowgrad.trial import Event, SpaceChange


@dataclass(frozen=True, eq=False)
class Valid:
    """Params, checked against one of the spaces of the log."""

    given: Mapping[str, Any]
    params: Params
    space: int


class Spacing(Basis):
    """The space of a study, and how it changes."""

    _spaces: dict[int, Space]

    def _check_space(self, space: Space) -> None:
        """Raise if the study could not go on in this space."""
        raise NotImplementedError

    @property
    def space(self) -> Space:
        """As the log has it now."""
        with self._log.lock:
            return self._space_of(self._log.read())

    @property
    def changes(self) -> tuple[SpaceChange, ...]:
        """How the space was changed, oldest first."""
        with self._log.lock:
            return tuple(self._log.read().space_changes)

    def change(
        self,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        earlier: Mapping[str, Any] | None = None,
        constraints: Any = None,
        reason: str | None = None,
        by: str | None = None,
        key: str | None = None,
        **named: Any,
    ) -> SpaceChange:
        """Change the space, for everybody who uses the study: `change(temperature=(20, 120))`.

        All results stay, also those outside the new bounds, and the model still learns from them. Running trials can be
        told as before. Queued points that the new space does not allow are removed from the queue.

        Args:
            parameters: what changes, by name; for names that are those of other arguments. Bounds `(20, 120)` of a
                parameter that is there leave its kind, scale and steps as they are; a list gives a choice its options;
                any other form is as for `Space`; None drops the parameter: earlier trials still show it, and the model
                no longer sees it.
            earlier: of a parameter that is new, the value that all trials had before: `{"pressure": 1.0}`.
            constraints: all constraints from now on; left out, those there are.
            reason: why.
            by: who says so.
            key: a name for this request: what is asked again with the same key is not done again.
            **named: as `parameters`.
        """
        said, forms = Said.checked(reason, by, key), {**_table(parameters, "change"), **named}
        had = _table(earlier, "earlier")
        return self._change_space(said, lambda space: changing(space, forms, had, constraints))

    def _change_space(self, said: Said, made: Callable[[Space], Changing]) -> SpaceChange:
        """What `made` makes of the space as it is when nobody else can write; once for each key."""
        done: list[SpaceChange] = []

        def decide(ledger: Ledger, now: Clock) -> list[Event]:
            done[:] = [each for each in ledger.space_changes if said.key is not None and each.key == said.key]
            if done:
                return []
            events = self._changed(ledger, made(self._space_of(ledger)), said, now)
            done[:] = [] if events else [SpaceChange((), now(), said.by, said.reason, len(ledger.trials))]
            return events

        with self._log.lock:
            ledger = self._log.commit(decide)
            return _same(done[0], said) if done else ledger.space_changes[-1]

    def _changed(self, ledger: Ledger, change: Changing, said: Said, now: Clock) -> list[Event]:
        """The event that changes the space so; none if it is so already."""
        words = change.words()
        if not words:
            return []
        self._check_space(change.new)
        unqueued = []
        for trial in ledger.trials:
            params = change.carried(trial.params)
            if trial.state == "queued":
                if refitted(change.new, params) is None:
                    unqueued.append(trial.number)
                continue
            try:
                change.check_place(params)
            except SpaceError as error:
                raise SpaceError(f"change: trial {trial.number}: {error}") from None
        what = {"format": CHANGED, "space": change.new.to_dict(), "words": list(words), "earlier": dict(change.earlier)}
        return [Event("changed", {**what, "numbers": unqueued, **asdict(said), "time": now()})]

    def _space_of(self, ledger: Ledger, number: int | None = None) -> Space:
        """The space that the ledger says it is now, or with this number."""
        number = len(ledger.spaces) - 1 if number is None else number
        if number not in self._spaces:
            check_format(ledger)
            feasible = next(iter(self._spaces.values())).feasible
            self._spaces[number] = Space.from_dict(ledger.spaces[number], feasible=feasible).reaching()
        return self._spaces[number]

    def _refitting(self) -> Refit:
        """`_refit` for what the study holds: were it to hold the study in turn, files would stay open."""
        study = weakref.ref(self)

        def refit(ledger: Ledger, params: Mapping[str, Any]) -> dict[str, Any] | None:
            held = study()
            return dict(params) if held is None else held._refit(ledger, params)

        return refit

    def _refit(self, ledger: Ledger, params: Mapping[str, Any]) -> dict[str, Any] | None:
        """The params of an earlier point in the space as it is now; None if it has no place there."""
        return dict(params) if len(ledger.spaces) < 2 else refitted(self._space_of(ledger), params)

    def _validated(self, params: Mapping[str, Any]) -> Valid:
        """Params from outside, checked against the space as it was when the log was last read, or as it is now."""
        with self._log.lock:
            ledger = self._log.peek()
            number = len(ledger.spaces) - 1
            space = self._space_of(ledger)
        try:
            return Valid(params, space.validate(params), number)
        except SpaceError:
            with self._log.lock:
                ledger = self._log.read()
                if len(ledger.spaces) - 1 == number:
                    raise
                number, space = len(ledger.spaces) - 1, self._space_of(ledger)
        return Valid(params, space.validate(params), number)

    def _still(self, valid: Valid, ledger: Ledger) -> Params:
        """Params that were checked, checked again if the space is another one."""
        if valid.space == len(ledger.spaces) - 1:
            return valid.params
        return self._space_of(ledger).validate(valid.given)


def refitted(space: Space, params: Mapping[str, Any]) -> Params | None:
    """The params of an earlier point without what the space does not have; None if it does not lie in the space."""
    with suppress(SpaceError):
        return space.validate({name: value for name, value in params.items() if name in space.parameters})
    return None


def _table(given: Mapping[str, Any] | None, what: str) -> dict[str, Any]:
    if given is not None and not (isinstance(given, Mapping) and all(isinstance(name, str) for name in given)):
        raise ArgumentError(f"{what}: expected a mapping from names of parameters, got {shown(given)}; pass a dict")
    return dict(given or {})


def _same(done: SpaceChange, said: Said) -> SpaceChange:
    if (done.by, done.reason) != (said.by, said.reason):
        raise ConflictError(
            f"key: expected a new one, or the request that {shown(said.key)} was first sent with, got another; take "
            "another key"
        )
    return done
