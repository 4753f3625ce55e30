"""What may be changed about a trial after its outcome was recorded, and how that is written down.

Nothing is ever taken out of the log. A correction puts another outcome in the place of the recorded one; a discarded
trial stays where it is, out of the model, until it is restored; a note changes
nothing else. Each says when, who and why.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from knowgrad.checked import line
from knowgrad.errors import ArgumentError, ConflictError
from knowgrad.log.effects import after
from knowgrad.log.ledger import Ledger
from knowgrad.log.settle import stands
from knowgrad.log.several import corrected, says
from knowgrad.outcomes import Goals
from knowgrad.storage import Clock
from knowgrad.text import plain, shown
from knowgrad.trial import Event, Trial

LONGEST = 10_000  # characters of a reason or a note


@dataclass(frozen=True, slots=True)
class Said:
    """What whoever changes a trial says about it."""

    reason: str | None = None
    by: str | None = None
    key: str | None = None

    @classmethod
    def checked(cls, reason: object, by: object, key: object, *, needs: str | None = None) -> "Said":
        """`needs`: what the reason is called where there has to be one."""
        if reason is None and needs is None:
            return cls(None, _line(by, "by"), _line(key, "key"))
        if not isinstance(reason, str) or not reason.strip() or len(reason) > LONGEST:
            raise ArgumentError(
                f"{needs or 'reason'}: expected a text of 1 to {LONGEST:,} characters, got {shown(reason)}; "
                "say it in words"
            )
        return cls(plain(reason), _line(by, "by"), _line(key, "key"))


def _line(text: object, what: str) -> str | None:
    return None if text is None else line(text, what)


def changed(ledger: Ledger, trial: object, kind: str, data: Mapping[str, Any], said: Said, now: Clock) -> list[Event]:
    """The event that changes a trial so; none if that has been done; ConflictError where it cannot be.

    `data` of a correction may lack `sem`: then that of the trial stays.
    """
    found = ledger.find(trial)
    if _was_asked(found, kind, data, said):
        return []
    filled = corrected(found, data, Goals.recorded(ledger.created)) if kind == "corrected" else data
    event = Event(kind, {"number": found.number, **filled, **asdict(said), "time": 0.0})
    if _is_so(found, event):
        return []
    if kind != "corrected" or filled["state"] != found.state:
        _check(found, kind)
    return [replace(event, data={**event.data, "time": now()})]


def _was_asked(trial: Trial, kind: str, data: Mapping[str, Any], said: Said) -> bool:
    """Was the same done before, under the same key?"""
    done = next((each for each in trial.history if said.key is not None and each.key == said.key), None)
    if done is None:
        return False
    new = done.new
    had = {"state": new.state, "value": new.value, "sem": new.sem, "failure": new.reason, "outcomes": new.outcomes}
    if (done.kind, done.reason, done.by) == (kind, said.reason, said.by) and says(data, had):
        return True
    raise ConflictError(
        f"key: expected a new one, or the request that {shown(said.key)} was first sent with ({done.kind}), got "
        f"another ({kind}); take another key"
    )


def _is_so(trial: Trial, event: Event) -> bool:
    """Does the trial show it already?"""
    would = after(trial, event).history[-1]
    match event.kind:
        case "corrected" | "discarded":
            return would.old == would.new
        case "restored":
            return [each.kind for each in trial.history if each.kind != "noted"][-1:] == ["restored"]
    return any((each.kind, each.reason, each.by) == (would.kind, would.reason, would.by) for each in trial.history)


REMEDIES = {
    "queued": "expire() it if it should not be tried",
    "pending": "tell() or fail() it; expire() it if no result will come",
    "expired": "tell() it if a result came after all",
    "discarded": "restore() it first",
    "complete": "correct() or discard() it if it is wrong",
    "failed": "correct() or discard() it if it is wrong",
}


def _check(trial: Trial, kind: str) -> None:
    """Refuse what makes no sense for a trial as it stands."""
    expected = ("discarded",) if kind == "restored" else ("complete", "failed")
    if kind != "noted" and trial.state not in expected:
        raise ConflictError(
            f"trial {trial.number}: expected one that is {' or '.join(expected)}, to be {kind}, got one that is "
            f"{stands(trial)}; {REMEDIES[trial.state]}"
        )
