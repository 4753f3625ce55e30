"""A log copied into another: every trial that has a place in the new space, with all that happened to it.

Trials are numbered anew. Those that wait for a result stay behind: it will be told to the study they were asked from.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowgrad.errors import CopyWarning, MismatchError, SpaceError
from knowgrad.log.effects import HAPPEN
from knowgrad.log.ledger import Ledger
from knowgrad.log.log import Log
from knowgrad.log.record import created
from knowgrad.space import Params, Space
from knowgrad.storage import Clock
from knowgrad.text import one_line
from knowgrad.trial import Event, Settings, Trial

Convert = Callable[[dict[str, Any]], Mapping[str, Any] | None]
LISTED = 20  # trials that are shown one by one


@dataclass(frozen=True, slots=True)
class Copied:
    """What became of the trials of a study that was copied."""

    numbers: Mapping[int, int]
    """The number of each trial in the new study, by the one it had."""
    left_out: Mapping[int, str]
    """Why the others were not copied, by number."""

    def __str__(self) -> str:
        said = f"{len(self.numbers)} trials copied, {len(self.left_out)} left out"
        lines = [f"trial {number}: {one_line(why)}" for number, why in [*self.left_out.items()][:LISTED]]
        more = len(self.left_out) - LISTED
        return "\n".join([said, *lines, *([f"… and {more} more"] if more > 0 else [])])


def copy_log(
    source: Log, target: Log, name: str | None, space: Space | None, settings: Settings, convert: Convert | None
) -> Copied:
    """Write into an empty log what another one says, as far as it has a place in the space.

    Without another space, it is that of the source with all its changes, and whatever has a place there keeps it.
    """
    old = source.storage.read(0)
    ledger = Ledger(old)
    as_it_was = space is None and convert is None
    first = ledger.spaces[0 if as_it_was else -1] if space is None else space.to_dict()
    places, left_out = _places(ledger.trials, None if as_it_was else space or Space.from_dict(first), convert)
    numbers = {number: i for i, number in enumerate(places)}
    _warn(left_out, ledger.trials)
    kept = [event for event in old if _number(event) in numbers or (as_it_was and event.kind == "changed")]
    events = [_renumbered(event, numbers, None if as_it_was else places) for event in kept]

    def decide(there: Ledger, now: Clock) -> list[Event]:
        if there.created:
            raise MismatchError(f"study {name!r}: expected none of that name, got one; pass another name=")
        origin = {"copied_from": {"name": ledger.created["name"], "uid": ledger.uid}}
        return [Event("created", {**created(name, first, settings, now()), **origin}), *events]

    target.commit(decide)
    return Copied(numbers, left_out)


def _number(event: Event) -> int | None:
    return event.data["number"] if event.kind in HAPPEN else None


def _places(
    trials: Sequence[Trial], space: Space | None, convert: Convert | None
) -> tuple[dict[int, Params], dict[int, str]]:
    """The params of the trials to copy, by number, and why the others are not; without a space all have a place."""
    places: dict[int, Params] = {}
    left_out: dict[int, str] = {}
    for trial in trials:
        if trial.state in ("pending", "expired"):
            left_out[trial.number] = f"it is {trial.state}: its result belongs to the study it is from"
            continue
        params = dict(trial.params) if convert is None else convert(dict(trial.params))
        try:
            if params is None:
                raise SpaceError("convert returned None")
            places[trial.number] = dict(params) if space is None else space.validate(params)
        except SpaceError as error:
            left_out[trial.number] = str(error)
    return places, left_out


def _renumbered(event: Event, numbers: Mapping[int, int], places: Mapping[int, Params] | None) -> Event:
    if event.kind == "changed":
        moved = [numbers[number] for number in event.data["numbers"] if number in numbers]
        return Event(event.kind, {**event.data, "numbers": moved})
    number = event.data["number"]
    data = {key: value for key, value in event.data.items() if key not in ("lease", "deadline")}
    if "params" in data and places is not None:
        data["params"] = places[number]
    for key in ("retry_of", "continues"):
        if (before := data.pop(key, None)) in numbers:
            data[key] = numbers[before]
    return Event(event.kind, {**data, "number": numbers[number]})


def _warn(left_out: Mapping[int, str], trials: Sequence[Trial]) -> None:
    """Results and queued points that have no place are worth a warning, waiting trials are not."""
    if lost := [number for number in left_out if trials[number].state not in ("pending", "expired")]:
        many = f"{len(lost)} trials are" if len(lost) > 1 else f"trial {lost[0]} is"
        message = (
            f"copy: {many} not in the new space and left out; first: {left_out[lost[0]]}; see `copied` of the study"
        )
        warnings.warn(message, CopyWarning, stacklevel=4)
