"""Trials that come with their outcome: results from elsewhere."""

from collections.abc import Mapping
from typing import Any

from knowgrad.log.several import partial
from knowgrad.outcomes import Goals
from knowgrad.trial import Event

PLAIN = Goals()


def added(
    number: int, params: Mapping[str, Any], kind: str, data: Mapping[str, Any], goals: Goals = PLAIN
) -> list[Event]:
    """The events that make a trial with this number, these params and this outcome."""
    asked = {"number": number, "params": params, "source": "added", "batch": None, **partial(data, goals)}
    return [Event("asked", asked), Event(kind, {"number": number, **data})]
